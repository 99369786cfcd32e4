// A game from its first quote to its final file through the whole service, in both editions: pushed, served live by two instances, landed as
// a settlement would, served final by both, counted by the ledger. docs/interface.md#from-live-to-final; docs/settlement.md#landing; I7, I16.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import { collectOrphans, collectSuperseded } from '../../../projectors/jobs/collector.ts';
import { finalDatasets, landFinals, rowsOfLog } from '../../support/builders/final-files.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson, getRows, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { type Setting, twoEditions } from '../../support/editions/two-editions.ts';
import { event, send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of twoEditions) {
  describe(`from live to final, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let instances: Edition[];
    let edition: Edition;
    let key: string;

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition(options);
      instances = [edition];
      // A second instance of the embedded edition would have files of its own.
      if (name === 'distributed') instances.push(await startEdition({ ...options, roles: ['api'] }));
      key = await edition.feedKey(['push']);
    });
    afterAll(async () => {
      for (const each of instances ?? []) await each.stop();
      await setting?.drop();
    });

    const quotes = (price: number) =>
      ['home', 'away'].map((selection) => ({
        market: 'moneyline',
        selection,
        price: { american: price },
        state: 'open',
      }));
    const push = async (price: number) => {
      const body = { events: [event({ quotes: quotes(price) })] };
      const reply = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      assert.equal(reply.status, 202, JSON.stringify(reply.body));
      await until('the push is applied', async () => {
        const { body: receipt } = await send(`${edition.ingestUrl}/v1/receipts/${reply.body.receipt}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return receipt.state === 'applied';
      });
    };
    const status = async (instance: Edition, path: string): Promise<{ status: number; reason: unknown }> => {
      const response = await fetch(instance.apiUrl + path, { headers: { authorization: `Bearer ${instance.apiKey}` } });
      const reason = response.ok ? null : ((await response.json()) as { reason?: unknown }).reason;
      if (response.ok) await response.arrayBuffer();
      return { status: response.status, reason };
    };
    const bytesOf = async (instance: Edition, path: string): Promise<Uint8Array> => {
      const headers = { authorization: `Bearer ${instance.apiKey}` };
      return new Uint8Array(await (await fetch(instance.apiUrl + path, { headers })).arrayBuffer());
    };
    const used = async () => ((await getJson(edition, '/v1/me')) as { quota: { used_rows: number } }).quota.used_rows;

    it('the final file has the rows that the segments had, and every instance flips once', async () => {
      for (const price of [-110, -115, 120, -130]) await push(price);
      const { data } = (await getJson(edition, '/v1/games')) as { data: { id: string; league: string }[] };
      const { id, league } = data[0]!;
      const uuid = (await edition.drivers.catalogs.games.find(id))?.uuid as string;
      const lines = `/v1/games/${id}/sportsbook-lines`;
      const live = ['/segments', '/segments/1', '/board', '/board/BOOK'].map((rest) => lines + rest);
      for (const instance of instances) {
        await until('the rows are there', async () => (await manifestOf(instance, id)).cursor === '1:8');
        for (const path of live) assert.equal((await status(instance, path)).status, 200, path);
        assert.equal((await status(instance, lines)).status, 404);
      }
      const manifest = await manifestOf(edition, id);
      const rows = await rowsOf(edition, manifest);
      const segment = await bytesOf(edition, manifest.segments[0]!.url);
      assert.equal(await used(), 8, 'each row of the log once');

      const { objects, catalogs } = edition.drivers;
      const log = await catalogs.live.servedLog(uuid);
      const game = { uuid, gameId: id, league };
      const finals = await landFinals({ objects, artifacts: catalogs.artifacts }, game, {
        lines: await rowsOfLog(objects, log!),
      });
      for (const instance of instances) {
        assert.deepEqual(await getRows(instance, lines, 'sportsbook-lines'), rows);
        assert.deepEqual(
          readFooter(await bytesOf(instance, lines)).schema,
          readFooter(segment).schema,
          'columns, types and nullability are the same',
        );
        for (const path of live) {
          assert.deepEqual(await status(instance, path), { status: 404, reason: 'final_available' }, path);
        }
        for (const dataset of finalDatasets) {
          assert.equal((await status(instance, `/v1/games/${id}/${dataset}`)).status, 200);
        }
      }
      const files = finalDatasets.reduce((sum, dataset) => sum + finals[dataset].rows.length, 0);
      assert.equal(await used(), 8 + 2 * rows.length + files);
    });

    it('what is pushed after that changes nothing of it, and the collector takes none of its files', async () => {
      const { data } = (await getJson(edition, '/v1/games')) as { data: { id: string }[] };
      const lines = `/v1/games/${data[0]?.id}/sportsbook-lines`;
      const before = await getRows(edition, lines, 'sportsbook-lines');
      await push(-150);
      const { objects, catalogs } = edition.drivers;
      const tools = { catalog: catalogs.objects, live: catalogs.live, objects, crash: noCrashPoints };
      await collectSuperseded(tools, -60_000_000);
      await collectOrphans(tools, -60_000_000);
      const game = await catalogs.games.find(data[0]?.id as string);
      for (const { file } of (await catalogs.artifacts.served(game?.uuid as string)).artifacts) {
        assert.notEqual(await objects.head(file.key), null);
      }
      const { drop: _, ...options } = setting;
      // An instance with nothing in memory.
      if (name === 'distributed') instances.push(await startEdition({ ...options, roles: ['api'] }));
      for (const instance of instances) {
        assert.deepEqual(await getRows(instance, lines, 'sportsbook-lines'), before);
        assert.equal((await status(instance, `${lines}/segments`)).reason, 'final_available');
      }
    });
  });
}
