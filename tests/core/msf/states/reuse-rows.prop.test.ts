// Claim: a state holds the rows it is asked for, and of the state before every row that is equal, whichever blocks the rows come in and which
// of those were seen before; a state that says the same is the one before. A violation would need one block to be mistaken for another.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { canonicalLine } from '../../../../core/msf/canonical-row.ts';
import { type RowBlock, reuseRows } from '../../../../core/msf/states/reuse-rows.ts';
import type { DatasetState } from '../../../../core/msf/types.ts';
import { playerStats } from '../../../../schemas/datasets/player-stats.ts';
import { cases } from '../../../support/arbitraries/cases.ts';

/**
 * Six players' values of four statistics, by the place of both; null: no such row. `renewed`: the players that get a
 * new block.
 */
const turns = fc.array(
  fc.record({
    values: fc.array(fc.tuple(fc.nat(23), fc.constantFrom(null, 0, 1, 2)), { maxLength: 3 }),
    renewed: fc.array(fc.nat(5), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
);

it('a state reuses equal rows, in whatever blocks they come', () => {
  fc.assert(
    fc.property(turns, (steps) => {
      const cells: (number | null)[] = Array.from({ length: 24 }, (_, at) => at % 3);
      const blocks: RowBlock[] = Array.from({ length: 6 }, (_, player) => blockOf(player, cells));
      let state: DatasetState = [];
      for (const { values, renewed } of [{ values: [], renewed: [] }, ...steps]) {
        for (const [at, value] of values) cells[at] = value;
        const players = new Set([...renewed, ...values.map(([at]) => Math.floor(at / 4))]);
        for (const player of players) blocks[player] = blockOf(player, cells);
        const before = state;
        const wanted = blocks.flat();
        // A list of its own, as the code that makes states has.
        state = reuseRows(playerStats, [...blocks], before);
        assert.deepEqual(
          state.map(({ row }) => row),
          wanted,
        );
        const heldBefore = new Map(before.map((held) => [held.line, held]));
        for (const held of state) {
          assert.equal(held.line, canonicalLine(playerStats.columns, held.row));
          assert.ok(!heldBefore.has(held.line) || heldBefore.get(held.line) === held, held.line);
        }
        if (state.length === before.length && state.every(({ line }) => heldBefore.has(line)))
          assert.equal(state, before);
        assert.ok(
          blocks.flat().every((row, at) => row === state[at]?.row),
          'the blocks hold the rows of the state',
        );
      }
    }),
    { numRuns: cases(500) },
  );
});

it('does not compare the rows of a block that it was made of', () => {
  const cells = Array.from({ length: 24 }, (_, at) => at % 3);
  const blocks = Array.from({ length: 6 }, (_, player) => blockOf(player, cells));
  const before = reuseRows(playerStats, blocks, []);
  const unseen = new Set<RowBlock>(blocks.filter((_, player) => player !== 2));
  for (const block of unseen) Object.defineProperty(block, 0, { get: () => assert.fail('a block was looked into') });
  cells[9] = 7;
  const after = reuseRows(playerStats, blocks.with(2, blockOf(2, cells)), before);
  assert.deepEqual(
    after.flatMap((held, at) => (held === before[at] ? [] : [held.row.value])),
    [7],
  );
});

function blockOf(player: number, cells: readonly (number | null)[]): RowBlock {
  return cells.slice(4 * player, 4 * player + 4).flatMap((value, stat) => {
    if (value === null) return [];
    return [{ game_id: 'g', league: 'NBA', player_id: `p${player}`, team_id: null, stat: `s${stat}`, value }];
  });
}
