// A stream of a league that is opened while the league gets another game: it has that game too.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import { openEventStreams } from '../../../api/events/event-streams.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { isRefusal } from '../../../http/refusal.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { FakeCatalog, FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { FakeHeads } from '../../support/fakes/fake-heads.ts';
import { FakeMsf } from '../../support/fakes/fake-msf.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { until } from '../../support/services/until.ts';

it('a game that opens between the heads and the stream is in the stream', async () => {
  const catalog = new FakeCatalog();
  const objects = openMemoryStore();
  const begin = async (gameId: string) => {
    catalog.addGame({ gameId, uuid: uuidOf(gameId) });
    await new FakeLog(catalog, objects, uuidOf(gameId)).append(1);
  };
  await begin('MLB_STL_NYY_20260805');
  const streams = openEventStreams({
    heads: new FakeHeads(catalog, new FakeMsf(catalog)),
    live: catalog,
    msf: null,
    deadlines: openDeadlines(systemClock, silentLog, { catalog: 5_000, objects: 5_000 }),
    clock: systemClock,
    log: silentLog,
    limits: {
      eventStreams: 1,
      eventStreamsOfKey: 1,
      heartbeatMs: 1_000,
      eventStreamLifeMs: { least: 60_000, most: 60_000 },
      headsRoundMs: 10,
    },
  });
  const place = streams.place('key');
  assert.ok(!isRefusal(place));
  await streams.heads.league('MLB');
  await begin('MLB_BOS_TOR_20260805');
  await until('the league has it', () => streams.heads.openOf('MLB').length === 2, { everyMs: 5 });
  const feed = place.open({
    games: null,
    league: 'MLB',
    datasets: ['sportsbook-lines'],
    keyHolds: () => true,
  });
  assert.match(feed.take() ?? '', /MLB_STL_NYY_20260805.*MLB_BOS_TOR_20260805/s);
  feed.release();
  assert.equal(streams.count(), 0);
  streams.end();
  await streams.close();
});
