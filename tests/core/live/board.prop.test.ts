// Claim: a record or tick reports exactly the boards that differ from before it, and a board carries the watermark of the
// last record or tick after which it differed. A violation would need the bookkeeping of missing counts and staleness to
// disagree with the boards themselves: each is compared row by row, before and after every single record.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import { quoteState, staleFrom } from '../../../core/live/quote-state.ts';
import type { BoardRow } from '../../../core/live/types.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { histories } from '../../support/arbitraries/live.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

it('reports a board as changed exactly when it differs', () => {
  fc.assert(
    fc.property(histories, (records) => {
      const log = new LiveLog();
      const through = new Map<string, number | null>();
      for (const record of records) {
        const before = shown(log);
        const { boardsChanged } = log.apply(record);
        const after = shown(log);
        const differing = Object.keys(after).filter((operator) => after[operator] !== before[operator]);
        assert.deepEqual([...boardsChanged], differing);
        const facts = liveFacts(log.game);
        for (const operator of boardsChanged) through.set(operator, facts.operators[operator]!.observed_through);
        for (const [operator, rows] of Object.entries(log.boards())) {
          for (const row of rows) assert.equal(row.operator_observed_through, through.get(operator));
        }
      }
    }),
    { numRuns: cases(1_000) },
  );
});

it('has one row per selection that is not withdrawn, its newest, by selection', () => {
  fc.assert(
    fc.property(histories, (records) => {
      const log = new LiveLog().applyAll(records);
      for (const operator of operatorsWithRows(log.game)) {
        const newest = new Map(
          log.rows.filter((row) => row.operator === operator.code).map((row) => [row.selection_id, row]),
        );
        const expected = [...newest.values()]
          .filter((row) => row.change !== 'withdrawn')
          .sort((a, b) => Buffer.compare(Buffer.from(a.selection_id), Buffer.from(b.selection_id)));
        const board = boardRows(log.game, operator.code);
        assert.deepEqual(board.map(plain), expected);
        const start = operator.owner?.start ?? liveFacts(log.game).scheduledStart;
        const stale = log.game.logTime! >= staleFrom(operator.watermark!, start, operator.inPlay);
        const states = operator.live.map(({ missing }) => quoteState(missing, stale));
        assert.deepEqual(
          board.map((row) => row.quote_state),
          states,
        );
      }
    }),
    { numRuns: cases(500) },
  );
});

/** Each board as its readers compare it: every column but the time of its last change. */
function shown(log: LiveLog): Record<string, string> {
  const boards = Object.entries(log.boards());
  return Object.fromEntries(boards.map(([operator, rows]) => [operator, JSON.stringify(rows.map(withoutThrough))]));
}

function withoutThrough(row: BoardRow) {
  return { ...row, operator_observed_through: null };
}

function plain({ last_changed_at: _, operator_observed_through: __, quote_state: ___, ...row }: BoardRow) {
  return row;
}
