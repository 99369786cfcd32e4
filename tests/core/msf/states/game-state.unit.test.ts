// Which feed is heard for which column of game-state, and what a game object says (docs/revisions.md#feeds-and-datasets;
// docs/revisions.md#game-state, statuses).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { teamUuid, venueUuid } from '../../../../core/msf/ids.ts';
import { gameFacts, gameStateRow } from '../../../../core/msf/states/game-state.ts';
import type { MsfFeed } from '../../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../../core/time/rfc3339.ts';
import type { GameStateRow } from '../../../../schemas/datasets/game-state.ts';
import { gameObject } from '../../../support/builders/msf-bodies.ts';
import {
  boxscore,
  completed,
  type FeedContentAt,
  feedsOf,
  games,
  live,
  playbyplay,
  rowOf,
  scopeOf,
  throwAt,
} from '../../../support/builders/msf-game-states.ts';

const bos = teamUuid('NBA', 'BOS', 501);
const cle = teamUuid('NBA', 'CLE', 502);

describe('game-state from the game object', () => {
  it('has its columns', () => {
    const row = rowOf([
      [
        'games',
        games({
          endedTime: '2026-01-10T03:00:00.1234567+01:00',
          originalStartTime: '2026-01-09T00:00:00Z',
          delayedOrPostponedReason: 'snow',
          venueAllegiance: 'NEUTRAL',
          attendance: 20_000,
          scheduleStatus: 'WHO KNOWS',
          playedStatus: 'Whatever it says',
        }),
      ],
    ]);
    assert.deepEqual(row, {
      game_id: 'NBA_X',
      league: 'NBA',
      msf_game_id: 900001,
      start_time: parseRfc3339('2026-01-10T00:30:00Z'),
      original_start_time: parseRfc3339('2026-01-09T00:00:00Z'),
      ended_time: parseRfc3339('2026-01-10T02:00:00.123456Z'),
      schedule_status: 'WHO KNOWS',
      delayed_or_postponed_reason: 'snow',
      played_status: 'Whatever it says',
      period: null,
      period_type: null,
      intermission: null,
      clock_seconds_remaining: null,
      possession_team_id: null,
      home_team_id: cle,
      away_team_id: bos,
      home_score: null,
      away_score: null,
      home_period_scores: [],
      away_period_scores: [],
      venue_id: venueUuid('NBA', 31),
      venue_name: 'Small Hall',
      venue_allegiance: 'NEUTRAL',
      attendance: 20_000,
      situation: null,
    });
  });

  it('is null where a value does not fit its column', () => {
    const row = rowOf([
      [
        'boxscore',
        boxscore({ endedTime: '2026-01-10 03:00', attendance: 1.5, venue: { id: 'x', name: 7 }, venueAllegiance: {} }),
      ],
    ]);
    assert.deepEqual(
      [row.ended_time, row.attendance, row.venue_id, row.venue_name, row.venue_allegiance],
      [null, null, null, null, null],
    );
  });

  it('has no row while no feed names the game', () => {
    const table: readonly FeedContentAt[] = [
      ['games', { games: [] }],
      ['player_gamelogs', { gamelogs: [] }],
      ['lineup', { game: gameObject(), teamLineups: [] }],
      ['injuries', { players: [] }],
    ];
    assert.equal(gameStateRow(scopeOf('NBA'), feedsOf(table)), null);
    assert.deepEqual(gameFacts(feedsOf(table)), {
      playedStatus: null,
      scheduleStatus: null,
      startTime: null,
      startFromSchedule: false,
    });
  });
});

describe('the statuses of game-state', () => {
  const statuses = (said: readonly FeedContentAt[]) => {
    const facts = gameFacts(feedsOf(said));
    const row = rowOf(said);
    assert.deepEqual([row.played_status, row.schedule_status], [facts.playedStatus, facts.scheduleStatus]);
    return [facts.playedStatus, facts.scheduleStatus];
  };
  const a = { playedStatus: 'UNPLAYED', scheduleStatus: 'NORMAL' };
  const b = { playedStatus: 'LIVE', scheduleStatus: 'DELAYED' };

  it('are both of the feed with the newest request, whichever it is', () => {
    for (const newest of ['games', 'boxscore', 'playbyplay'] as const) {
      const observed = (feed: MsfFeed, element: (status: JsonObject) => JsonObject): FeedContentAt => {
        return feed === newest ? [feed, element(b), 10] : [feed, element(a), 9];
      };
      const said = [
        observed('games', games),
        observed('boxscore', boxscore),
        observed('playbyplay', (status) => playbyplay(status, [])),
      ];
      assert.deepEqual(statuses(said), ['LIVE', 'DELAYED'], newest);
    }
  });

  it('are of games, boxscore, playbyplay in that order if they were requested at the same time', () => {
    const [fromGames, fromBoxscore] = [games(a), boxscore(b)];
    assert.deepEqual(
      statuses([
        ['boxscore', fromBoxscore, 5],
        ['games', fromGames, 5],
      ]),
      ['UNPLAYED', 'NORMAL'],
    );
    assert.deepEqual(
      statuses([
        ['playbyplay', playbyplay(a, []), 5],
        ['boxscore', fromBoxscore, 5],
      ]),
      ['LIVE', 'DELAYED'],
    );
  });

  it('are not of a feed that names no game', () => {
    assert.deepEqual(
      statuses([
        ['boxscore', boxscore(b), 5],
        ['games', { games: [] }, 9],
      ]),
      ['LIVE', 'DELAYED'],
    );
  });
});

