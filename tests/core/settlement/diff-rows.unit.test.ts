// What differs between two versions of a file, and whether anything does.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { diffRows } from '../../../core/settlement/diff-rows.ts';
import { sameRows } from '../../../projectors/settlement/same-rows.ts';
import { marketResults } from '../../../schemas/datasets/market-results.ts';
import { resultRows } from '../../support/builders/final-rows.ts';

const rows = resultRows({
  uuid: '11111111-2222-5333-8444-555555555555',
  gameId: 'MLB_STL_NYY_20260805',
  league: 'MLB',
});

it('rows are added, removed and changed by their key, in the order of their lists', () => {
  const [first, second, third, fourth] = rows as [
    (typeof rows)[0],
    (typeof rows)[0],
    (typeof rows)[0],
    (typeof rows)[0],
  ];
  const changed = { ...third, result: 'push' as const };
  assert.deepEqual(diffRows(marketResults, [first, second, third], [second, changed, fourth]), {
    added: [fourth],
    removed: [first],
    changed: [{ before: third, after: changed }],
  });
  assert.deepEqual(diffRows(marketResults, rows, rows), { added: [], removed: [], changed: [] });
});

it('a line is part of the key: the same selection at another line is another row', () => {
  const [first] = rows as [(typeof rows)[0]];
  const moved = { ...first, line: 1_500 };
  assert.deepEqual(diffRows(marketResults, [first], [moved]), { added: [moved], removed: [first], changed: [] });
});

it('rows are the same by their values, lists included, and a column more is a difference', () => {
  const row = { a: 1, b: ['x', 'y'], c: null };
  assert.equal(sameRows([row], [{ a: 1, b: ['x', 'y'], c: null }]), true);
  for (const other of [
    { a: 2, b: ['x', 'y'], c: null },
    { a: 1, b: ['x'], c: null },
    { a: 1, b: ['y', 'x'], c: null },
  ])
    assert.equal(sameRows([row], [other]), false);
  assert.equal(sameRows([row], [{ ...row, d: null }]), false);
  assert.equal(sameRows([row], [row, row]), false);
});
