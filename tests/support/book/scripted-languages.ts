// What runs the programs of the reference page that are no shell scripts: those for Node on the Node of this checkout and on an older one of
// the machine, as the page promises.
import { findOldNode } from '../services/old-node.ts';
import { services } from '../services/services.ts';

export type ScriptedLanguage = {
  /** For titles of tests. */
  language: string;
  /** Of the page. */
  id: 'node' | 'python';
  program: string;
  file: string;
  skip: string | false;
};

export async function findScriptedLanguages(): Promise<readonly ScriptedLanguage[]> {
  const oldNode = findOldNode();
  const pandas = await services.pandas();
  const node = { id: 'node', file: 'program.mjs' } as const;
  const python = pandas.skip === false ? pandas.path : '';
  return [
    { language: 'Node', ...node, program: process.execPath, skip: false },
    { language: 'an older Node', ...node, program: oldNode.path, skip: oldNode.skip },
    { language: 'Python', id: 'python', file: 'program.py', program: python, skip: pandas.skip },
  ];
}
