// Pages on real PostgreSQL while the lists change under them, and pages of 10,000 records.
// Claim: following `next_cursor` yields each record that did not change meanwhile exactly once, in list order, whatever
// the page sizes and the writes, also while a large page is read in batches. A violation would need a position that is
// no boundary between records, such as an offset, or a sort key that is not unique.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Api, createApi } from '../../../api/server.ts';
import { displayOfKey, macOfKey, mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { serviceUuid } from '../../../core/games/uuid.ts';
import type { GamesCatalog } from '../../../core/ports/catalog/games.ts';
import type { ReferenceCatalog } from '../../../core/ports/catalog/reference.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openCatalogs } from '../../../ops/service/catalogs.ts';
import { activeKeyCaps } from '../../../ops/service/new-keys.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openMemoryRateLimiter } from '../../../platform/process/memory-rate-limiter.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import type { GameDocument } from '../../../schemas/http/games.ts';
import type { PlayerDocument } from '../../../schemas/http/reference.ts';
import { linesOrParquet } from '../../support/fakes/lines-or-parquet.ts';
import { MemoryJournal } from '../../support/fakes/memory-journal.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { pepper, type Reply, send } from '../../support/http/api-http.ts';
import { openDatabase, type TestDatabase, testServers } from '../../support/services/databases.ts';

type Page<Item> = { data: Item[]; next_cursor: string | null };

for (const server of testServers) {
  describe(`pages of lists on ${server.name}`, () => {
    let database: TestDatabase;
    let games: GamesCatalog;
    let reference: ReferenceCatalog;
    let api: Api;
    let url: string;
    const key = mintKey('live', crypto.getRandomValues(new Uint8Array(randomBytesPerKey)));
    const account = '11111111-1111-4111-8111-111111111111';

    beforeAll(async () => {
      database = await openDatabase(server);
      const catalogs = openCatalogs(database.sql);
      ({ games, reference } = catalogs);
      await games.seedTeams();
      await catalogs.keys.createAccount({ id: account, name: 't', tier: 'PRO', entitled: true, monthlyRows: null });
      const stored = { id: 'key', mac: macOfKey(key, pepper), pepperVersion: pepper.version, ...displayOfKey(key) };
      await catalogs.keys.addApiKey(account, stored, activeKeyCaps);
      api = await createApi({
        ...openCatalogs(database.api),
        owed: new MemoryJournal(),
        limiter: openMemoryRateLimiter(),
        rateLimits: { PRO: 1_000_000 },
        objects: openMemoryStore(),
        parquet: linesOrParquet,
        clock: systemClock,
        log: silentLog,
        baseUrl: null,
        peppers: [pepper],
        cutSlowReaders,
      });
      ({ url } = await api.listen('127.0.0.1', 0));
    });
    afterAll(() => api?.close());

    const get = (path: string): Promise<Reply> => send(url, path, { key });

    async function follow<Item>(path: string, limits: readonly number[]): Promise<Item[]> {
      const seen: Item[] = [];
      let cursor: string | null = null;
      for (let at = 0; ; at += 1) {
        const limit = limits[at % limits.length];
        const reply: Reply = await get(
          `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
        );
        assert.equal(reply.status, 200, reply.body.toString());
        const page = reply.json() as Page<Item>;
        seen.push(...page.data);
        cursor = page.next_cursor;
        if (cursor === null) return seen;
      }
    }

    /** Writes without pause until stopped. */
    function keepWriting(write: (round: number) => Promise<void>): () => Promise<void> {
      let over = false;
      const done = (async () => {
        for (let round = 0; !over; round += 1) await write(round);
      })();
      return async () => {
        over = true;
        await done;
      };
    }

    const playerId = (name: string) => serviceUuid('test', 'player', name);

    async function addPlayers(names: readonly string[]): Promise<void> {
      await database.sql.query(
        `insert into players (id, league, first_name, last_name, is_active)
         select id, 'NBA', '', name, true from unnest($1::uuid[], $2::text[]) as p (id, name) on conflict do nothing`,
        [names.map(playerId), names],
      );
    }
    const removePlayers = (names: readonly string[]) =>
      database.sql.query('delete from players where id = any ($1::uuid[])', [names.map(playerId)]);

    it('of players repeat and skip nothing that did not change, while others come and go', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 60 }),
          fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }),
          fc.nat(),
          async (count, limits, seed) => {
            await database.sql.query('delete from players');
            const lasting = Array.from({ length: count }, (_, at) => `lasting ${seed} ${at}`);
            await addPlayers(lasting);
            const stop = keepWriting(async (round) => {
              await addPlayers([`passing ${seed} ${round}`]);
              await removePlayers([`passing ${seed} ${round - 5}`]);
            });
            const seen = await follow<PlayerDocument>('/v1/players?league=NBA', limits);
            await stop();
            const ids = seen.map(({ id }) => id);
            assert.deepEqual(ids, [...ids].sort(), 'in the order of the list');
            assert.equal(new Set(ids).size, ids.length, 'none twice');
            const kept = seen
              .filter(({ last_name }) => last_name.startsWith('lasting'))
              .map(({ last_name }) => last_name);
            assert.deepEqual(new Set(kept), new Set(lasting), 'none is missing');
          },
        ),
        { numRuns: 15, endOnFailure: true },
      );
    });

    const eventAt = (at: number) => ({
      by: 'event' as const,
      league: 'NCAAM',
      eventId: `e${at}`,
      homeTeam: `College ${at % 7}`,
      awayTeam: `University ${at % 11}`,
      commenceTime: Date.UTC(2031, 0, 1, 13 * at) * 1_000,
    });

    it('of games repeat and skip nothing that did not change, within one large page too', async () => {
      // Every second game in time stays; the games that come meanwhile fall between them.
      for (let from = 0; from < 1_300; from += 260)
        await games.resolve(
          'lists',
          Array.from({ length: 130 }, (_, at) => eventAt(from + 2 * at)),
        );
      const ids = new Map((await follow<GameDocument>('/v1/games', [10_000])).map((game) => [game.id, game]));
      assert.equal(ids.size, 650);
      const stop = keepWriting(async (round) => {
        await games.resolve('lists', [eventAt(2 * (round % 650) + 1)]);
      });
      for (const limits of [[10_000], [1_000, 3], [97]]) {
        const seen = (await follow<GameDocument>('/v1/games', limits)).map(({ id }) => id);
        assert.equal(new Set(seen).size, seen.length, 'none twice');
        assert.deepEqual(
          seen.filter((id) => ids.has(id)),
          [...ids.keys()],
          'none is missing, and their order stands',
        );
      }
      await stop();
    });

    it('of 10,000 records are whole, under a strong ETag of their bytes, and cost nothing the second time', async () => {
      await database.sql.query(
        `insert into players (id, league, first_name, last_name, is_active)
         select gen_random_uuid(), 'NHL', 'Ünï' || n, 'Číslo ' || n, true from generate_series(1, 10003) n`,
      );
      const whole = await get('/v1/players?league=nhl&limit=10000');
      const page = whole.json() as Page<PlayerDocument>;
      assert.deepEqual([whole.status, page.data.length], [200, 10_000]);
      assert.equal(whole.headers['content-length'], String(whole.body.length));
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(whole.body))).toString('hex');
      assert.equal(whole.headers.etag, `"${digest}"`);
      const head = await send(url, '/v1/players?league=NHL&limit=10000', { key, method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, whole.headers.etag, 0]);
      const again = await send(url, '/v1/players?league=NHL&limit=10000', {
        key,
        headers: { 'if-none-match': whole.headers.etag as string },
      });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      const rest = (
        await get(`/v1/players?league=NHL&limit=10000&cursor=${page.next_cursor}`)
      ).json() as Page<PlayerDocument>;
      assert.deepEqual([rest.data.length, rest.next_cursor], [3, null]);
    });

    it('of teams come by league and abbreviation, whole', async () => {
      const all = await reference.teams({ league: null, after: null, limit: 10_000 });
      const seen = await follow<{ id: string }>('/v1/teams', [7, 100]);
      assert.deepEqual(
        seen.map(({ id }) => id),
        all.map(({ id }) => id),
      );
    });
  });
}
