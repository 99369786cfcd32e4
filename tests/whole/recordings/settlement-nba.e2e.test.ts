// The recorded games of the NBA, settled in both editions on MSF's bodies alone: each comes in the schedule, grows play by play, and ends.
// The timelines are worked out here from the plays of each body, and end on the final scores of the season's schedule.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'vitest';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { gatewayClient } from '../../../ops/replay/gateway-client.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { at, type Value } from '../../oracle/msf-values.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { settledFinals } from '../../support/editions/final-downloads.ts';
import { pushMsf } from '../../support/editions/msf-client.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { DuckDb, type PlainRow } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { msfRecordingsAbsent } from '../../support/recordings/msf-recordings.ts';
import { season, seasonScore } from '../../support/recordings/msf-season.ts';
import { type Body, grownBodies, type RecordedGame, recordedGames } from '../../support/recordings/played-back.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const playsAtATime = 60;
const betweenBodies: Micros = 15 * microsPerMinute;

for (const [name, skip, prepare] of sampledEditions()) {
  it(
    `the recorded games of the NBA settle on their final scores: ${name}`,
    skipFor(msfRecordingsAbsent || outOfTurn() || skip),
    async () => {
      const folder = makeDataFolder('nba');
      const own = await prepare();
      const edition = await startEdition({ ...own, flushEveryMs: name === 'embedded' ? 0 : 150 });
      const duckDb = await DuckDb.open();
      try {
        const games = recordedGames().filter(({ league }) => league === 'NBA');
        assert.equal(games.length, 13);
        const key = await edition.feedKey(['push', 'msf', 'backfill']);
        for (const game of games) await pushGame(edition, key, game);
        await everythingFolded(edition);
        const gateway = gatewayClient({ url: edition.ingestUrl, key, source: 'msf' }, systemClock);
        const ends = games.map((game) => bodiesOf(game).at(-1)?.at ?? 0);
        await gateway.tick(formatMicros(Math.max(...ends) + 10 * microsPerMinute));
        await everythingFolded(edition);
        const ids = games.map(({ gameId }) => gameId);
        const finals = await settledFinals(edition, ids, folder);
        for (const game of games) {
          // Without quotes, no other dataset can be made.
          const landed = [...(finals.get(game.gameId) ?? [])].filter(([, final]) => final !== null);
          assert.deepEqual(
            landed.map(([dataset, final]) => [dataset, final?.version]),
            [['game-state-timeline', 1]],
            game.name,
          );
          checkTimeline(await duckDb.rows(landed[0]?.[1]?.path ?? ''), game);
        }
      } finally {
        duckDb.close();
        await edition.stop();
        await own.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

/** A play-by-play body, and when it was observed. */
type TimedBody = { at: Micros; body: Body };

/** The bodies of a growing game, from its start to the complete one. */
function bodiesOf(game: RecordedGame): TimedBody[] {
  const start = parseRfc3339(game.whole.game.startTime) ?? 0;
  return [...grownBodies(game, playsAtATime), game.whole].map((body, index) => ({
    at: start + (index + 1) * betweenBodies,
    body,
  }));
}

async function pushGame(edition: Edition, key: string, game: RecordedGame): Promise<void> {
  const target = { league: 'NBA', season: '2017-2018-regular' };
  const push = (feed: string, time: Micros, body: object) => {
    const text = formatMicros(time);
    const named = feed === 'playbyplay' ? { game: game.msfGameId } : {};
    const headers = { 'x-observed-at': text, 'x-request-started-at': text };
    return pushMsf(edition, key, { ...target, feed, ...named }, { ...body, lastUpdatedOn: text }, headers);
  };
  const entry = season().games.find(({ schedule }) => schedule.id === game.msfGameId) ?? assert.fail(game.name);
  const schedule = { ...entry.schedule, playedStatus: 'UNPLAYED' };
  await push('games', scheduledAt(game), { games: [{ schedule, score: {} }] });
  for (const { at: time, body } of bodiesOf(game)) await push('playbyplay', time, body);
}

function scheduledAt({ whole }: RecordedGame): Micros {
  return (parseRfc3339(whole.game.startTime) ?? 0) - 60 * microsPerMinute;
}

function checkTimeline(rows: readonly PlainRow[], game: RecordedGame): void {
  const unplayed = {
    period: null,
    period_type: null,
    clock_seconds_remaining: null,
    away_score: null,
    home_score: null,
  };
  const expected = [
    { timestamp: scheduledAt(game), status: 'SCHEDULED', ...unplayed },
    ...bodiesOf(game).map(({ at: timestamp, body }) => ({ timestamp, ...stateOf(body) })),
  ];
  assertSameRows(
    rows.map(({ game_id: _, league, possession_team_id, situation, stream_epoch, ...row }) => row),
    expected.map((state, index) => ({ sequence: index + 1, revision: index + 1, ...state })),
  );
  assert.deepEqual([...new Set(rows.map(({ game_id, league }) => `${league} ${game_id}`))], [`NBA ${game.gameId}`]);
  assert.equal(new Set(rows.map(({ stream_epoch: epoch }) => epoch)).size, 1);
  assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['SCHEDULED', 'STARTED', 'COMPLETED']);
  assert.ok(
    rows.every(({ timestamp }, index) => index === 0 || Number(timestamp) > Number(rows[index - 1]?.timestamp)),
  );
  const last = rows.at(-1);
  assert.deepEqual([last?.away_score, last?.home_score], seasonScore(game.msfGameId), game.name);
}

/** The state that follows from the plays: points are successful field goals and free throws. */
function stateOf({ game, plays }: Body) {
  const points = (play: Value): number => {
    if (at(play, 'fieldGoalAttempt', 'result') === 'SCORED') return Number(at(play, 'fieldGoalAttempt', 'points'));
    return at(play, 'freeThrowAttempt', 'result') === 'SCORED' ? 1 : 0;
  };
  const scoreOf = (team: number) =>
    plays
      .filter((play) =>
        [at(play, 'fieldGoalAttempt', 'team', 'id'), at(play, 'freeThrowAttempt', 'team', 'id')].includes(team),
      )
      .reduce((sum, play) => sum + points(play), 0);
  const { quarter, secondsElapsed } = plays.at(-1)?.playStatus ?? assert.fail('no play');
  const isLive = at(game, 'playedStatus') === 'LIVE';
  return {
    status: isLive ? 'STARTED' : 'COMPLETED',
    period: isLive ? quarter : null,
    period_type: isLive ? (quarter > 4 ? 'overtime' : 'quarter') : null,
    clock_seconds_remaining: isLive ? (quarter > 4 ? 300 : 720) - secondsElapsed : null,
    away_score: scoreOf(game.awayTeam.id),
    home_score: scoreOf(game.homeTeam.id),
  };
}
