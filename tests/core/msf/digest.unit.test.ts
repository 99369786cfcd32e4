// Digests against both sets of vectors: those of the specification and those that the service publishes (schemas/msf-digest).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import { rowOrder, stateDigest } from '../../../core/msf/digest.ts';
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { columnTypes } from '../../../schemas/datasets/row-schema.ts';
import { type DigestCase, msfVectors, tableOf } from '../../support/vectors/msf-vectors.ts';
import { digestPage, publishedDigestCases } from '../../support/vectors/published-digests.ts';

function check(vector: DigestCase): void {
  const { columns, rows } = tableOf(vector);
  const order = rowOrder({ primaryKey: vector.key });
  const lines = rows
    .map((row) => ({ row, line: canonicalLine(columns, row) }))
    .sort(order)
    .map(({ line }) => line);
  assert.deepEqual(lines, vector.expect.lines);
  assert.equal(stateDigest(lines), vector.expect.digest);
}

describe('digest vectors of the specification', () => {
  for (const vector of msfVectors<DigestCase>('digest')) it(`${vector.name}: ${vector.rule}`, () => check(vector));
});

describe('published digest vectors', () => {
  for (const vector of publishedDigestCases()) it(`${vector.name}: ${vector.rule}`, () => check(vector));

  it('the example of the page has its size and its digest', () => {
    const page = readFileSync(digestPage, 'utf8');
    const example = /```\n((?:\[.*\n)+)```/.exec(page)?.[1] ?? '';
    assert.ok(page.includes(`\`${stateDigest(example.trimEnd().split('\n'))}\``));
    assert.ok(page.includes(`are ${example.length} bytes`));
  });

  it('the page says what each of its type words is called in the schema route', () => {
    const page = readFileSync(digestPage, 'utf8');
    const simple = (['utf8', 'int32', 'int64', 'bool', 'date', 'ts'] as const).map((kind) => [
      kind,
      columnTypes({ kind }),
    ]);
    for (const [word, { type, logicalType }] of simple as [string, ReturnType<typeof columnTypes>][]) {
      const name = logicalType === null ? 'null' : `\`${logicalType}\``;
      assert.ok(page.includes(`| \`${word}\` | \`${type}\` | ${name} |`), word);
    }
    const dec = columnTypes({ kind: 'dec', precision: 12, scale: 4 });
    assert.deepEqual([dec.type, dec.logicalType], ['int64', 'decimal(12,4)']);
    assert.ok(page.includes('| `dec(p,s)` | `int64`; `int32` where *p* is 9 or less | `decimal(p,s)` |'));
    assert.deepEqual(columnTypes({ kind: 'list', of: 'utf8' }), { type: 'list<utf8>', logicalType: 'list' });
    assert.ok(page.includes('| `list<utf8>`, `list<int32>` | `list<utf8>`, `list<int32>` | `list` |'));
  });
});

describe('the digest of a state', () => {
  it('is of its lines, wherever the hash is handed them in pieces', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `["${'€'.repeat(at % 97)}",${at}]`);
    for (const units of [21_844, 21_845, 21_846, 65_535, 65_536, 70_000])
      lines.splice(units % 1_000, 0, '€'.repeat(units));
    const whole = stateDigest([lines.join('\n')]);
    assert.equal(stateDigest(lines), whole);
    assert.notEqual(stateDigest(lines.slice(1)), whole);
  });

  it('sees every column of a real dataset, its lists of numbers included', () => {
    const row = Object.fromEntries(gameState.columns.map(({ name }) => [name, null]));
    const bare = canonicalLine(gameState.columns, row);
    assert.equal(bare, `[${gameState.columns.map(() => 'null').join(',')}]`);
    for (const { name, type } of gameState.columns) {
      const value = type.kind === 'list' ? [1, 2] : type.kind === 'utf8' ? 'x' : 1;
      assert.notEqual(canonicalLine(gameState.columns, { ...row, [name]: value }), bare, name);
    }
  });

  it('refuses keys that have no order', () => {
    const order = rowOrder({ primaryKey: ['k'] });
    assert.throws(() => order({ row: { k: 'a' } }, { row: { k: null } }), /neither text nor a number/);
  });
});
