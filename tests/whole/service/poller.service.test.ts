// The poller in a whole service: what the source answers becomes games and revisions as if it had been pushed, with the start of the request;
// without a key it is off, which is said once.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Fields, Log } from '../../../core/ports/telemetry.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { microsPerHour, microsPerSecond } from '../../../core/units.ts';
import { startPolling } from '../../../ops/service/polling.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { openMsfServer } from '../../support/fakes/msf-server.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Snapshot = {
  revision: number;
  source_observation: { request_started_at: string; timestamp_basis: string; source_played_status: string | null };
  freshness: { latest_request_started_at: string | null };
};

function body(content: object): { status: number; body: string; gzip: boolean } {
  const lastUpdatedOn = new Date(Date.now() - 2_000).toISOString();
  return { status: 200, body: JSON.stringify({ lastUpdatedOn, ...content, references: null }), gzip: true };
}

for (const [name, skip, prepare] of sampledEditions()) {
  it(`what is polled is served: ${name}`, skipFor(skip), async () => {
    await using source = await openMsfServer();
    const startTime = new Date(Date.now() - 3_600_000).toISOString();
    const [awayTeam, homeTeam] = [
      { id: 501, abbreviation: 'BOS' },
      { id: 502, abbreviation: 'CLE' },
    ];
    const game = { id: 42, startTime, awayTeam, homeTeam, scheduleStatus: 'NORMAL', playedStatus: 'LIVE' };
    const play = { description: 'Jump Ball', jumpBall: {}, playStatus: { quarter: 1, secondsElapsed: 0 } };
    source.answer('nba/current/latest_updates.json', body({ feedUpdates: [] }));
    source.answer('nba/current/games.json', body({ games: [{ schedule: game, score: {} }] }));
    source.answer('nba/current/games/42/playbyplay.json', body({ game, plays: [play] }));
    const own = await prepare();
    const from = wallClockNow();
    const settings = { SDS_MSF_API_KEY: 'key-of-the-test', SDS_MSF_BASE_URL: source.baseUrl };
    const edition = await startEdition({ ...own, environment: { ...own.environment, ...settings } });
    try {
      let snapshot: Snapshot | null = null;
      await until('the game is served', async () => {
        const { data } = (await getJson(edition, '/v1/games?league=NBA')) as { data: { id: string; status: string }[] };
        snapshot = (await getJson(edition, `/v1/games/${data[0]?.id}/plays/snapshot`)) as Snapshot;
        return data.length === 1 && data[0]?.status === 'STARTED';
      });
      const { source_observation: said, freshness } = snapshot as unknown as Snapshot;
      assert.deepEqual([said.timestamp_basis, said.source_played_status], ['source', 'LIVE']);
      const asked = parseRfc3339(said.request_started_at) ?? 0;
      assert.ok(asked >= from - microsPerSecond && asked <= wallClockNow());
      assert.ok((parseRfc3339(freshness.latest_request_started_at ?? '') ?? 0) >= asked);
      assert.ok(source.requests.every(({ query }) => query === ''));
    } finally {
      await edition.stop();
      await own.drop();
    }
  });
}

describe('without a key', () => {
  it('the poller is off, and says so once', async () => {
    const logged: [string, Fields | undefined][] = [];
    const log: Log = { ...silentLog, info: (message, fields) => void logged.push([message, fields]) };
    const clock = { now: () => microsPerHour, sleep: async () => {} };
    const unused = {} as Parameters<typeof startPolling>[1];
    const stop = startPolling(null, { ...unused, log, clock });
    await stop();
    assert.deepEqual(logged, [['the MySportsFeeds poller is off', { setting: 'SDS_MSF_API_KEY' }]]);
  });
});
