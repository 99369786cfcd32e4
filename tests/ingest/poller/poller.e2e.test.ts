// The poller over HTTP against a source that plays the statuses and headers of the real one (docs/revisions.md#poller): what it passes to
// the pipeline, with which key and times, how it reacts to refusals, and that one process polls at a time. Bodies are invented; recorded
// ones are used too if the recordings are present.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { BrokerUnavailable, type OutgoingRecord } from '../../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type MsfServer, openMsfServer, type PreparedAnswer } from '../../support/fakes/msf-server.ts';
import { openPolledStage, type PolledStage } from '../../support/fakes/polled-stage.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const recordings = fileURLToPath(new URL('../../../../shared/data/msf-nba-2017', import.meta.url));
const absent = existsSync(recordings) ? false : '../shared/data/msf-nba-2017 is absent';

/** 20:00 in New York. */
const evening = Date.UTC(2026, 0, 10, 1) * 1000;
const gameObject = (id: number, playedStatus: string) => ({
  id,
  startTime: '2026-01-10T00:00:00.000Z',
  awayTeam: { id: 501, abbreviation: 'BOS' },
  homeTeam: { id: 502, abbreviation: 'CLE' },
  scheduleStatus: 'NORMAL',
  playedStatus,
});
const lastUpdatedOn = '2026-01-10T01:00:00.000Z';
const json = (body: unknown, more: object = {}): PreparedAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  ...more,
});
const season = 'nba/current/games.json';
const day = 'nba/current/date/20260109/games.json';
const updates = 'nba/current/latest_updates.json';
const plays = 'nba/current/games/42/playbyplay.json';
const box = 'nba/current/games/42/boxscore.json';

/** A season with one live game. */
function prepare(server: MsfServer, playedStatus = 'LIVE'): void {
  const games = { lastUpdatedOn, games: [{ schedule: gameObject(42, playedStatus), score: {} }], references: null };
  server.answer(season, json(games));
  server.answer(day, json(games));
  server.answer(updates, json({ lastUpdatedOn, feedUpdates: [] }));
  server.answer(plays, json({ lastUpdatedOn, game: gameObject(42, playedStatus), plays: [], references: null }));
}

const asked = (server: MsfServer, path: string): number => server.requests.filter((each) => each.path === path).length;
const takenOf = (stage: PolledStage, feed: string) => stage.taken.filter((each) => each.feed === feed);

