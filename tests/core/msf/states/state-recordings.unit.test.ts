// States of recorded bodies against what else is known of those games: the plays of a game sum up to its final score.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { referenceDirectory } from '../../../../core/games/teams.ts';
import { type JsonObject, memberOf } from '../../../../core/json/value.ts';
import { playerUuid, teamUuid } from '../../../../core/msf/ids.ts';
import { type FeedContent, readFeed } from '../../../../core/msf/states/feed-content.ts';
import { type AppliedFeeds, gameStateRow } from '../../../../core/msf/states/game-state.ts';
import { stateOf } from '../../../../core/msf/states/state.ts';
import type { MsfFeed, Scope } from '../../../../core/msf/types.ts';
import { listOf, objectOf, valueAt } from '../../../../core/msf/values.ts';
import type { GameStateRow } from '../../../../schemas/datasets/game-state.ts';
import type { PlayerStatsRow } from '../../../../schemas/datasets/player-stats.ts';
import type { PlaysRow } from '../../../../schemas/datasets/plays.ts';
import type { TeamStatsRow } from '../../../../schemas/datasets/team-stats.ts';
import { splitBody } from '../../../support/builders/in-one-go.ts';
import { type MsfRecording, msfRecordings, msfRecordingsAbsent } from '../../../support/recordings/msf-recordings.ts';
import { skipFor } from '../../../support/vitest/skip-for.ts';

const teams = referenceDirectory();

/** The part of a recording about one game. */
type Read = { gameId: number; scope: Scope; feeds: AppliedFeeds; content: FeedContent; element: JsonObject };

function readAll({ league, feed, body }: MsfRecording): readonly Read[] {
  const { observations, refusals } = splitBody({ league, feed, game: null, body });
  assert.deepEqual(refusals, []);
  return observations.map(({ msfGameId, element }) => {
    assert.ok(msfGameId !== null);
    const scope: Scope = { kind: 'game', uuid: 'u', id: `${league}/${msfGameId}`, league };
    const content = readFeed(feed, scope, msfGameId, element);
    const feeds = new Map([[feed, { feed, content, contentSince: 0 }]]);
    return { gameId: msfGameId, scope, feeds, content, element };
  });
}

function recorded(feed: MsfFeed, part: string): readonly MsfRecording[] {
  const found = msfRecordings().filter((each) => each.feed === feed && each.name.includes(part));
  if (msfRecordingsAbsent === false) assert.ok(found.length > 0);
  return found;
}

