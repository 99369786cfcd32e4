// A backup and the partitions of the log (docs/backup.md; docs/operations.md#adding-partitions): one that is taken before partitions are
// added, one while that is half done, and one afterwards are restored elsewhere. `sds verify` and a replay find nothing wrong there, each game
// is in the partition in which it began, and pushes of it and of new games are served. A violation would be a game whose records are in two
// partitions, or are refused, in the restored service.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { type EditionName, editions, openPlace, type Place } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [before, after] = [4, 7];
const [old, young, later] = [
  ['2040-08-05', '2040-08-09', '2040-08-13'],
  ['2040-08-17', '2040-08-21', '2040-08-25', '2040-08-29'],
  ['2040-09-02', '2040-09-06', '2040-09-10', '2040-09-14'],
];
const idOf = (day: string): string => `MLB_BOS_NYY_${day.replaceAll('-', '')}`;

/** Where a service is, its environment and what else it needs. */
type Home = { environment: Record<string, string>; ready: string; close(): Promise<void> };

/** Among how many partitions each of these games is divided, and its partition, by day. */
type Places = Record<string, { partition: number; of: number }>;

for (const edition of editions)
  describe(`backups across a growth of the log, ${edition}`, skipFor(outOfTurn() || leftOut(edition, editions)), () => {
    it('keep games in their partitions, and found others as the service did', async (t) => {
      const folder = makeDataFolder('backup-growth');
      await using closing = new AsyncDisposableStack();
      closing.defer(() => rmSync(folder, { recursive: true, force: true }));
      const open = async (name: string, bare: boolean): Promise<Home | string> => {
        const home = await homeOf(edition, join(folder, name), bare);
        if (typeof home !== 'string') closing.defer(() => home.close());
        return home;
      };
      const original = await open('original', false);
      if (typeof original === 'string') return t.skip(original);
      const backup = (name: string) => succeed(original, 'backup', join(folder, name));

      await running(original, (ready) => offer(ready, old, 1));
      await backup('before');
      const grow = ['log', 'grow', '--partitions', String(after), '--yes', '--wait'];
      const half = await runSds(original.environment, [...grow, '1']);
      assert.deepEqual([half.code, /no projector has claimed/.test(half.err)], [1, true], half.err);
      await backup('half');
      const places = await running(original, async (ready) => {
        await succeed(original, ...grow, '60');
        await offer(ready, young, 1);
        await backup('after');
        return placesOf(original, [...old, ...young]);
      });
      for (const day of old) assert.equal(places[day]?.of, before);
      for (const day of young) assert.equal(places[day]?.of, after);

      // A cluster of Kafka for each restored service: the distributed edition restores the two that hold more than the log of one layout.
      const kept = edition === 'embedded' ? ['before', 'half', 'after'] : ['half', 'after'];
      for (const name of kept) {
        const restored = await open(`restored-${name}`, true);
        if (typeof restored === 'string') return t.skip(restored);
        await succeed(restored, 'restore', join(folder, name));
        await succeed(restored, 'verify');
        const known = name === 'after' ? [...old, ...young] : old;
        assert.deepEqual(
          await placesOf(restored, known),
          Object.fromEntries(known.map((day) => [day, places[day]])),
          name,
        );
        await running(restored, async (ready) => {
          await offer(ready, known, 2);
          await offer(ready, later, 1);
          for (const { of } of Object.values(await placesOf(restored, later)))
            assert.equal(of, name === 'after' ? after : before, name);
          const { out } = await succeed(restored, 'replay', '--json');
          assert.equal((JSON.parse(out) as { games: number }).games, known.length + later.length, out);
          const letters = await succeed(restored, 'dlq', 'summary', '--json');
          assert.deepEqual((JSON.parse(letters.out) as { data: unknown[] }).data, [], name);
        });
        await succeed(restored, 'verify');
      }
    });
  });

/** `bare`: nothing is there yet, neither a database nor a directory. */
async function homeOf(edition: EditionName, folder: string, bare: boolean): Promise<Home | string> {
  if (edition === 'embedded') {
    const environment = { SDS_EDITION: edition, SDS_DATA_DIR: folder, SDS_INGEST_PORT: '0', DATABASE_URL: '' };
    return withReadyFile(environment, `${folder}.json`, async () => {});
  }
  const place: Place | string = await openPlace(edition, { partitions: before, bare });
  if (typeof place === 'string') return place;
  return withReadyFile(place.environment, join(place.folder, 'ready.json'), () => place.close());
}

function withReadyFile(environment: Record<string, string>, ready: string, close: () => Promise<void>): Home {
  return { environment: { ...environment, SDS_API_PORT: '0', SDS_READY_FILE: ready, SDS_DEMO: 'off' }, ready, close };
}

async function running<T>({ environment, ready }: Home, work: (ready: ReadyFile) => Promise<T>): Promise<T> {
  const program = new Program('service', environment, { roles: ['all'] });
  program.start();
  try {
    await program.untilReady();
    assert.ok(program.ready, JSON.stringify(program.ends));
    return await work(JSON.parse(readFileSync(ready, 'utf8')) as ReadyFile);
  } finally {
    await program.kill();
  }
}

async function succeed({ environment }: Home, ...args: string[]) {
  const ran = await runSds(environment, args);
  assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.err}${ran.out}`);
  return ran;
}

/** Pushes a new price of each game, and waits until as many rows of it are served. */
async function offer(ready: ReadyFile, days: readonly string[], rows: number): Promise<void> {
  const { ingest_url: gateway, feed_key: key, api_url: apiUrl, api_key: apiKey } = ready;
  for (const day of days)
    await pushMoneyline({ gateway, key: key as string }, 100 + rows, {
      eventId: day,
      commenceTime: `${day}T23:00:00Z`,
    });
  for (const day of days)
    await until(`${rows} rows of ${day}`, async () => {
      const manifest = await manifestOf({ apiUrl, apiKey }, idOf(day)).catch(() => null);
      return manifest !== null && (await rowsOf({ apiUrl, apiKey }, manifest)).length === rows;
    });
}

async function placesOf(home: Home, days: readonly string[]): Promise<Places> {
  const places: Places = {};
  for (const day of days) {
    const { out } = await succeed(home, 'games', 'show', idOf(day), '--json');
    const [quotes] = (JSON.parse(out) as { partitions: { partition: number; of: number }[] }).partitions;
    assert.ok(quotes !== undefined, out);
    places[day] = { partition: quotes.partition, of: quotes.of };
  }
  return places;
}
