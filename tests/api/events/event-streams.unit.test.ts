// Which games a stream of a league has: those that the catalog finds for it, however many other games are held, and one that it gets while the
// stream is opened.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import { type EventStreams, openEventStreams } from '../../../api/events/event-streams.ts';
import type { Feed } from '../../../api/http/feed.ts';
import type { HeadsCatalog } from '../../../core/ports/catalog/heads.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { isRefusal } from '../../../http/refusal.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { FakeCatalog, FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { FakeHeads } from '../../support/fakes/fake-heads.ts';
import { FakeMsf } from '../../support/fakes/fake-msf.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { until } from '../../support/services/until.ts';

const game = 'MLB_STL_NYY_20260805';
const other = 'MLB_BOS_TOR_20260805';
const old = 'MLB_STL_NYY_20260630';

let catalog: FakeCatalog;
let objects: ReturnType<typeof openMemoryStore>;
let heads: FakeHeads;
let streams: EventStreams;
let areHeadsDown: boolean;
/** Begins the next round, where rounds wait for that. */
let nextRound: () => void;
const logs = new Map<string, FakeLog>();

/** A game with rows; the fake catalog finds it open. */
async function begin(gameId: string): Promise<void> {
  catalog.addGame({ gameId, uuid: uuidOf(gameId) });
  await append(gameId);
}

async function append(gameId: string): Promise<void> {
  const log = logs.get(gameId) ?? new FakeLog(catalog, objects, uuidOf(gameId));
  logs.set(gameId, log);
  await log.append(1);
}

beforeEach(async () => {
  logs.clear();
  catalog = new FakeCatalog();
  objects = openMemoryStore();
  heads = new FakeHeads(catalog, new FakeMsf(catalog));
  areHeadsDown = false;
  openStreams(systemClock);
  await begin(game);
});

const headsRoundMs = 10;

/** Its rounds begin when the test says so. */
const clockOfRounds: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    ms !== headsRoundMs
      ? systemClock.sleep(ms, signal)
      : new Promise((resolve) => {
          nextRound = resolve;
          signal?.addEventListener('abort', () => resolve());
        }),
};

function openStreams(clock: Clock): void {
  const read: HeadsCatalog = {
    openGames: (league) => heads.openGames(league),
    heads: (uuids) => (areHeadsDown ? Promise.reject(new Error('no answer')) : heads.heads(uuids)),
  };
  streams = openEventStreams({
    heads: read,
    live: catalog,
    msf: null,
    deadlines: openDeadlines(systemClock, silentLog, { catalog: 5_000, objects: 5_000 }),
    clock,
    log: silentLog,
    limits: {
      eventStreams: 3,
      eventStreamsOfKey: 3,
      heartbeatMs: 1_000,
      eventStreamLifeMs: { least: 60_000, most: 60_000 },
      headsRoundMs,
    },
  });
}

afterEach(async () => {
  streams.end();
  await streams.close();
});

async function open(of: { league: 'MLB' } | { games: readonly string[] }): Promise<Feed> {
  const place = streams.place('key');
  assert.ok(!isRefusal(place));
  const games = 'games' in of ? await streams.heads.games(of.games.map(uuidOf)) : null;
  if (games === null) await streams.heads.league('MLB');
  const league = games === null ? 'MLB' : null;
  return place.open({ games, league, datasets: ['sportsbook-lines'], keyHolds: () => true });
}

const openLeague = () => open({ league: 'MLB' });
const gamesIn = (text: string | null) => [...(text ?? '').matchAll(/"game_id":"(\w+)"/g)].map(([, gameId]) => gameId);

/** What the feed says until it says something of the game. */
async function saysOf(feed: Feed, gameId: string): Promise<string> {
  let text = '';
  const said = () => {
    text += feed.take() ?? '';
    return gamesIn(text).includes(gameId);
  };
  await until(`the stream says something of ${gameId}`, said, { everyMs: 5 });
  return text;
}

describe('a stream of a league', () => {
  it('has a game that opens between its heads and the stream', async () => {
    const place = streams.place('key');
    assert.ok(!isRefusal(place));
    await streams.heads.league('MLB');
    await begin(other);
    await until('the league has it', () => streams.heads.openOf('MLB').length === 2, { everyMs: 5 });
    const feed = place.open({
      games: null,
      league: 'MLB',
      datasets: ['sportsbook-lines'],
      keyHolds: () => true,
    });
    assert.deepEqual(gamesIn(feed.take()), [game, other]);
    feed.release();
    assert.equal(streams.count(), 0);
  });

  it('has no game of other days, though a stream of games names it and it moves', async () => {
    heads.otherDays.add(uuidOf(old));
    await begin(old);
    const before = await openLeague();
    assert.deepEqual(gamesIn(before.take()), [game]);
    const named = await open({ games: [old] });
    assert.deepEqual(gamesIn(named.take()), [old]);
    const after = await openLeague();
    assert.deepEqual(gamesIn(after.take()), [game]);
    await append(old);
    await saysOf(named, old);
    await append(game);
    for (const feed of [before, after]) assert.deepEqual(gamesIn(await saysOf(feed, game)), [game]);
  });

  it('no longer has a game whose days are over', async () => {
    const before = await openLeague();
    before.take();
    heads.otherDays.add(uuidOf(game));
    await begin(other);
    await saysOf(before, other);
    assert.deepEqual(gamesIn((await openLeague()).take()), [other]);
    await append(game);
    await append(other);
    assert.deepEqual(gamesIn(await saysOf(before, other)), [other]);
  });

  it('is told of a game that it gets, though a stream of games had it before', async () => {
    heads.otherDays.add(uuidOf(other));
    await begin(other);
    const named = await open({ games: [other] });
    const feed = await openLeague();
    assert.deepEqual(gamesIn(feed.take()), [game]);
    heads.otherDays.delete(uuidOf(other));
    assert.deepEqual(gamesIn(await saysOf(feed, other)), [other]);
    named.release();
  });

  it('is told in the next round of a game whose first rows are published, though a stream of games had it before', async () => {
    streams.end();
    await streams.close();
    openStreams(clockOfRounds);
    catalog.addGame({ gameId: other, uuid: uuidOf(other) });
    const named = await open({ games: [other] });
    const feed = await openLeague();
    assert.deepEqual(gamesIn(feed.take()), [game]);
    await append(other);
    await saysOf(named, other);
    const begun = nextRound;
    begun();
    await until('the round is over', () => nextRound !== begun, { everyMs: 5 });
    assert.deepEqual(gamesIn(feed.take()), [other]);
  });

  it('is told that a game is final, though the catalog was away until it left the league', async () => {
    const feed = await openLeague();
    feed.take();
    areHeadsDown = true;
    await landFinals({ objects, artifacts: catalog }, { uuid: uuidOf(game), gameId: game, league: 'MLB' });
    heads.longFinal.add(uuidOf(game));
    const searches = heads.calls.openGames;
    await until('the league is searched', () => heads.calls.openGames > searches + 1, { everyMs: 5 });
    areHeadsDown = false;
    assert.match(await saysOf(feed, game), /^event: final/);
    await until('it leaves', () => streams.heads.openOf('MLB').length === 0, { everyMs: 5 });
  });
});
