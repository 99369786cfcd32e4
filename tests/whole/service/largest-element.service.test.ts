// The element that is largest in the log of all that a source may send: 5,000 quotes in 900,000 bytes, each of which repeats in the log what
// the element says once — a market of the longest name, a long period, a stamp. It goes through the gateway to the board in both editions.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { isLeague } from '../../../core/league-code.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import { maxRecordBytes } from '../../../platform/broker/topic-settings.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf } from '../../support/editions/published-game.ts';
import { type Setting, sampledEditions } from '../../support/editions/two-editions.ts';
import { send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const quotes = 5_000;
const bytes = 900_000;
/** 64 characters with the prefix, without the suffix that names the period. */
const market = `player_${'m'.repeat(57)}`;
const start = new Date(Date.now() + 3_600_000).toISOString();

/** An image of `quotes` outcomes with texts that make it exactly `bytes` bytes long. */
function largestElement(): string {
  const element = (names: readonly string[]) =>
    JSON.stringify({
      id: 'largest',
      sport_key: 'basketball_nba',
      commence_time: start,
      home_team: 'Boston Celtics',
      away_team: 'Los Angeles Lakers',
      bookmakers: [
        {
          key: 'largest',
          last_update: '2026-01-01T00:00:00.000000Z',
          markets: [{ key: `${market}_1st_5_innings`, outcomes: names.map((name) => ({ name, price: 100 })) }],
        },
      ],
    });
  const bare = Array.from({ length: quotes }, (_, index) => index.toString(36).padStart(3, '0'));
  const missing = bytes - Buffer.byteLength(element(bare));
  const each = Math.floor(missing / quotes);
  const filled = bare.map((name, index) => name + 'n'.repeat(each + (index < missing - each * quotes ? 1 : 0)));
  return element(filled);
}

describe('the largest element', () => {
  it('makes a record that the log takes, and not by much', () => {
    const body = Buffer.from(`[${largestElement()}]`);
    const terms = readPollTerms({ oddsFormat: null, markets: null, bookmakers: null });
    assert.ok(terms.kind === 'terms' && isLeague('NBA'));
    const push = {
      source: 's'.repeat(64),
      receivedAt: Date.now() * 1_000,
      may: everything,
      mayBackfill: false,
      observedAt: null,
    };
    const adapted = runToEnd(adaptTheOddsApiPush(body, terms, { ...push, idempotencyKey: 'k' }));
    assert.ok(adapted.kind === 'elements');
    const [element] = adapted.elements;
    assert.ok(element?.kind === 'accepted', JSON.stringify(element).slice(0, 300));
    assert.equal(element.end - element.start, bytes);
    assert.deepEqual(element.refusals, []);
    const record: QuotesRecord = {
      game_uuid: 'g'.repeat(36),
      game_id: 'NBA_LAL_BOS_20260101',
      league: 'NBA',
      source: push.source,
      received_at: push.receivedAt,
      push: 'rcpt_00000000000000000000000000000000',
      push_index: 0,
      rank: 1_000,
      observation: element.observation,
      start: null,
      status: null,
      owner: null,
      tick: null,
      settle: null,
    };
    const size = openCodec(eventSchema(topics.quotes)).encode(1, record).length;
    assert.ok(size > 1_300_000, `${size} bytes: this is no longer the largest element`);
    assert.ok(size + 10_000 < maxRecordBytes, `${size} bytes`);
  });
});

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`the largest element, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let edition: Edition;

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition(options);
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    it('is accepted, and every quote of it reaches the board', async () => {
      const answer = await send(`${edition.ingestUrl}/v1/sources/largest/the-odds-api-v4`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await edition.feedKey(['push'])}`,
          'content-type': 'application/json',
        },
        body: `[${largestElement()}]`,
      });
      assert.equal(answer.status, 202, JSON.stringify(answer.body).slice(0, 500));
      assert.deepEqual([answer.body.accepted, answer.body.rejected], [1, []]);
      const game = async () => {
        const { data } = (await getJson(edition, '/v1/games')) as { data: { id: string }[] };
        return data[0]?.id;
      };
      await until('all its rows', async () => {
        const id = await game();
        if (id === undefined) return false;
        const manifest = await manifestOf(edition, id).catch(() => null);
        return manifest?.board.rows === quotes;
      });
    });
  });
}
