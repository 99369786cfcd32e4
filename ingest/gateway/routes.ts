// The gateway's routes (operations.md, "Push gateway"). Each reads its request, calls the rule or port that answers, and says so.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { ReceiptState } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { formatMicros, parseRfc3339 } from '../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { AdaptedPush, PushContext } from '../adapters/adapted.ts';
import { adaptNativePush } from '../adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../adapters/the-odds-api-v4.ts';
import { tickRecords } from '../tick-records.ts';
import { acceptPush, type PushTools } from './accept-push.ts';
import { type FeedKeys, requireScope, requireSource } from './feed-keys.ts';
import { Problem } from './problem.ts';
import { bodyForm, inflate } from './read-body.ts';

export type RouteTools = PushTools & { live: LiveCatalog; clock: Clock; feedKeys: FeedKeys };

/** Bytes of bodies under way at once; beyond it a push is told to come back. */
const mostBytesUnderWay = 64 * 1024 * 1024;
const sourceForm = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;

type SourceRequest = FastifyRequest<{ Params: { source: string }; Querystring: Record<string, string | string[]> }>;

export function registerPushRoutes(app: FastifyInstance, tools: RouteTools): void {
  let bytesUnderWay = 0;

  /** Reads and authorises a push, adapts its body, and accepts it. */
  const push = async (
    request: SourceRequest,
    reply: FastifyReply,
    allowed: readonly string[],
    adapt: (body: Uint8Array, context: PushContext) => AdaptedPush,
  ) => {
    const { source, observedAt, mayBackfill } = await authorise(tools, request);
    requireQuery(request.query, allowed);
    const idempotencyKey = headerOf(request, 'idempotency-key');
    if (idempotencyKey !== null && !idempotencyKeyForm.test(idempotencyKey))
      throw new Problem('validation-error', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
    const sent = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
    const cost = sent.length;
    if (bytesUnderWay > 0 && bytesUnderWay + cost > mostBytesUnderWay)
      throw new Problem('rate-limited', 'too many bytes are being accepted at once', {
        headers: { 'retry-after': '1' },
      });
    bytesUnderWay += cost;
    try {
      const body = await inflate(sent, headerOf(request, 'content-encoding') ?? undefined);
      const receivedAt = tools.clock.now();
      const adapted = adapt(body, { source, receivedAt, mayBackfill, observedAt, idempotencyKey });
      if (adapted.kind === 'malformed') throw new Problem('validation-error', adapted.detail);
      const answer = await acceptPush(tools, { source, receivedAt, idempotencyKey, body, elements: adapted.elements });
      if (answer.kind === 'idempotency-conflict')
        throw new Problem('idempotency-conflict', 'the key was used with another body within 24 hours; use a new key');
      if (answer.kind === 'all-rejected')
        throw new Problem('validation-error', 'no record of the body is acceptable; rejected says why', {
          members: { rejected: answer.rejected },
        });
      const { kind: _, ...receipt } = answer;
      return reply.code(202).send(receipt);
    } finally {
      bytesUnderWay -= cost;
    }
  };

  app.post('/v1/sources/:source/quotes', (request: SourceRequest, reply) => {
    const form = bodyForm(headerOf(request, 'content-type') ?? undefined);
    return push(request, reply, [], (body, context) => adaptNativePush(body, form, context));
  });

  app.post('/v1/sources/:source/the-odds-api-v4', (request: SourceRequest, reply) => {
    if (bodyForm(headerOf(request, 'content-type') ?? undefined) !== 'json')
      throw new Problem('unsupported-media-type', 'Content-Type must be application/json');
    const { odds_format, markets, bookmakers } = singleValues(request.query);
    const terms = readPollTerms({
      oddsFormat: odds_format ?? null,
      markets: markets ?? null,
      bookmakers: bookmakers ?? null,
    });
    if (terms.kind === 'invalid') throw new Problem('validation-error', terms.detail);
    return push(request, reply, ['odds_format', 'markets', 'bookmakers'], (body, context) =>
      adaptTheOddsApiPush(body, terms, context),
    );
  });

  app.post('/v1/sources/:source/ticks', async (request: SourceRequest, reply) => {
    const { source, key } = await authorise(tools, request);
    requireScope(key, 'backfill', 'a tick at a time of its own');
    requireQuery(request.query, []);
    bodyForm(headerOf(request, 'content-type') ?? undefined);
    const at = tickTime(request.body, tools.clock.now() + 5 * microsPerSecond);
    const games = await tools.live.gamesOpenFor(source);
    await tools.broker.produce(topics.quotes, tickRecords(games, at));
    return reply.code(202).send({ receipt: null, accepted: games.length, duplicates: 0, rejected: [] });
  });

  app.get(
    '/v1/receipts/:receipt',
    async (request: FastifyRequest<{ Params: { receipt: string }; Querystring: Record<string, string> }>) => {
      const key = await tools.feedKeys.authenticate(authorizations(request));
      requireQuery(request.query, []);
      const found = await tools.pushes.receipt(request.params.receipt);
      if (found === null || !(key.sources.includes('*') || key.sources.includes(found.source))) {
        throw new Problem('not-found', 'no such receipt; receipts are kept 24 hours');
      }
      return receiptBody(found);
    },
  );

  app.get('/health', async () => ({ status: (await tools.broker.healthy()) ? 'ok' : 'degraded' }));
}

async function authorise(tools: RouteTools, request: SourceRequest) {
  const key = await tools.feedKeys.authenticate(authorizations(request));
  const { source } = request.params;
  if (!sourceForm.test(source)) throw new Problem('not-found', 'a source is [a-z0-9][a-z0-9_-]{0,63}');
  requireSource(key, source);
  requireScope(key, 'push', 'a push');
  const observedAt = headerOf(request, 'x-observed-at');
  if (observedAt !== null) requireScope(key, 'backfill', 'X-Observed-At');
  return { key, source, observedAt, mayBackfill: key.scopes.includes('backfill') };
}

function authorizations(request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');
}

function headerOf(request: FastifyRequest<{ Params: { source: string } }>, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function singleValues(query: Record<string, string | string[]>): Record<string, string> {
  for (const [name, value] of Object.entries(query))
    if (typeof value !== 'string') throw new Problem('validation-error', `query parameter ${name} is given twice`);
  return query as Record<string, string>;
}

function requireQuery(query: Record<string, string | string[]>, allowed: readonly string[]): void {
  const unknown = Object.keys(singleValues(query)).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw new Problem('validation-error', `unknown query parameter ${unknown}`);
}

function tickTime(body: unknown, latest: number): number {
  let at: unknown;
  try {
    at = (JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) as { at?: unknown }).at;
  } catch {
    throw new Problem('validation-error', 'the body is not JSON; send {"at":"2026-08-05T20:00:00Z"}');
  }
  const time = typeof at === 'string' ? parseRfc3339(at) : null;
  if (time === null) throw new Problem('validation-error', 'at must be an RFC 3339 time');
  if (time > latest) throw new Problem('validation-error', 'at lies in the future');
  return time;
}

function receiptBody(found: ReceiptState): Record<string, unknown> {
  const folded = found.applied + found.foldedDuplicates + found.refused;
  return {
    receipt: found.receipt,
    source: found.source,
    received_at: formatMicros(found.receivedAt),
    state: folded >= found.accepted ? 'applied' : 'logged',
    counts: {
      accepted: found.accepted,
      applied: found.applied,
      duplicates: found.foldedDuplicates + found.duplicates,
      refused: found.refused,
    },
    records: found.records.map((record) => ({ revisions: [], ...record })),
  };
}