describe('the poller', () => {
  it('hands bodies to the pipeline as they came, with the start of their request, and keeps its key to itself', async () => {
    await using server = await openMsfServer();
    prepare(server);
    server.answer(plays, json({ lastUpdatedOn, game: gameObject(42, 'LIVE'), plays: [] }, { gzip: true }));
    await using stage = openPolledStage(server, evening);
    await stage.pass(40);
    const [first] = takenOf(stage, 'playbyplay');
    assert.ok(first);
    assert.deepEqual([first.league, first.season, first.game], ['NBA', 'current', '42']);
    assert.equal(JSON.parse(Buffer.from(first.body).toString()).game.id, 42);
    assert.ok(first.requestStartedAt >= evening && first.requestStartedAt <= first.at);
    assert.ok(takenOf(stage, 'playbyplay').length >= 2 && takenOf(stage, 'games').length >= 2);
    const expected = `Basic ${Buffer.from('key-of-the-test:MYSPORTSFEEDS').toString('base64')}`;
    assert.ok(server.requests.every(({ authorization }) => authorization === expected));
    assert.ok(server.requests.every(({ query }) => query === ''));
    assert.ok(!JSON.stringify(stage.logged).includes('key-of-the-test'));
  });

  it('stays away as long as Retry-After says, in seconds or as a date', async () => {
    for (const retryAfter of ['30', new Date(Date.UTC(2026, 0, 10, 1, 1, 10)).toUTCString()]) {
      await using server = await openMsfServer();
      prepare(server);
      server.answer(
        plays,
        { status: 429, headers: { 'retry-after': retryAfter } },
        json({ game: gameObject(42, 'LIVE'), plays: [] }),
      );
      await using stage = openPolledStage(server, evening);
      await stage.pass(5);
      const before = server.requests.length;
      assert.equal(asked(server, plays), 1);
      await stage.pass(20);
      assert.equal(server.requests.length, before);
      await stage.pass(50);
      assert.ok(asked(server, plays) >= 2);
      assert.equal(stage.logged.filter(({ message }) => message.includes('too often')).length, 1);
    }
  });

  it('takes 204, 304, 400, 403 and 503 as they are meant, and goes on with the rest', async () => {
    await using server = await openMsfServer();
    prepare(server);
    server.answer(box, { status: 403 });
    server.answer('nba/current/games/42/lineup.json', { status: 400 });
    server.answer(
      'nba/injuries.json',
      { status: 503 },
      { status: 502 },
      { status: 499 },
      json({ lastUpdatedOn, players: [] }),
    );
    await using stage = openPolledStage(server, evening, { ownKey: true });
    await stage.pass(15 * 60);
    assert.equal(asked(server, box), 1);
    assert.ok(asked(server, 'nba/current/games/42/lineup.json') <= 3);
    assert.ok(asked(server, 'nba/players.json') <= 2, 'no content yet');
    assert.equal(takenOf(stage, 'injuries').length, 1);
    // The same content is handed on once; from then on the source answers that nothing is new.
    assert.ok(asked(server, plays) > 40);
    assert.equal(takenOf(stage, 'playbyplay').length, 1);
    const forced = server.requests.filter(({ path, query }) => path === plays && query === '').length;
    assert.equal(forced, 1);
  });

  it('loses nothing that the log could not take: it is asked for in full again', async () => {
    await using server = await openMsfServer();
    prepare(server);
    await using stage = openPolledStage(server, evening, { ownKey: true });
    await stage.pass(30);
    const content = takenOf(stage, 'playbyplay').length;
    server.answer(plays, json({ lastUpdatedOn, game: gameObject(42, 'LIVE'), plays: [], more: true }));
    stage.state.down = true;
    await stage.pass(60);
    assert.equal(takenOf(stage, 'playbyplay').length, content);
    stage.state.down = false;
    await stage.pass(90);
    const after = takenOf(stage, 'playbyplay').slice(content);
    assert.ok(after.length >= 1 && Buffer.from(after[0]!.body).toString().includes('"more":true'));
  });

  it('outlasts a source that cuts its answers, sends half a body or too much of one, or nothing at all', async () => {
    await using server = await openMsfServer();
    prepare(server);
    const whole = JSON.stringify({ lastUpdatedOn, game: gameObject(42, 'LIVE'), plays: [] });
    server.answer(
      plays,
      'cut',
      { status: 200, body: whole.slice(0, -20) },
      { status: 200, body: Buffer.alloc(9 * 1024 * 1024, 0x20), gzip: true },
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      json(JSON.parse(whole)),
    );
    await using stage = openPolledStage(server, evening);
    await stage.pass(5 * 60);
    assert.ok(takenOf(stage, 'playbyplay').length >= 1);
    assert.ok(takenOf(stage, 'playbyplay').every(({ body }) => Buffer.from(body).toString() === whole));
    server.answer(plays, 'silence');
    await using patient = openPolledStage(server, evening, { waits: true });
    await patient.pass(45);
    assert.ok(patient.logged.some(({ fields }) => String(fields.reason).includes('no answer within')));
  });

  it('ticks the followed games that wait for time, once a minute, whatever becomes of a tick', async () => {
    await using server = await openMsfServer();
    prepare(server);
    const asked: (readonly string[])[] = [];
    const ticks: number[] = [];
    const live = {
      async gamesWithoutTicks(source: string, events: readonly string[]) {
        assert.equal(source, 'msf');
        asked.push(events);
        if (asked.length === 2) throw new CatalogUnavailable('down');
        return [{ gameUuid: 'g', gameId: 'G', league: 'NBA' }];
      },
    };
    const broker = {
      async produce(topic: string, records: readonly OutgoingRecord[]) {
        assert.equal(topic, topics.quotes);
        for (const { key, value } of records)
          ticks.push((value as QuotesRecord).tick?.at ?? assert.fail(`no tick of ${key}`));
        if (ticks.length === 2) throw new BrokerUnavailable('down');
        return new Map();
      },
    };
    await using stage = openPolledStage(server, evening, {
      behind: { accept: async () => ({ kind: 'accepted' }), live, broker },
    });
    await stage.pass(5 * 60);
    assert.deepEqual(asked, Array(5).fill(['game/NBA/42']));
    assert.deepEqual(
      ticks.map((at) => (at - evening) / 1_000_000),
      [60, 180, 240, 300],
    );
    const missed = stage.logged.filter(({ message }) => message === 'a tick of polled games was missed');
    assert.equal(missed.length, 2);
  });

  it('polls in one process at a time: the other takes over and asks for everything anew', async () => {
    await using server = await openMsfServer();
    prepare(server);
    await using stage = openPolledStage(server, evening, { ownKey: true });
    stage.start('b');
    await stage.pass(60);
    const forced = () => server.requests.filter(({ path, query }) => path === plays && query === '').length;
    assert.equal(forced(), 1);
    stage.state.leader = 'nobody';
    await stage.pass(2);
    const before = server.requests.length;
    await stage.pass(60);
    assert.equal(server.requests.length, before);
    stage.state.leader = 'b';
    await stage.pass(60);
    assert.equal(forced(), 2);
  });

  it('says what the pipeline refused, and does not ask for it any faster', async () => {
    await using server = await openMsfServer();
    prepare(server);
    await using stage = openPolledStage(server, evening);
    stage.state.refuses = 'bad-body';
    await stage.pass(60);
    assert.ok(stage.logged.some(({ message }) => message.includes('was refused')));
    assert.ok(asked(server, plays) <= 6);
  });

  it('asks in full again for what was refused as another source’s, at the usual pace', async () => {
    for (const playedStatus of ['LIVE', 'COMPLETED']) {
      await using server = await openMsfServer();
      prepare(server, playedStatus);
      await using stage = openPolledStage(server, evening, { ownKey: true });
      stage.state.refuses = 'other-source';
      await stage.pass(11 * 60);
      const refused = takenOf(stage, 'playbyplay').length;
      const most = playedStatus === 'LIVE' ? 45 : 3;
      assert.ok(refused >= 2 && refused <= most, `${refused} of a game that is ${playedStatus}`);
      assert.equal(takenOf(stage, 'playbyplay').length, asked(server, plays), 'each in full');
      // The source that pushed the league falls silent, and this one takes over.
      stage.state.refuses = null;
      await stage.pass(5 * 60);
      assert.equal(takenOf(stage, 'playbyplay').length, refused + 1, playedStatus);
    }
  });

  it('outlasts a body that cannot be taken, and asks for it in full again', async () => {
    await using server = await openMsfServer();
    prepare(server);
    let failures = 0;
    const taken: string[] = [];
    await using stage = openPolledStage(server, evening, {
      ownKey: true,
      behind: {
        async accept({ feed }) {
          if (feed === 'playbyplay' && failures < 3) {
            failures += 1;
            throw new TypeError('a defect');
          }
          taken.push(feed);
          return { kind: 'accepted' };
        },
        live: { gamesWithoutTicks: async () => [] },
        broker: { produce: async () => new Map() },
      },
    });
    await stage.pass(40);
    assert.equal(failures, 3);
    assert.deepEqual(
      taken.filter((feed) => feed === 'playbyplay'),
      ['playbyplay'],
    );
    assert.ok(taken.filter((feed) => feed === 'games').length >= 2, 'nothing else has waited');
    const said = stage.logged.filter(({ message }) => message === 'a body of MySportsFeeds could not be taken');
    assert.equal(said.length, 3);
    assert.match(String(said[0]?.fields.error), /a defect/);
  });

  it('is stopped at once, also while the source is silent', async () => {
    await using server = await openMsfServer();
    for (const league of ['nba', 'nfl', 'mlb', 'nhl'])
      server.answer(`${league}/current/latest_updates.json`, 'silence');
    const stage = openPolledStage(server, evening, { waits: true });
    await stage.pass(1);
    await stage[Symbol.asyncDispose]();
    assert.deepEqual(stage.logged, []);
    assert.equal(stage.state.leader, 'nobody', 'the lease is released');
  });

  it('plays recorded bodies through unchanged', skipFor(absent), async () => {
    const body = (name: string) => gunzipSync(readFileSync(join(recordings, name)));
    const all = body('seasonal_games_2017_2018.json.gz');
    const names = readdirSync(recordings).filter((name) => name.startsWith('playbyplay_'));
    await using server = await openMsfServer();
    const served = new Map<string, Buffer>();
    for (const name of names) {
      const bytes = body(name);
      const { game } = JSON.parse(bytes.toString()) as { game: { id: number } };
      served.set(String(game.id), bytes);
      server.answer(`nba/current/games/${game.id}/playbyplay.json`, { status: 200, body: bytes, gzip: true });
    }
    server.answer(season, { status: 200, body: all, gzip: true });
    // Five hours after the last game began.
    await using stage = openPolledStage(server, Date.UTC(2017, 9, 19, 7) * 1000);
    await stage.pass(600);
    assert.ok(takenOf(stage, 'games')[0]!.body.length === all.length);
    const seen = new Map(takenOf(stage, 'playbyplay').map(({ game, body: bytes }) => [game, bytes]));
    assert.equal(seen.size, names.length);
    for (const [id, bytes] of served) assert.ok(Buffer.from(seen.get(id) ?? '').equals(bytes), id);
  });
});
