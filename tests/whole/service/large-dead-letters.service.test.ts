// Claim: a large payload of a dead letter, of a push or of a record that the fold refuses, is an object and no part of the database, in both
// editions; it is there for as long as a letter names it, and no longer. A violation would need a letter that is stored without it, or a
// collector that takes it for an orphan.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { ListedDeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { heldPayload } from '../../../platform/objects/dead-letter-payloads.ts';
import { collectOrphans } from '../../../projectors/jobs/collector.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { delta, uuid, withdrawn } from '../../support/builders/live-records.ts';
import { Program } from '../../support/campaigns/program.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { twoEditions } from '../../support/editions/two-editions.ts';
import { send } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of twoEditions) {
  describe(`large dead letters, ${name}`, skipFor(skip), () => {
    it('are objects for as long as a letter names them', async (t) => {
      const { drop, ...setting } = await prepare();
      const edition = await startEdition({ ...setting, roles: ['ingest', 'projectors'] });
      t.onTestFinished(async () => {
        await edition.stop();
        await drop();
      });
      const { catalogs, objects, sql, broker } = edition.drivers;
      const quotes = Array.from({ length: 3_000 }, () => ({
        market: 'moneyline',
        selection: 'home',
        price: { american: 1 },
      }));
      await pushRefused(edition, quotes);
      const hopeless = Array.from({ length: 2_000 }, (_, index) => withdrawn(`selection ${index}`, { period: 'full' }));
      await broker.produce(topics.quotes, [{ key: uuid, value: delta('X', hopeless), headers: { source: 'feed' } }]);

      let letters: readonly ListedDeadLetter[] = [];
      const all = { before: null, limit: 10_000, code: null, source: null };
      await until('all letters', async () => {
        letters = (await catalogs.deadLetters.list(all)).toReversed();
        return letters.length >= 5_000;
      });
      const ofFold = letters.find(({ offset }) => offset !== null)!;
      const ofGateway = letters.filter(({ offset }) => offset === null);
      const held = async ({ id }: ListedDeadLetter) => (await catalogs.deadLetters.one(id))?.held;
      const collect = () =>
        collectOrphans({ catalog: catalogs.objects, live: catalogs.live, objects, crash: () => {} }, -60_000_000);
      await collect();
      const [first, last, record] = await Promise.all([ofGateway[0]!, ofGateway.at(-1)!, ofFold].map(held));
      assert.deepEqual(first, last, 'dead letters with equal bytes share an object');
      const body = await heldPayload(objects, first!);
      assert.deepEqual((JSON.parse(Buffer.from(body!).toString()) as { quotes: unknown }).quotes, quotes);
      assert.ok((await heldPayload(objects, record!))!.length > 64 * 1024);
      const { rows } = await sql.query('select coalesce(max(octet_length(payload)), 0) as most from letter_payloads');
      assert.ok((rows[0]?.most as number) <= 64 * 1024);

      await until('the topic has them', async () => (await catalogs.outbox.unpublishedDeadLetters(1)).length === 0);
      await catalogs.deadLetters.forget({ before: 0, bytes: 1 });
      await collect();
      assert.deepEqual([await heldPayload(objects, first!), await heldPayload(objects, record!)], [null, null]);
      const dropped = await catalogs.deadLetters.dropped();
      assert.equal(
        dropped.reduce((sum, each) => sum + each.letters, 0),
        letters.length,
      );
    });
  });
}

describe(
  'a gateway that is killed between the object of a payload and its letter',
  skipFor((await services.postgres()).skip),
  () => {
    it('leaves an object that no letter names, which is collected', async (t) => {
      const postgres = await services.postgres();
      if (postgres.skip !== false) return;
      const database = await postgres.createMigratedDatabase();
      const folder = makeDataFolder('letters');
      const environment = {
        ...{ SDS_EDITION: 'embedded', SDS_DATA_DIR: folder, DATABASE_URL: database.url, SDS_DEMO: 'off' },
        ...{ SDS_READY_FILE: join(folder, 'ready.json'), SDS_API_PORT: '0', SDS_INGEST_PORT: '0' },
      };
      const gateway = new Program('gateway', environment, { roles: ['all'] });
      t.onTestFinished(async () => {
        await gateway.kill();
        await database.drop();
        rmSync(folder, { recursive: true, force: true });
      });
      gateway.start('letters:held');
      await gateway.untilReady();
      const ready = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as Record<string, string>;
      await assert.rejects(pushUnread(ready.ingest_url!, ready.feed_key!), 'the push is not answered');
      await gateway.ended();
      assert.equal(gateway.ends[0]?.by, 'point', JSON.stringify(gateway.ends));
      const edition = await startEdition({ environment, roles: ['ingest'] });
      t.onTestFinished(() => edition.stop());
      const { catalogs, objects } = edition.drivers;
      const held = async () => {
        const keys: string[] = [];
        for await (const { key } of objects.list('letters/')) keys.push(key);
        return keys;
      };
      const all = { before: null, limit: 10, code: null, source: null };
      assert.deepEqual([(await held()).length, await catalogs.deadLetters.list(all)], [1, []]);
      assert.equal(await pushUnread(edition.ingestUrl, await edition.feedKey(['msf'])), 400);
      const [letter] = await catalogs.deadLetters.list(all);
      const collecting = { catalog: catalogs.objects, live: catalogs.live, objects, crash: () => {} };
      assert.equal(
        await collectOrphans(collecting, 3_600_000_000),
        0,
        'young objects may belong to a push in progress',
      );
      assert.equal(await collectOrphans(collecting, -60_000_000), 1);
      assert.deepEqual(await held(), [(await catalogs.deadLetters.one(letter!.id))?.held?.key]);
    });
  },
);

/** Pushes a large body that cannot be read. */
async function pushUnread(gateway: string, key: string): Promise<number> {
  const answer = await fetch(`${gateway}/v1/sources/feed/msf/NBA/2025-2026-regular/playbyplay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"plays":[],"game":"${'x'.repeat(100_000)}"}`,
  });
  await answer.body?.cancel();
  return answer.status;
}

async function pushRefused(edition: Edition, quotes: readonly object[]): Promise<void> {
  const commence_time = new Date(Date.now() + 3_600_000).toISOString();
  const game = { league: 'NBA', event_id: 'e', home_team: 'Boston Celtics', away_team: 'Miami Heat', commence_time };
  const answer = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await edition.feedKey(['push'])}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ kind: 'image', operator: 'X', game, quotes }] }),
  });
  assert.ok(answer.status === 202 || answer.status === 400, JSON.stringify(answer.body).slice(0, 500));
}
