// The table of interface.md: which tests prove which sentence of the interface. Does not read the interface itself.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conformanceCases } from '../../../clients/conformance/runner/cases.ts';

/** `tests`: as `files › names`; empty for a marked row. */
export type Row = { sentence: string; section: string; about: string; mark: Mark | null; tests: readonly NamedTest[] };
export type NamedTest = { file: string; name: string };
export type Mark = (typeof marks)[number];

/** The reasons of a row without tests: the part of that name proves it, or there is nothing to prove. */
export const marks = ['settlement', 'no claim'] as const;

export function rowsOfTable(page: string): Row[] {
  const rows: Row[] = [];
  let section = '';
  for (const line of page.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else if (/^\| [0-9a-f]{8} /.test(line)) rows.push(rowOf(section, line));
  }
  return rows;
}

function rowOf(section: string, line: string): Row {
  const cells = line.slice(2, -2).split(' | ');
  const [sentence = '', about = '', proof = ''] = cells;
  if (cells.length !== 3) throw new Error(`a row of the table needs three cells: ${line}`);
  const mark = marks.find((one) => one === proof) ?? null;
  return { sentence, section, about, mark, tests: mark === null ? proof.split('<br>').map(testOf) : [] };
}

function testOf(text: string): NamedTest {
  const [file = '', name = ''] = text.split(' › ');
  return { file: `${file}.test.ts`, name };
}

/** Source texts by path, in which the name of a test follows its call on the same line. */
const sources = new Map<string, string>();

/** The names that the conformance suite gives to the tests of the files that play its cases. */
const namesOfCases = new Set(conformanceCases().flatMap(({ cases }) => cases.map(({ name }) => name)));

/** What is wrong with the name of a test, or null. A test made in a loop has the name its source gives it. */
export function faultOfTest({ file, name }: NamedTest): string | null {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  if (!existsSync(path)) return `there is no tests/${file}`;
  const source = sources.get(path) ?? readFileSync(path, 'utf8').replaceAll(/\(\s+(?=['"`])/g, '(');
  sources.set(path, source);
  const opened = ['it', 'test', 'describe'].flatMap((call) => ["'", '"', '`'].map((quote) => [call, quote] as const));
  const named = opened.some(([call, quote]) => source.includes(`${call}(${quote}${name}${quote}`));
  const isCase = source.includes('of conformanceCases()') && namesOfCases.has(name);
  return name !== '' && (named || isCase) ? null : `tests/${file} has no test of the name ${name}`;
}
