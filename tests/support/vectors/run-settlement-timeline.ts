// Runs a case of form `timeline` through a whole service: each revision is the MSF schedule at that time, and the file
// is read over HTTP.
import assert from 'node:assert/strict';
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import { gameStateTimeline } from '../../../schemas/datasets/game-state-timeline.ts';
import { finalOf } from '../editions/final-of-api.ts';
import { later, type SettlementStage } from '../editions/settlement-stage.ts';
import { gameObject, lineupOf } from '../editions/staged-bodies.ts';
import type { StagedGame } from '../editions/staged-game.ts';
import { shown } from '../folds/closed-log.ts';
import { timelineColumns } from './settlement-vectors.ts';

export type TimelineCase = {
  name: string;
  why: string;
  given: { revisions: readonly (readonly [revision: number, updatedAt: string, row: Partial<GameStateRow> | null])[] };
  then: { rows: readonly (readonly unknown[])[] };
};

export const timelineStart = '2026-01-10T19:00:00.000000Z';

/** Plays the case on a game of its own without quotes; rejects with the first difference. */
export async function runTimelineCase(
  stage: SettlementStage,
  game: StagedGame,
  { given, then }: TimelineCase,
): Promise<void> {
  // The line-up names the game, so that a schedule without a name can belong to it.
  await stage.pushMsf(game, 'lineup', lineupOf(game, {}), later(game.start, -86_400_000_000));
  for (const [revision, updatedAt, row] of given.revisions) {
    const games = row === null ? [] : [{ schedule: scheduleOf(game, row), score: scoreOf(row) }];
    // Requested after everything is pushed, because stamps in the future are not accepted.
    const asked = later(game.start, 86_400_000_000 + revision);
    const { revisions } = await stage.pushMsf(game, 'games', { games }, asked, updatedAt);
    const cut = revisions.filter(({ dataset }) => dataset === 'game-state').map((each) => each.revision);
    assert.deepEqual(cut, [revision], 'the revision that is cut');
  }
  await stage.settle(game);
  await stage.built(game);
  const final = await finalOf(stage.edition, game.id, 'game-state-timeline');
  const rows = (final?.rows ?? []).map((row) => timelineColumns.map((name) => shown(gameStateTimeline, row, name)));
  assert.deepEqual(rows, then.rows);
}

function scheduleOf(game: StagedGame, { played_status, schedule_status, attendance = null }: Partial<GameStateRow>) {
  return gameObject(game, { playedStatus: played_status, scheduleStatus: schedule_status, attendance });
}

function scoreOf({ period, clock_seconds_remaining, home_score, away_score, situation }: Partial<GameStateRow>) {
  return {
    currentQuarter: period ?? null,
    currentQuarterSecondsRemaining: clock_seconds_remaining ?? null,
    homeScoreTotal: home_score ?? null,
    awayScoreTotal: away_score ?? null,
    ...(situation == null ? {} : (JSON.parse(situation) as object)),
  };
}
