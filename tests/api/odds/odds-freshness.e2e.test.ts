// How current odds are, and how much work they make: docs/odds.md#freshness, docs/odds.md#parameters.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { gameOdds, type OddsDocument, oddsPage } from '../../../schemas/http/odds.ts';
import { image, quote, seconds } from '../../support/builders/live-records.ts';
import { publishLog } from '../../support/builders/published-log.ts';
import { linesOrParquet } from '../../support/fakes/lines-or-parquet.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { LiveLog } from '../../support/folds/live-log.ts';
import { assertProblem, pepper, startApi, type TestApi } from '../../support/http/api-http.ts';

/** One more than a page has where no `limit` is given. */
const games = Array.from({ length: 21 }, (_, at) => ({
  gameId: `MLB_STL_NYY_202608${String(at + 1).padStart(2, '0')}`,
  uuid: `00000000-0000-5000-8000-${String(at + 1).padStart(12, '0')}`,
}));
const [{ gameId: first, uuid }] = games as [(typeof games)[number]];

describe('odds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-odds-'));
  const objects = openMemoryStore();
  const log = new LiveLog();
  /** Reads of objects wait for it. */
  let reading: Promise<void> = Promise.resolve();
  let decoded = 0;
  let version = 0;
  let api: TestApi;

  async function publish(game: string): Promise<void> {
    version += 1;
    const { rows, segments, game: state } = log;
    const to = { catalog: api.catalog, objects: api.objects, folder };
    await publishLog(to, { rows, segments, state: { ...state, uuid: game } }, version);
  }

  beforeAll(async () => {
    api = await startApi({
      objects: {
        ...objects,
        async get(key, part) {
          await reading;
          return objects.get(key, part);
        },
      },
      parquet: {
        ...linesOrParquet,
        batches(...given) {
          decoded += 1;
          return linesOrParquet.batches(...given);
        },
      },
    });
    log.apply(image('A', [quote('home', 120), quote('away', -110)], { at: 0 }));
    for (const game of games) {
      api.catalog.addGame(game);
      await publish(game.uuid);
    }
  });
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = async (query = '', key = api.key): Promise<OddsDocument> => {
    const reply = await api.get(`/v1/games/${first}/odds${query}`, { key });
    assert.equal(reply.status, 200, reply.body.toString());
    return gameOdds.parse(reply.json());
  };

  it('are made once a second for all accounts, at the clock of then, from a board that is decoded once a version', async () => {
    const other = api.catalog.mint(pepper, { accountId: 'other' });
    await api.clock.still(async () => {
      api.clock.ahead += 1_000_000 - (api.clock.now() % 1_000_000);
      const made = await read();
      assert.equal(made.as_of, formatMicros(api.clock.now()));
      const before = decoded;
      api.clock.ahead += 999_999;
      assert.deepEqual(await read('', other), made);
      for (const micros of [1, 1_000_000]) {
        api.clock.ahead += micros;
        assert.equal((await read('', other)).as_of, formatMicros(api.clock.now()));
      }
      await read('?best=true');
      assert.equal(decoded, before);
      log.apply(image('A', [quote('home', 130), quote('away', -110)], { at: 60 }));
      await publish(uuid);
      assert.equal((await read()).selections[1]?.best?.price_american, 130);
      assert.equal(decoded, before + 1);
    });
  });

  it('of all games are the documents of their own routes, 20 in a page where no limit is given', async () => {
    await api.clock.still(async () => {
      const { data, next_cursor } = oddsPage.parse((await api.get('/v1/odds')).json());
      assert.deepEqual(
        data.map(({ game_id }) => game_id),
        games.slice(0, 20).map(({ gameId }) => gameId),
      );
      assert.ok(next_cursor !== null);
      assert.deepEqual(data[0], await read());
    });
  });

  it('as of instants are read from logs by two at a time; 32 wait, and more are refused', async () => {
    const held = Promise.withResolvers<void>();
    reading = held.promise;
    const beyond = 3;
    let answered = 0;
    const asked = Array.from({ length: 2 + 32 + beyond }, async (_, at) => {
      const reply = await api.get(`/v1/games/${first}/odds?at=${formatMicros(seconds(at))}`);
      answered += 1;
      if (answered === beyond) {
        // By then the last of them has arrived.
        for (let more = 0; more < 5; more += 1) await api.get('/v1/me');
        held.resolve();
      }
      return reply;
    });
    const refused = (await Promise.all(asked)).filter(({ status }) => status !== 200);
    for (const reply of refused) assertProblem(reply, 'temporarily-unavailable');
    assert.equal(refused.length, beyond);
  });
});