describe('the start of a game', () => {
  const early = parseRfc3339('2026-01-10T00:30:00Z');
  const late = { startTime: '2026-01-11T00:00:00Z' };

  it('is the schedule’s where the schedule has it, whichever feed is newest', () => {
    const facts = gameFacts(
      feedsOf([
        ['boxscore', boxscore(late), 9],
        ['games', games({}), 1],
      ]),
    );
    assert.deepEqual([facts.startTime, facts.startFromSchedule], [early, true]);
  });
  it('is else that of the first feed that has it', () => {
    const facts = gameFacts(
      feedsOf([
        ['playbyplay', playbyplay(late, []), 9],
        ['boxscore', boxscore({}), 1],
      ]),
    );
    assert.deepEqual([facts.startTime, facts.startFromSchedule], [early, false]);
  });
});

describe('the feed that counts', () => {
  const score = (total: number) => ({
    homeScoreTotal: total,
    awayScoreTotal: total,
    currentQuarter: total,
    currentIntermission: total,
  });
  const said = (status: JsonObject): readonly [FeedContentAt, FeedContentAt, FeedContentAt] => [
    ['games', games({ ...status, attendance: 100 }, score(1))],
    ['boxscore', boxscore({ ...status, attendance: 200 }, score(2))],
    ['playbyplay', playbyplay({ ...status, attendance: 300 }, [throwAt(3, 0)])],
  ];
  const factsOf = ({ home_score, away_score, period, intermission, attendance }: GameStateRow) => {
    return [home_score, away_score, period, intermission, attendance];
  };

  it('while LIVE: the boxscore, then plays, then games; all else from games first', () => {
    const [g, b, p] = said(live);
    assert.deepEqual(factsOf(rowOf([g, b, p])), [2, 2, 2, 2, 100]);
    assert.deepEqual(factsOf(rowOf([g, p])), [0, 1, 3, 1, 100]);
    assert.deepEqual(factsOf(rowOf([b, p])), [2, 2, 2, 2, 200]);
    assert.deepEqual(factsOf(rowOf([g])), [1, 1, 1, 1, 100]);
  });

  it('else: games, then the boxscore, then plays', () => {
    for (const playedStatus of ['COMPLETED', 'COMPLETED_PENDING_REVIEW', 'UNPLAYED', 'live']) {
      const [g, b, p] = said({ playedStatus });
      assert.deepEqual(factsOf(rowOf([g, b, p])), [1, 1, 1, 1, 100]);
      assert.deepEqual(factsOf(rowOf([b, p])), [2, 2, 2, 2, 200]);
      assert.deepEqual(factsOf(rowOf([p])), [0, 1, null, null, 300]);
    }
  });

  it('follows the resulting status, whatever a feed’s own status is', () => {
    const scoreWhen = (askedOfGames: number, askedOfBoxscore: number) => {
      const said: FeedContentAt[] = [
        ['games', games(completed, score(1)), askedOfGames],
        ['boxscore', boxscore(live, score(2)), askedOfBoxscore],
      ];
      return rowOf(said).home_score;
    };
    assert.equal(scoreWhen(5, 6), 2);
    assert.equal(scoreWhen(6, 5), 1);
  });

  it('is chosen column by column; an empty list is no value', () => {
    const quarters = [{ quarterNumber: 1, awayScore: 4, homeScore: 5 }];
    const row = rowOf([
      ['games', games({ ...completed, venue: { id: 31 } }, { homeScoreTotal: 9, quarters: [] })],
      [
        'boxscore',
        boxscore({ ...completed, venue: { name: 'Large Hall' } }, { homeScoreTotal: 8, awayScoreTotal: 7, quarters }),
      ],
    ]);
    assert.deepEqual([row.venue_id, row.venue_name], [venueUuid('NBA', 31), 'Large Hall']);
    assert.deepEqual([row.home_score, row.away_score], [9, 7]);
    assert.deepEqual([row.home_period_scores, row.away_period_scores], [[5], [4]]);
  });

  it('leaves a score that is missing out of its own list alone', () => {
    const innings = [
      { inningNumber: 2, awayScore: 3, homeScore: null },
      { inningNumber: 1, awayScore: 0, homeScore: 4 },
      { inningNumber: null, awayScore: 9, homeScore: 9 },
    ];
    const row = rowOf([['boxscore', boxscore(completed, { homeScoreTotal: 4, awayScoreTotal: 3, innings })]], 'MLB');
    assert.deepEqual([row.home_period_scores, row.away_period_scores], [[4], [0, 3]]);
  });
});
