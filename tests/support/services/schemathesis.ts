// Schemathesis, from PyPI, in an environment of its own: generates requests from an OpenAPI description and judges the answers by it.
import { join } from 'node:path';
import { installed } from './installed.ts';
import { installPackages, pythonVersion } from './python.ts';

const version = '4.32.0';

export type Schemathesis = {
  /** The interpreter that has it: `python -m schemathesis.cli run …`. */
  readonly path: string;
};

export async function findSchemathesis(): Promise<Schemathesis> {
  const home = await installed('schemathesis', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, [`schemathesis==${version}`]),
  );
  return { path: join(home, 'bin', 'python') };
}