function rowOf({ scope, feeds }: Read): GameStateRow {
  const row = gameStateRow(scope, feeds);
  assert.ok(row !== null);
  return row;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function scoreOf(row: GameStateRow) {
  const { away_team_id, home_team_id, away_score, home_score, away_period_scores, home_period_scores } = row;
  return { away_team_id, home_team_id, away_score, home_score, away_period_scores, home_period_scores };
}

/** The score as the sum of the rows of plays, as a client computes it. */
function summed({ scope, feeds }: Read, row: GameStateRow) {
  const plays = stateOf('plays', scope, feeds, []).map((each) => each.row as PlaysRow);
  const of = (teamId: string) => sum(plays.filter((play) => play.team_id === teamId).map((play) => play.points ?? 0));
  return [of(row.away_team_id), of(row.home_team_id)];
}

describe('recorded games of the NBA', skipFor(msfRecordingsAbsent), () => {
  const schedule = recorded('games', 'nba-2017').flatMap(readAll);
  const finals = new Map(schedule.map((read) => [read.gameId, rowOf(read)]));

  it('are a season of 1,230 finished games', () => {
    assert.equal(finals.size, 1_230);
    for (const row of finals.values()) {
      assert.deepEqual([row.played_status, row.schedule_status], ['COMPLETED', 'NORMAL']);
      assert.ok(row.home_period_scores.length >= 4 && row.home_period_scores.length === row.away_period_scores.length);
      assert.ok(teams.ofId(row.home_team_id) !== null && teams.ofId(row.away_team_id) !== null);
      assert.deepEqual([row.period, row.clock_seconds_remaining, row.situation], [null, null, null]);
    }
  });

  it('have the periods of the source: four of the games list the last overtime twice', () => {
    const off = [...finals.values()].filter((row) => sum(row.home_period_scores) !== row.home_score);
    assert.equal(off.length, 4);
    for (const row of off) {
      assert.equal(row.home_period_scores.at(-1), row.home_period_scores.at(-2));
      assert.equal(sum(row.home_period_scores.slice(0, -1)), row.home_score);
      assert.equal(sum(row.away_period_scores.slice(0, -1)), row.away_score);
    }
  });

  for (const recording of recorded('playbyplay', 'nba-2017')) {
    it(`${recording.name}: points sum up to the final score of the schedule`, () => {
      const [read, ...others] = readAll(recording);
      assert.ok(read !== undefined && others.length === 0);
      const final = finals.get(read.gameId)!;
      assert.deepEqual(scoreOf(rowOf(read)), scoreOf(final));
      assert.deepEqual(summed(read, final), [final.away_score, final.home_score]);
      assert.equal(read.content.plays.length, listOf(memberOf(read.element, 'plays')).length);
      assert.equal(new Set(read.content.plays.map((play) => play.sequence)).size, read.content.plays.length);
    });
  }

  it('have the statistics of their teams, number by number', () => {
    const logs = recorded('team_gamelogs', 'nba-2017').flatMap(readAll);
    assert.equal(logs.length, 13);
    for (const read of logs) {
      const rows = stateOf('team-stats', read.scope, read.feeds, []).map((each) => each.row as TeamStatsRow);
      const final = finals.get(read.gameId)!;
      const points = (teamId: string) =>
        rows.find((row) => row.team_id === teamId && row.stat === 'offense.pts')?.value;
      assert.equal(points(final.home_team_id), (final.home_score ?? 0) * 10_000);
      assert.equal(points(final.away_team_id), (final.away_score ?? 0) * 10_000);
      const numbers = listOf(memberOf(read.element, 'gamelogs')).map((log) =>
        countNumbers(objectOf(valueAt(log, 'stats'))),
      );
      assert.equal(rows.length, sum(numbers));
    }
  });
});

function countNumbers(value: JsonObject | null): number {
  if (value === null) return 0;
  return sum(Object.values(value).map((each) => (typeof each === 'number' ? 1 : countNumbers(objectOf(each)))));
}

describe('the recorded game of the NFL', skipFor(msfRecordingsAbsent), () => {
  it('is BAL at KC, 20 to 27', () => {
    const [read] = recorded('playbyplay', 'BAL-KC').flatMap(readAll);
    const row = rowOf(read!);
    assert.deepEqual(scoreOf(row), {
      away_team_id: teamUuid('NFL', 'BAL', 56),
      home_team_id: teamUuid('NFL', 'KC', 73),
      away_score: 20,
      home_score: 27,
      away_period_scores: [7, 3, 0, 10],
      home_period_scores: [7, 6, 7, 7],
    });
    assert.deepEqual(summed(read!, row), [20, 27]);
  });
});

describe('recorded excerpts', skipFor(msfRecordingsAbsent), () => {
  it('of a box score of the NFL', () => {
    const [read] = recorded('boxscore', 'excerpts').flatMap(readAll);
    const row = rowOf(read!);
    assert.deepEqual([row.away_score, row.home_score], [10, 13]);
    assert.deepEqual(
      [row.away_period_scores, row.home_period_scores],
      [
        [0, 7, 3, 0],
        [0, 0, 3, 10],
      ],
    );
    assert.deepEqual(
      [row.attendance, row.venue_name, row.ended_time, row.situation],
      [68_744, 'Lumen Field', null, null],
    );

    const players = stateOf('player-stats', read!.scope, read!.feeds, []).map((each) => each.row as PlayerStatsRow);
    const of = (id: number, stat: string) =>
      players.find((each) => each.player_id === playerUuid('NFL', id) && each.stat === stat);
    assert.equal(of(16786, 'receiving.recAverage')?.value, 87_000);
    assert.equal(of(16786, 'receiving.recAverage')?.team_id, teamUuid('NFL', 'NE', 50));
    // A zero that means "unknown" is kept.
    assert.equal(of(16786, 'snapCounts.offenseSnaps')?.value, 0);
    assert.equal(of(112203, 'rushing.rushAverage')?.value, 15_000);

    const teamRows = stateOf('team-stats', read!.scope, read!.feeds, []).map((each) => each.row as TeamStatsRow);
    assert.equal(teamRows.find((each) => each.stat === 'passing.qbRating')?.value, 1_097_000);
  });

  it('of games of the NHL', () => {
    const reads = recorded('games', 'excerpts').flatMap(readAll);
    const rows = reads.map(rowOf);
    assert.deepEqual(
      rows.map((row) => [row.msf_game_id, row.away_period_scores, row.home_period_scores, row.situation]),
      [
        [78209, [2, 1, 2], [0, 2, 0], '{"awayShotsTotal":25,"homeShotsTotal":33}'],
        [78212, [1, 2, 1, 0], [1, 1, 2, 1], '{"awayShotsTotal":48,"homeShotsTotal":27}'],
      ],
    );
    assert.deepEqual(
      rows.map((row) => [row.away_score, row.home_score]),
      [
        [5, 2],
        [4, 5],
      ],
    );
  });
});
