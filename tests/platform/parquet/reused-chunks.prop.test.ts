// Claim: a file that is written like one before has the bytes of a file written from scratch, whatever rows and columns changed since. A
// violation would need a column that is reused although one of its cells changed, or a chunk with a wrong offset.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { sameBytes } from '../../../core/parquet/same-bytes.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { playerStats } from '../../../schemas/datasets/player-stats.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { everyFileKind, randomFrom, rowsFrom } from '../../support/parquet/rows.ts';

type Rows = ReturnType<typeof rowsFrom>;

/** The rows with other cells in some columns of some rows, and sometimes one row more or less. */
function changed(dataset: Dataset, rows: Rows, seed: number): Rows {
  const random = randomFrom(seed);
  const others = rowsFrom(dataset, seed, Math.min(rows.length, 200));
  const columns = dataset.columns.filter(() => random.below(4) === 0);
  const some = rows.map((row, at) => {
    if (random.below(8) > 0) return random.below(4) > 0 ? row : { ...row };
    return { ...row, ...Object.fromEntries(columns.map(({ name }) => [name, others[at % others.length]?.[name]])) };
  }) as Rows;
  const grows = random.below(8);
  return grows === 0 ? [...some, ...rowsFrom(dataset, seed, 1)] : grows === 1 ? some.slice(1) : some;
}

function play(dataset: Dataset, first: Rows, seeds: readonly number[]): number {
  let before: Rows | null = null;
  let rows = first;
  let reused = 0;
  for (const seed of [...seeds, 0]) {
    const metadata = new Map([['turn', String(seed)]]);
    const fromScratch = encodeParquet(dataset, [...rows], metadata);
    assert.ok(sameBytes(encodeParquet(dataset, rows, metadata, before), fromScratch), `${dataset.name}, ${seed}`);
    if (before?.length === rows.length) reused += 1;
    before = rows;
    rows = changed(dataset, rows, seed);
  }
  return reused;
}

it('a file like the one before is the file from scratch', () => {
  let reused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...everyFileKind),
      fc.nat(),
      // From 512 rows on, pages are compressed that are stored in smaller files; columns are reused in the same way in
      // both.
      fc.oneof({ weight: 7, arbitrary: fc.nat(90) }, { weight: 1, arbitrary: fc.integer({ min: 500, max: 530 }) }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 5 }),
      ({ dataset }, seed, count, seeds) => {
        reused += play(dataset, rowsFrom(dataset, seed, count), seeds);
      },
    ),
    { numRuns: cases(200) },
  );
  assert.ok(reused > cases(100), `${reused} files were like the one before`);
});

it('so is one of several row groups', () => {
  play(playerStats, rowsFrom(playerStats, 1, 70_000), [2, 3, 5]);
});

it('reads nothing again of a row that is the very one', () => {
  const first = rowsFrom(playerStats, 1, 600);
  const second = [...first];
  const bytes = encodeParquet(playerStats, first, new Map());
  encodeParquet(playerStats, second, new Map(), first);
  // Breaks the contract of the rows on purpose, which shows whether the writer compares them.
  for (const row of first) for (const { name } of playerStats.columns) Reflect.deleteProperty(row, name);
  assert.ok(sameBytes(encodeParquet(playerStats, [...second], new Map(), second), bytes));
});
