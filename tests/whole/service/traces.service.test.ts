// Claim: one trace follows a push of quotes or of MSF from the gateway through the log to the version that readers find and to the publications
// topic, and continues that of its sender; where nothing is traced, records and notices say nothing of traces. docs/operations.md#traces.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Tracer } from '../../../core/ports/tracer.ts';
import { readTraceparent } from '../../../core/traceparent.ts';
import { openTracer } from '../../../platform/telemetry/open-tracer.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { bodyOf, wholeBodies } from '../../support/builders/msf-bodies.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { appliedMsf, pushMsf } from '../../support/editions/msf-client.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { type CollectedSpan, startCollector } from '../../support/fakes/collector.ts';
import { event, send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const sender = '00f067aa0ba902b7';

async function push(edition: Edition, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const key = await edition.feedKey(['push']);
  const reply = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
    method: 'POST',
    body: JSON.stringify({ events: [event()] }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  assert.equal(reply.status, 202, JSON.stringify(reply.body));
  await until('the game is served', async () => {
    const { data } = (await getJson(edition, '/v1/games')) as { data: { live: unknown }[] };
    return data.length > 0;
  });
  const receipt = String(reply.body.receipt);
  await until('the push is applied', async () => {
    const state = await fetch(`${edition.ingestUrl}/v1/receipts/${receipt}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await state.json()) as { state: string }).state === 'applied';
  });
  await edition.apiCaughtUp();
  return receipt;
}

async function headersIn({ broker }: Edition['drivers'], topic: string): Promise<Readonly<Record<string, string>>[]> {
  const found: Readonly<Record<string, string>>[] = [];
  for (const { partition, low, high } of await broker.watermarks(topic))
    if (high > low)
      for await (const { records } of broker.read(topic, partition, low, high))
        found.push(...records.map(({ headers }) => headers));
  return found;
}

/** The headers of the publications, once there are any. */
async function headersOfPublications({ drivers }: Edition): Promise<Readonly<Record<string, string>>[]> {
  let found: Readonly<Record<string, string>>[] = [];
  await until('it is published', async () => {
    found = await headersIn(drivers, topics.publications);
    return found.length > 0;
  });
  return found;
}

/** The span named by a header. */
function named(spans: readonly CollectedSpan[], { traceparent }: Readonly<Record<string, string>>): string | undefined {
  return spans.find(({ spanId }) => spanId === readTraceparent(traceparent)?.spanId)?.name;
}

/** The names of the spans from one up to the sender's. */
function wayUp(spans: readonly CollectedSpan[], name: string): string[] {
  const way: string[] = [];
  let span = spans.find((each) => each.name === name);
  while (span !== undefined) {
    way.push(span.name);
    if (span.parentSpanId === sender) way.push('sender');
    span = spans.find(({ spanId }) => spanId === span?.parentSpanId);
  }
  return way;
}

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`a push, ${name}`, skipFor(skip), () => {
    async function during(tracer: Tracer | undefined, work: (edition: Edition) => Promise<void>): Promise<void> {
      const { drop, ...options } = await prepare();
      const edition = await startEdition({ ...options, ...(tracer === undefined ? {} : { tracer }) });
      try {
        await work(edition);
      } finally {
        await edition.stop();
        await drop();
      }
    }

    it('is one trace from its sender to what readers find', async () => {
      await using collector = await startCollector();
      const settings = { url: `${collector.url}/v1/traces`, sampler: { root: 0, followsParent: true } };
      const tracer = await openTracer(settings, { instance: 'i', version: 'v', roles: ['all'] }, silentLog);
      let receipt = '';
      let published: Readonly<Record<string, string>>[] = [];
      await during(tracer, async (edition) => {
        receipt = await push(edition, { traceparent: `00-${traceId}-${sender}-01` });
        published = await headersOfPublications(edition);
      });
      await tracer.close();
      const spans = collector.ofTrace(traceId);
      const route = 'POST /v1/sources/:source/quotes';
      const received = [route, 'sender'];
      const sent = [`send ${topics.quotes}`, 'accept', ...received];
      const committed = ['commit', `process ${topics.quotes}`, ...sent];
      assert.deepEqual(wayUp(spans, 'make visible'), ['make visible', ...committed]);
      assert.deepEqual(wayUp(spans, 'acknowledge'), ['acknowledge', 'accept', ...received]);
      for (const part of ['fold', 'write files'])
        assert.deepEqual(wayUp(spans, part), [part, `process ${topics.quotes}`, ...sent]);
      assert.equal(collector.spans.length, spans.length, 'a push without a trace header is not traced');
      assert.deepEqual([...new Set(published.map((headers) => named(spans, headers)))], ['commit']);
      const ofRoute = spans.find((span) => span.name === route)?.attributes ?? {};
      assert.deepEqual(
        { ...ofRoute, 'sds.request_id': null },
        {
          'http.request.method': 'POST',
          'http.route': '/v1/sources/:source/quotes',
          'http.response.status_code': 202,
          'sds.request_id': null,
          'sds.receipt': receipt,
        },
      );
      assert.deepEqual([...new Set(spans.map(({ of }) => of['service.instance.id']))], ['i']);
    });

    it('of MSF is one trace to the revision that readers find, and to the quotes that it concerns', async () => {
      await using collector = await startCollector();
      const settings = { url: `${collector.url}/v1/traces`, sampler: { root: 0, followsParent: true } };
      const tracer = await openTracer(settings, { instance: 'i', version: 'v', roles: ['all'] }, silentLog);
      let published: Readonly<Record<string, string>>[] = [];
      await during(tracer, async (edition) => {
        const key = await edition.feedKey(['msf']);
        const target = { league: 'NBA', season: 'current', feed: 'games' };
        const traceparent = `00-${traceId}-${sender}-01`;
        const receipt = await pushMsf(edition, key, target, bodyOf(wholeBodies.games), { traceparent });
        const { records } = await appliedMsf(edition, key, receipt);
        assert.ok(records.some(({ revisions }) => revisions.length > 0));
        await edition.apiCaughtUp();
        published = await headersOfPublications(edition);
        const status = async () => (await headersIn(edition.drivers, topics.quotes)).map(({ source }) => source);
        await until('the quotes are told of it', async () => (await status()).includes('msf'));
        published.push(...(await headersIn(edition.drivers, topics.quotes)).filter(({ source }) => source === 'msf'));
      });
      await tracer.close();
      const spans = collector.ofTrace(traceId);
      const sent = [`send ${topics.observations}`, 'accept', 'POST /v1/sources/:source/msf/:league/:season/:feed'];
      const committed = ['commit', `process ${topics.observations}`, ...sent, 'sender'];
      assert.deepEqual(wayUp(spans, 'make visible'), ['make visible', ...committed]);
      assert.deepEqual([...new Set(published.map((headers) => named(spans, headers)))], ['commit']);
    });

    it('leaves nothing in the log or in a notice where nothing is traced', async () => {
      await during(undefined, async (edition) => {
        const said: string[] = [];
        const stop = await edition.drivers.sql.listen(
          'serving',
          (notice) => void said.push(notice),
          () => {},
        );
        await push(edition, { traceparent: `00-${traceId}-${sender}-01` });
        await until('the commit is announced', async () => said.length > 0);
        await stop();
        assert.doesNotMatch(said.join(), /trace|,|4bf92f35/);
        const inLog = [...(await headersIn(edition.drivers, topics.quotes)), ...(await headersOfPublications(edition))];
        const names = inLog.flatMap((headers) => Object.keys(headers));
        assert.ok(names.includes('source'));
        assert.ok(!names.includes('traceparent'), names.join());
      });
    });
  });
}
