// A game through the whole service to waiting clients: a push is announced on a stream of events and answers a waiting request.
// docs/interface.md#rows; docs/interface.md#waiting; docs/interface.md#events.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type CanonicalRow, canonicalCells } from '../../../core/msf/canonical-row.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import type { LiveRows } from '../../../schemas/http/live.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { type Setting, sampledEditions } from '../../support/editions/two-editions.ts';
import { openEvents } from '../../support/http/event-client.ts';
import { event, send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const pushes = 25;

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`news of a game, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let edition: Edition;
    let key: string;

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition(options);
      key = await edition.feedKey(['push']);
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    async function push(price: number): Promise<void> {
      const quotes = ['home', 'away'].map((selection) => ({
        market: 'moneyline',
        selection,
        price: { american: price },
        state: 'open',
      }));
      const body = { events: [event({ quotes })] };
      const reply = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      assert.equal(reply.status, 202, JSON.stringify(reply.body));
    }

    it('comes at once, each row once, and costs each row once', async (t) => {
      await push(-110);
      let id = '';
      await until('the game is tracked', async () => {
        const { data } = (await getJson(edition, '/v1/games')) as { data: { id: string }[] };
        id = data[0]?.id ?? '';
        return (await manifestOf(edition, id)).cursor !== '0:0';
      });
      const events = await openEvents(edition.apiUrl, `/v1/events?games=${id}`, edition.apiKey);
      const read: LiveRows['rows'] = [];
      const following = (async () => {
        let cursor = '0:0';
        while (read.length < 2 * pushes) {
          const response = await fetch(`${edition.apiUrl}/v1/games/${id}/sportsbook-lines/rows?cursor=${cursor}`, {
            headers: { authorization: `Bearer ${edition.apiKey}`, prefer: 'wait=25' },
          });
          assert.equal(response.status, 200, await response.clone().text());
          const page = (await response.json()) as LiveRows;
          read.push(...page.rows);
          cursor = page.cursor;
        }
        return cursor;
      })();
      await events.next(({ data }) => data.rows === 2);
      const delays: number[] = [];
      for (let count = 2; count <= pushes; count += 1) {
        await push(-110 - count);
        const accepted = performance.now();
        await events.next(({ data }) => data.rows === 2 * count);
        delays.push(performance.now() - accepted);
      }
      const cursor = await following;
      delays.sort((a, b) => a - b);
      t.annotate(`push accepted to head at the client: median ${delays[delays.length >> 1]?.toFixed(0)} ms`);
      const manifest = await manifestOf(edition, id);
      assert.equal(manifest.cursor, cursor);
      assert.equal(events.events.findLast(({ event }) => event === 'head')?.data.cursor, cursor);
      const rows = await rowsOf(edition, manifest);
      assert.deepEqual(
        read.map((row) => Object.values(row)),
        rows.map((row) => canonicalCells(sportsbookLines.columns, row as CanonicalRow)),
      );
      const { quota } = (await getJson(edition, '/v1/me')) as { quota: { used_rows: number } };
      assert.equal(quota.used_rows, 2 * pushes);
      events.close();
    });
  });
}
