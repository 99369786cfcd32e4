// Every case of tests/vectors/settlement that is of the forms `log` and `timeline`: when a game closes, when play began, which rows
// close and open, who begins, and what the timeline shows. The oracle runs them too, so that it has read the page as the vectors mean it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Timeline } from '../../../core/settlement/timeline.ts';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import { gameStateTimeline } from '../../../schemas/datasets/game-state-timeline.ts';
import { oracleClose } from '../../oracle/settlement-log.ts';
import { closedLog, inNormalForm, type LogGiven, shown } from '../../support/folds/closed-log.ts';
import { FoldedLog } from '../../support/folds/folded-log.ts';
import { timeOf } from '../../support/folds/settlement-log.ts';
import {
  assertCase,
  closingColumns,
  firstDifference,
  settlementVectors,
  timelineColumns,
} from '../../support/vectors/settlement-vectors.ts';

type Case<Given, Then> = { name: string; why: string; given: Given; then: Then };
type LogThen = { columns?: readonly string[]; rows?: readonly (readonly unknown[])[] };
type TimelineGiven = { revisions: readonly (readonly [number, string, Partial<GameStateRow> | null])[] };

/** In this case two sources cover one operator at once, of which the fold applies one. */
const unfoldable = new Set(['last-by-log-order']);

describe('logs of the settlement vectors', () => {
  for (const file of ['close', 'start-of-play', 'closing-rows']) {
    for (const vector of settlementVectors<Case<LogGiven, LogThen>>(file)) {
      it(`${vector.name}: ${vector.why}`, () => {
        const { columns = closingColumns, rows, ...more } = vector.then;
        const expected = rows === undefined ? more : { ...more, rows: inNormalForm(closingLines, columns, rows) };
        assertCase(vector, expected, closedLog(vector.given, columns));
        if (!unfoldable.has(vector.name)) {
          const folded = closedLog(vector.given, columns, new FoldedLog());
          assertCase({ ...vector, name: `${vector.name}, by the live fold` }, expected, folded);
        }
        const { lines, ...asOracle } = oracleClose(vector.given);
        const oracleRows = lines.map((line) => columns.map((name) => line[name]));
        assertCase({ ...vector, name: `${vector.name}, by the oracle` }, expected, { ...asOracle, rows: oracleRows });
      });
    }
  }
});

describe('timelines of the settlement vectors', () => {
  for (const vector of settlementVectors<Case<TimelineGiven, object>>('timeline')) {
    it(`${vector.name}: ${vector.why}`, () => {
      const timeline = new Timeline({ gameId: 'G', league: 'NBA' });
      for (const [revision, at, row] of vector.given.revisions) {
        timeline.add({ epoch: 'E', revision, sourceUpdatedAt: timeOf(at), row: row && { ...emptyState, ...row } });
      }
      const rows = timeline.rows.map((row) => timelineColumns.map((name) => shown(gameStateTimeline, row, name)));
      assertCase(vector, vector.then, { rows });
    });
  }
});

it('a difference is shown where it is', () => {
  assert.equal(firstDifference([1, [2, 'x']], [1, [2, 'y']], 'rows'), 'rows[1][1]: expected "x", found "y"');
  assert.equal(firstDifference([1], [1, 2], 'rows'), 'rows[1]: expected undefined, found 2');
  assert.equal(firstDifference([], [], 'rows'), null);
  assert.throws(() => assertCase({ name: 'n', why: 'w' }, { t0: 1 }, {}), /n\nw\nt0: expected 1, found undefined/);
});

const emptyState: GameStateRow = {
  game_id: 'G',
  league: 'NBA',
  msf_game_id: 1,
  start_time: 0,
  original_start_time: null,
  ended_time: null,
  schedule_status: 'NORMAL',
  delayed_or_postponed_reason: null,
  played_status: 'UNPLAYED',
  period: null,
  period_type: null,
  intermission: null,
  clock_seconds_remaining: null,
  possession_team_id: null,
  home_team_id: 'H',
  away_team_id: 'A',
  home_score: null,
  away_score: null,
  home_period_scores: [],
  away_period_scores: [],
  venue_id: null,
  venue_name: null,
  venue_allegiance: null,
  attendance: null,
  situation: null,
};
