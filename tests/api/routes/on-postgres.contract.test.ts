// The API on the real catalog: what it does in the other tests on a catalog in memory, it does on PostgreSQL. Commits become visible by
// their notices, keys by their states, lists by SQL; a lost database is a 503 and comes back by itself.

import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Api, createApi } from '../../../api/server.ts';
import { displayOfKey, macOfKey, mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { shownStatus } from '../../../core/games/shown-status.ts';
import type { ArtifactsCatalog } from '../../../core/ports/catalog/artifacts.ts';
import type { StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import type { GamesCatalog } from '../../../core/ports/catalog/games.ts';
import type { KeysCatalog } from '../../../core/ports/catalog/keys.ts';
import type { ClosedSegment, GamePublication, LiveCatalog, PublishedTail } from '../../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { activeKeyCaps } from '../../../ops/service/new-keys.ts';
import { openArtifactsCatalog } from '../../../platform/postgres/artifacts-catalog.ts';
import { openCalendarCatalog } from '../../../platform/postgres/calendar-catalog.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { openHeadsCatalog } from '../../../platform/postgres/heads-catalog.ts';
import { openKeysCatalog } from '../../../platform/postgres/keys-catalog.ts';
import { openLedger } from '../../../platform/postgres/ledger.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openMsfCatalog } from '../../../platform/postgres/msf-catalog.ts';
import { openReferenceCatalog } from '../../../platform/postgres/reference-catalog.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openMemoryRateLimiter } from '../../../platform/process/memory-rate-limiter.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import type { GameDocument, GamesPage } from '../../../schemas/http/games.ts';
import type { LiveManifest } from '../../../schemas/http/live.ts';
import { finalDatasets, landFinals, landVersion, putFinal, rowsOfLog } from '../../support/builders/final-files.ts';
import { lineRows, resultRows } from '../../support/builders/final-rows.ts';
import { someTime } from '../../support/fakes/api-fakes.ts';
import { linesOrParquet } from '../../support/fakes/lines-or-parquet.ts';
import { MemoryJournal } from '../../support/fakes/memory-journal.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { pepper, type Reply, type RequestOptions, send } from '../../support/http/api-http.ts';
import { openEvents } from '../../support/http/event-client.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { openDatabase, type TestDatabase, testServers } from '../../support/services/databases.ts';

const easternDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

for (const server of testServers) {
  describe(`the API on ${server.name}`, () => {
    const stream: StreamKey = { projector: 'live', topic: 'sds.quotes.v1', partition: 0 };
    const accountId = '11111111-1111-4111-8111-111111111111';
    let database: TestDatabase;
    let games: GamesCatalog;
    let keys: KeysCatalog;
    let live: LiveCatalog;
    let artifacts: ArtifactsCatalog;
    /** The instances that receive notices, and one that never does. */
    let objects: ObjectStore;
    let instances: { api: Api; url: string }[];
    let key: string;
    let ownerEpoch: number;
    let offset = 0;

    beforeAll(async () => {
      database = await openDatabase(server);
      games = openGamesCatalog(database.sql);
      keys = openKeysCatalog(database.sql);
      live = openLiveCatalog(database.sql);
      artifacts = openArtifactsCatalog(database.sql);
      objects = openMemoryStore();
      await games.seedTeams();
      await keys.createAccount({ id: accountId, name: 'tests', tier: 'PRO', entitled: true, monthlyRows: null });
      key = await mint('key-1');
      ownerEpoch = (await openCheckpointsCatalog(database.sql).claim(stream, 'tests')).ownerEpoch;
      // The instances have only the rights of the API's role.
      const served = openLiveCatalog(database.api);
      const open = async (watched = served) => {
        const api = await createApi({
          games: openGamesCatalog(database.api),
          reference: openReferenceCatalog(database.api),
          live: watched,
          artifacts: openArtifactsCatalog(database.api),
          heads: openHeadsCatalog(database.api),
          msf: openMsfCatalog(database.api),
          keys: openKeysCatalog(database.api),
          calendar: openCalendarCatalog(database.api),
          ledger: openLedger(database.api),
          owed: new MemoryJournal(),
          objects,
          parquet: linesOrParquet,
          clock: systemClock,
          log: silentLog,
          baseUrl: null,
          peppers: [pepper],
          limiter: openMemoryRateLimiter(),
          rateLimits: { PRO: 1e9, address: 1e9 },
          cutSlowReaders,
        });
        return { api, ...(await api.listen('127.0.0.1', 0)) };
      };
      const deaf = { ...served, watchServing: async () => async () => {} };
      instances = [await open(), await open(), await open(deaf)];
    });
    afterAll(async () => {
      for (const { api } of instances ?? []) await api.close();
    });

    async function mint(id: string): Promise<string> {
      const plain = mintKey('live', randomBytes(randomBytesPerKey));
      const stored = { id, mac: macOfKey(plain, pepper), pepperVersion: pepper.version, ...displayOfKey(plain) };
      assert.equal((await keys.addApiKey(accountId, stored, activeKeyCaps))?.kind, 'added');
      return plain;
    }

    function get(path: string, options: RequestOptions & { instance?: number } = {}): Promise<Reply> {
      return send(instances[options.instance ?? 0]!.url, path, { key, ...options });
    }

    async function found(eventId: string, home: string, away: string) {
      const [resolution] = await games.resolve('recorded', [
        { by: 'event', league: 'MLB', eventId, homeTeam: home, awayTeam: away, commenceTime: someTime },
      ]);
      assert.equal(resolution?.kind, 'resolved');
      return (resolution as { game: { uuid: string; gameId: string } }).game;
    }

    async function put(text: string): Promise<FileRef> {
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await objects.put(`files/${sha256}`, bytes);
      return { key: `files/${sha256}` as ObjectKey, offset: 0, size: bytes.length, sha256 };
    }

    /** Commits a version of the game's log with a tail of `rows` rows after `closed`. */
    async function commit(gameUuid: string, rows: number, facts: Partial<GamePublication> = {}): Promise<void> {
      const times = { min_timestamp: someTime, max_timestamp: someTime + rows };
      const seq = (facts.closed?.at(-1)?.seq ?? 0) + 1;
      const file = await put(`${gameUuid} ${seq} ${rows}`);
      const tail: PublishedTail = { seq, rows, ...times, file };
      const board = await put(`${gameUuid} board ${rows}`);
      const publication: GamePublication = {
        gameUuid,
        generation: 1,
        logVersion: 'v',
        firstSeq: 1,
        rows,
        appliedThrough: someTime + rows,
        logTime: someTime + rows,
        tail,
        closed: [],
        boards: [{ operator: 'DRAFTKINGS', rows: 1, file: board }],
        operators: { DRAFTKINGS: { last_row_at: someTime, observed_through: someTime + rows, source: 'recorded' } },
        openOffer: true,
        receiveTimed: true,
        scheduledStart: null,
        superseded: null,
        restarted: false,
        ...facts,
      };
      const answer = await live.commit({
        stream,
        ownerEpoch,
        from: offset,
        to: offset + 1,
        foldDigest: '00',
        snapshot: null,
        logVersion: null,
        games: [publication],
        objects: [{ key: file.key, size: file.size, files: 1 }],
        released: [],
        settlements: [],
        deadLetters: [],
        receipts: [],
      });
      assert.equal(answer, 'committed');
      offset += 1;
    }

    const segments = (gameId: string, rest = '') => `/v1/games/${gameId}/sportsbook-lines/segments${rest}`;

    it('shows a game that a push founded, in the list and by its id', async () => {
      const { gameId } = await found('e1', 'New York Yankees', 'St. Louis Cardinals');
      assert.equal(gameId, 'MLB_STL_NYY_20260805');
      const game = (await get('/v1/games/mlb_stl_nyy_20260805')).json() as GameDocument;
      assert.deepEqual(
        [game.id, game.league, game.game_date, game.status, game.home_team, game.away_team_abbreviation],
        [gameId, 'MLB', '2026-08-05', 'SCHEDULED', 'New York Yankees', 'STL'],
      );
      for (const query of [
        '',
        'league=mlb',
        'team=new%20york%20yankees',
        'team=St.+Louis+Cardinals',
        'team=nyy',
        'team=cardinals',
        'date_from=2026-08-05&date_to=2026-08-05',
        'status=scheduled',
      ]) {
        const page = (await get(`/v1/games?${query}`)).json() as GamesPage;
        assert.deepEqual(page.data, [game], query);
      }
      for (const query of ['league=NBA', 'team=nobody', 'date_from=2026-08-06&date_to=2026-08-07', 'status=STARTED']) {
        assert.deepEqual(((await get(`/v1/games?${query}`)).json() as GamesPage).data, [], query);
      }
    });

    it('shows each commit at every instance as soon as its notice is there', async () => {
      const { uuid, gameId } = await found('e2', 'Boston Red Sox', 'Baltimore Orioles');
      assert.equal((await get(segments(gameId))).status, 404);
      for (const rows of [1, 2, 3, 40]) {
        await commit(uuid, rows);
        for (const instance of [0, 1]) {
          const began = ownMs();
          let manifest: LiveManifest;
          do manifest = (await get(segments(gameId), { instance })).json() as LiveManifest;
          while (manifest.segments[0]?.rows !== rows && ownMs() - began < 4_000);
          assert.equal(manifest.segments[0]?.rows, rows);
          assert.ok(ownMs() - began < 4_000, 'well before an answer would be too old');
          const file = await get(manifest.segments[0]?.url as string, { instance });
          assert.deepEqual([file.status, file.body.toString()], [200, `${uuid} 1 ${rows}`]);
          assert.equal(manifest.cursor, `1:${rows}`);
          assert.equal((await get(segments(gameId, `?cursor=1:${rows}`), { instance })).status, 200);
          const board = await get(`/v1/games/${gameId}/sportsbook-lines/board/draftkings`, { instance });
          assert.equal(board.headers['x-service-rowcount'], '1');
        }
      }
    });

    it('serves superseded and closed versions by what their address promised', async () => {
      const { uuid, gameId } = await found('e3', 'Chicago Cubs', 'Atlanta Braves');
      const first = await put(`${uuid} 1 5`);
      await commit(uuid, 5);
      await commit(uuid, 9, { superseded: { seq: 1, rows: 5, file: first } });
      assert.equal((await get(segments(gameId, '/1?rows=5'))).body.toString(), `${uuid} 1 5`);
      assert.equal((await get(segments(gameId, '/1?rows=6'))).body.toString(), `${uuid} 1 9`);
      assert.equal((await get(segments(gameId, '/1?rows=10'))).status, 409);
      const { key: object, size, sha256 } = await put(`${uuid} compacted`);
      const closed: ClosedSegment = {
        seq: 1,
        rows: 10,
        min_timestamp: someTime,
        max_timestamp: someTime,
        key: object,
        size,
        sha256,
      };
      await commit(uuid, 3, { rows: 13, closed: [closed] });
      assert.equal((await get(segments(gameId, '/2?rows=3'))).status, 200);
      const whole = await get(segments(gameId, '/1?rows=10'));
      assert.deepEqual(
        [whole.body.toString(), whole.headers['cache-control']],
        [`${uuid} compacted`, 'private, max-age=86400, immutable'],
      );
      const listed = (await get(segments(gameId, '?cursor=1:9'))).json() as LiveManifest;
      assert.deepEqual(
        listed.segments.map(({ seq, rows, closed: shut, from_row }) => [seq, rows, shut, from_row]),
        [
          [1, 10, true, 9],
          [2, 3, false, undefined],
        ],
      );
    });

    it('serves the final file on every instance from the commit on; the live routes end with the notice, else within 5 s', async () => {
      const { uuid, gameId } = await found('e5', 'Boston Red Sox', 'Tampa Bay Rays');
      const game = { uuid, gameId, league: 'MLB' };
      const rows = lineRows(game, 40);
      const { landed: closed } = await putFinal(objects, game, 'sportsbook-lines', rows.slice(0, 30));
      const { landed: tail } = await putFinal(objects, game, 'sportsbook-lines', rows.slice(30));
      const times = { min_timestamp: someTime, max_timestamp: someTime };
      const { key, size, sha256 } = closed.file;
      await commit(uuid, 10, {
        rows: 40,
        closed: [{ seq: 1, rows: 30, ...times, key, size, sha256 }],
        tail: { seq: 2, rows: 10, ...times, file: tail.file },
      });
      const routes = ['/segments', '/segments/1?rows=30', '/segments/2', '/board', '/board/DRAFTKINGS'];
      const url = `/v1/games/${gameId}/sportsbook-lines`;
      for (const instance of [0, 1, 2]) {
        for (const rest of routes) assert.equal((await get(url + rest, { instance })).status, 200, rest);
        assert.match((await get(url, { instance })).body.toString(), /not-final/);
      }
      const log = await live.servedLog(uuid);
      const finals = await landFinals({ objects, artifacts }, game, { lines: await rowsOfLog(objects, log!) });
      const began = ownMs();
      assert.deepEqual(finals['sportsbook-lines'].rows, rows, 'the rows of the log, in log order');
      const gone = async (instance: number, rest: string) => {
        const reply = await get(url + rest, { instance });
        if (reply.status === 200) return false;
        const { reason, final } = reply.json() as { reason: string; final: string };
        assert.deepEqual([reply.status, reason, final], [404, 'final_available', url]);
        return true;
      };
      // The instance without notices still serves what it has, and serves the file as soon as it is requested.
      assert.equal(await gone(2, '/segments'), false);
      const deadline = (instance: number) => (instance === 2 ? 5_000 : 2_000);
      for (const instance of [0, 1, 2]) {
        for (const rest of routes) {
          while (!(await gone(instance, rest))) {
            assert.ok(ownMs() - began < deadline(instance), `instance ${instance} still serves ${rest}`);
            await systemClock.sleep(20);
          }
        }
      }
      for (const instance of [2, 1, 0]) {
        for (const dataset of finalDatasets) {
          const reply = await get(`/v1/games/${gameId}/${dataset}`, { instance });
          assert.deepEqual([reply.status, reply.body], [200, finals[dataset].bytes], dataset);
          assert.equal(reply.headers.etag, `"${finals[dataset].landed.file.sha256}"`);
          assert.equal(reply.headers['x-service-rowcount'], String(finals[dataset].rows.length));
        }
      }
      await commit(uuid, 11);
      for (const instance of [0, 1, 2]) for (const rest of routes) assert.ok(await gone(instance, rest));
    });

    it('serves the final file from an instance that got no notice', async () => {
      const { uuid, gameId } = await found('e6', 'Miami Marlins', 'Colorado Rockies');
      await commit(uuid, 3);
      const url = `/v1/games/${gameId}/sportsbook-lines`;
      assert.equal((await get(`${url}/board`, { instance: 2 })).status, 200);
      await landFinals({ objects, artifacts }, { uuid, gameId, league: 'MLB' });
      assert.equal((await get(url, { instance: 2 })).status, 200);
      assert.equal((await get(`${url}/board`, { instance: 2 })).status, 404);
    });

    it('serves a new version of a final file on every instance within five seconds, and the older one by its number', async () => {
      const { uuid, gameId } = await found('e7', 'Seattle Mariners', 'Texas Rangers');
      const game = { uuid, gameId, league: 'MLB' };
      const first = (await landFinals({ objects, artifacts }, game))['market-results'];
      const url = `/v1/games/${gameId}/market-results`;
      for (const instance of [0, 1, 2]) assert.deepEqual((await get(url, { instance })).body, first.bytes);
      const second = await landVersion({ objects, artifacts }, game, {
        dataset: 'market-results',
        version: 2,
        rows: resultRows(game).map((row) => ({ ...row, result: 'push', correction: 1 })),
      });
      const began = ownMs();
      for (const instance of [0, 1, 2]) {
        const newest = async () => (await get(url, { instance })).headers['x-service-artifact-version'];
        while ((await newest()) !== '2') {
          assert.ok(ownMs() - began < (instance === 2 ? 5_000 : 2_000), `instance ${instance}`);
          await systemClock.sleep(20);
        }
        assert.deepEqual((await get(url, { instance })).body, second.bytes);
        assert.deepEqual((await get(`${url}?version=1`, { instance })).body, first.bytes);
        const { data } = (await get(`${url}/versions`, { instance })).json() as { data: Record<string, unknown>[] };
        assert.deepEqual(
          data.map(({ landed_at, ...version }) => version),
          [second, first].map(({ landed, bytes }) => ({
            version: landed.version,
            etag: `"${landed.file.sha256}"`,
            row_count: landed.rows,
            bytes: bytes.length,
            reason: landed.reason,
            url: `${url}?version=${landed.version}`,
          })),
        );
        for (const { landed_at } of data) assert.ok(Math.abs(Date.parse(landed_at as string) - Date.now()) < 60_000);
      }
    });

    it('lists the odds of games that have a board row, in pages, until their final lines land', async () => {
      const offered = await found('e8', 'Detroit Tigers', 'Cleveland Guardians');
      const empty = await found('e9', 'Kansas City Royals', 'Minnesota Twins');
      await commit(offered.uuid, 3);
      await commit(empty.uuid, 3, { openOffer: false });
      const listed = async (): Promise<string[]> => {
        const ids: string[] = [];
        for (let next: string | null = ''; next !== null; ) {
          const reply = await get(`/v1/odds?league=MLB&limit=1${next}`);
          assert.equal(reply.status, 200, reply.body.toString());
          const { data, next_cursor } = reply.json() as { data: { game_id: string }[]; next_cursor: string | null };
          ids.push(...data.map(({ game_id }) => game_id));
          next = next_cursor === null ? null : `&cursor=${next_cursor}`;
        }
        return ids;
      };
      const before = await listed();
      assert.ok(before.includes(offered.gameId) && !before.includes(empty.gameId));
      assert.deepEqual(before, [...new Set(before)].sort());
      assert.deepEqual(((await get('/v1/odds?league=NBA')).json() as GamesPage).data, []);
      await landFinals({ objects, artifacts }, { ...offered, league: 'MLB' });
      assert.deepEqual(
        await listed(),
        before.filter((id) => id !== offered.gameId),
      );
    });

    it('reports on streams which games change, on each instance by itself', async () => {
      const { uuid, gameId } = await found('e10', 'Boston Red Sox', 'Toronto Blue Jays');
      const closed = [{ seq: 1, rows: 512, min_timestamp: someTime, max_timestamp: someTime }];
      await commit(uuid, 3);
      const streams = await Promise.all(
        [0, 1, 2].map((at) => openEvents(instances[at]!.url, `/v1/events?games=${gameId}`, key)),
      );
      for (const stream of streams) assert.equal((await stream.next()).data.cursor, '1:3');
      await commit(uuid, 4);
      // The instance without notices reads everything again every five seconds.
      for (const stream of streams) assert.equal((await stream.next()).data.cursor, '1:4');
      const file = await put('a closed segment');
      const segment = { ...closed[0]!, key: file.key, size: file.size, sha256: file.sha256 } satisfies ClosedSegment;
      await commit(uuid, 512, { closed: [segment], tail: null });
      for (const stream of streams) {
        const { data } = await stream.next();
        assert.deepEqual([data.cursor, data.rows], ['1:512', 512], 'a log without an open segment');
      }
      await landFinals({ objects, artifacts }, { uuid, gameId, league: 'MLB' });
      for (const stream of streams) {
        const { event, data } = await stream.next();
        assert.deepEqual([event, data.final], ['final', `/v1/games/${gameId}/sportsbook-lines`]);
        stream.close();
      }
    });

    it('finds the open games of a league: those of these days with published data', async () => {
      const heads = openHeadsCatalog(database.api);
      const now = Date.now() * 1_000;
      const nearby = async (eventId: string, home: string, away: string, commenceTime: number) => {
        const [resolution] = await games.resolve('recorded', [
          { by: 'event', league: 'MLB', eventId, homeTeam: home, awayTeam: away, commenceTime },
        ]);
        return (resolution as { game: { uuid: string; gameId: string } }).game;
      };
      const day = 86_400_000_000;
      const tracked = await nearby('n1', 'Chicago Cubs', 'Milwaukee Brewers', now + 20 * day);
      await nearby('n2', 'Chicago White Sox', 'Detroit Tigers', now);
      const old = await nearby('n3', 'Houston Astros', 'Los Angeles Angels', now - 10 * day);
      const settled = await nearby('n4', 'Cleveland Guardians', 'Kansas City Royals', now);
      // Noon in New York, so that a change of its clocks moves no date.
      const noon = Date.parse(`${easternDate.format(now / 1_000)}T17:00:00Z`) * 1_000;
      const atDay = (days: number) => nearby(`d${days}`, 'San Diego Padres', 'San Francisco Giants', noon + days * day);
      const first = await atDay(-3);
      const last = await atDay(30);
      const beyond = [await atDay(-4), await atDay(31)];
      for (const { uuid } of [tracked, old, settled, first, last, ...beyond]) await commit(uuid, 1);
      await landFinals({ objects, artifacts }, { ...settled, league: 'MLB' });
      const open = [tracked, first, last].map(({ uuid }) => uuid);
      assert.deepEqual(await heads.openGames('MLB'), [...open, settled.uuid].sort());
      await database.sql.query(`update artifacts set landed_at = landed_at - interval '15 minutes'`);
      assert.deepEqual(await heads.openGames('MLB'), open.sort());
      assert.deepEqual(await heads.openGames('NBA'), []);
      const [known, ...others] = await heads.heads([tracked.uuid, randomUUID()]);
      assert.deepEqual(
        [known?.gameId, known?.league, known?.final, known?.live?.rows, known?.streams, others],
        [tracked.gameId, 'MLB', false, 1, [], []],
      );
    });

    it('lists games by the status it shows', async () => {
      const page = (await get('/v1/games?status=STARTED')).json() as GamesPage;
      assert.ok(page.data.length >= 2);
      for (const { id, status, in_progress } of page.data) {
        const stored = await games.find(id);
        assert.deepEqual([status, in_progress], [shownStatus(stored!), true]);
      }
    });

    it('reads the list in pages', async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: GamesPage = (
          await get(`/v1/games?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`)
        ).json() as GamesPage;
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(
        seen,
        ((await get('/v1/games')).json() as GamesPage).data.map(({ id }) => id),
      );
      assert.equal(seen.length, 17);
    });

    it('knows keys by their state and their account', async () => {
      assert.equal((await get('/v1/games', { key: mintKey('live', randomBytes(randomBytesPerKey)) })).status, 401);
      for (const [state, status] of [
        ['revoked', 403],
        ['suspended', 403],
        ['throttled', 429],
      ] as const) {
        const other = await mint(`key-${state}`);
        await keys.setKeyState(`key-${state}`, state, 'tests');
        assert.equal((await get('/v1/games', { key: other })).status, status, state);
      }
      const unpaid = await mint('key-unpaid');
      await keys.setAccount(accountId, { entitled: false }, activeKeyCaps);
      assert.equal((await get('/v1/games', { key: unpaid })).status, 402);
      await keys.setAccount(accountId, { entitled: true }, activeKeyCaps);
    });

    it('recovers after every connection was cut, also those that carry notices', async () => {
      const { uuid, gameId } = await found('e4', 'Seattle Mariners', 'Texas Rangers');
      await commit(uuid, 1);
      assert.equal((await get(segments(gameId))).status, 200);
      await database.sql
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        .catch(() => {});
      const committed = async () => {
        for (;;) {
          try {
            return await commit(uuid, 2);
          } catch {
            await systemClock.sleep(20);
          }
        }
      };
      await committed();
      const began = ownMs();
      let rows: number | undefined;
      do {
        const reply = await get(segments(gameId));
        assert.ok(reply.status === 200 || reply.status === 503, String(reply.status));
        rows = reply.status === 200 ? (reply.json() as LiveManifest).segments[0]?.rows : undefined;
      } while (rows !== 2 && ownMs() - began < 8_000);
      assert.ok(ownMs() - began < 6_000, 'within the age an answer may have');
    });
  });
}
