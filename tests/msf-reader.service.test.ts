// The reference reader in Python: its digest is the published one on every vector, and it is short enough to be read.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { services } from './support/services.ts';

type Case = { name: string; rule: string; expect: { lines: string[]; digest: string } };

const python = await services.python();
const inRepository = fileURLToPath(new URL('../schemas/msf-digest/vectors.json', import.meta.url));
const besideIt = fileURLToPath(new URL('../../shared/spec/vectors/msf/digest.json', import.meta.url));
const absent = existsSync(besideIt) ? python.skip : '../shared/spec/vectors is absent';

async function digestsOf(cases: readonly Case[]): Promise<{ lines: string[]; digest: string }[]> {
  const program = fileURLToPath(new URL('reader/msf-digest.py', import.meta.url));
  const { path } = python.skip === false ? python : assert.fail('no Python');
  const child = spawn(path, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(cases));
  return JSON.parse(await text(child.stdout)) as { lines: string[]; digest: string }[];
}

async function agree(file: string): Promise<void> {
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };
  assert.ok(cases.length > 8);
  const made = await digestsOf(cases);
  for (const [at, { name, rule, expect }] of cases.entries()) assert.deepEqual(made[at], expect, `${name}: ${rule}`);
}

describe("the reference reader's digest", () => {
  it('is that of the published vectors', { skip: python.skip }, () => agree(inRepository));
  it("is that of the specification's vectors", { skip: absent }, () => agree(besideIt));
});

it('the reference reader has at most 150 lines, none of them long, and imports pyarrow and the standard library alone', () => {
  const program = readFileSync(new URL('reader/msf-follow.py', import.meta.url), 'utf8');
  const lines = program.trimEnd().split('\n');
  assert.ok(lines.length <= 150, `${lines.length} lines`);
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  );
  const imported = lines
    .filter((line) => /^\s*(import|from) /.test(line))
    .flatMap((line) => (line.startsWith('from') ? [line.split(' ')[1]!] : line.slice('import '.length).split(', ')))
    .map((name) => name.split('.')[0]!);
  const known = ['argparse', 'hashlib', 'json', 'sys', 'time', 'urllib', 'datetime', 'decimal', 'pyarrow'];
  assert.deepEqual([...new Set(imported)].sort(), known.sort());
});
