// The push gateway on a real socket over fakes, and ways to push to it: whole requests by fetch, or exactly the bytes
// that a test wants.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { everything, type PushGrant, unrestricted } from '../../../core/access/feed-grant.ts';
import type { Pepper } from '../../../core/access/key-format.ts';
import type { ConnectionCaps } from '../../../core/connections/connection-table.ts';
import { defaultFeedQuotas, type FeedQuotas } from '../../../core/limits/feed-quotas.ts';
import type { FeedLimits } from '../../../core/limits/token-bucket.ts';
import type { ProgressCatalog } from '../../../core/ports/catalog/checkpoints.ts';
import { type FeedKey, type FeedScope, feedScopes } from '../../../core/ports/catalog/keys.ts';
import { type CrashPoints, noCrashPoints } from '../../../core/ports/crash-points.ts';
import type { FeedShares } from '../../../core/ports/feed-shares.ts';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { type BodyScheduler, openBodyScheduler } from '../../../ingest/gateway/body-scheduler.ts';
import { openFairLog } from '../../../ingest/gateway/fair-log.ts';
import type { RoomLimits } from '../../../ingest/gateway/room.ts';
import { createGateway, type GatewayDependencies, type Timeouts } from '../../../ingest/gateway/server.ts';
import { openSourceRanks } from '../../../ingest/gateway/source-ranks.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openMemoryFeedShares } from '../../../platform/process/memory-feed-shares.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { gatewayProblemTypes } from '../../../schemas/http/problems.ts';
import { SetClock } from '../editions/edition.ts';
import { FakeLogBroker, FakeObjects, FakePushCatalogs } from '../fakes/gateway-fakes.ts';
import { MemoryFeedUse } from '../fakes/memory-feed-use.ts';
import { assertDescribed, gatewayDescription } from './gateway-documented.ts';

export const baseUrl = 'https://push.example.test';
const pepper: Pepper = { version: 1, secret: Buffer.alloc(32, 7) };

export type Reply = { status: number; headers: Headers; body: Record<string, unknown> };

export type TestGateway = {
  url: string;
  broker: FakeLogBroker;
  catalogs: FakePushCatalogs;
  objects: FakeObjects;
  shares: FeedShares;
  feedUse: MemoryFeedUse;
  clock: SetClock;
  /** A key that may push as every source, with all scopes. */
  key: string;
  mint(
    sources: readonly string[],
    scopes: readonly FeedScope[],
    of?: Partial<PushGrant>,
  ): { plaintext: string; key: FeedKey };
  /** Pushes; every answer to a push or a get is checked against the gateway's description. */
  push(body: unknown, options?: PushOptions): Promise<Reply>;
  get(path: string, key?: string): Promise<Reply>;
  raw(bytes: string | Uint8Array): Promise<string>;
  close(): Promise<void>;
};

export type PushOptions = { path?: string; key?: string | null; headers?: Record<string, string>; method?: string };

/** Limits that no test reaches by accident. */
const boundless: FeedLimits = { requests: 1e9, bytes: 1e12, elements: 1e9 };

export type TestGatewayOptions = {
  quotas?: FeedQuotas;
  feedUse?: MemoryFeedUse;
  feedLimits?: FeedLimits;
  room?: RoomLimits;
  connections?: ConnectionCaps;
  strangerLimit?: number;
  /** Default: as much as a busy machine may need. `{}`: as much as the service gives. */
  timeouts?: Partial<Timeouts>;
  lookMs?: number;
  cutSlowReaders?: GatewayDependencies['cutSlowReaders'];
  crash?: CrashPoints;
  scheduler?: BodyScheduler;
  log?: Log;
  /** How far the log is folded; default: to its end. */
  progress?: ProgressCatalog;
  broker?: FakeLogBroker;
  catalogs?: FakePushCatalogs;
  objects?: FakeObjects;
};

const patienceMs = 240_000;
const patientTimes: Timeouts = { headersMs: patienceMs, requestMs: patienceMs, stretchMs: patienceMs };

export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { broker = new FakeLogBroker(), catalogs = new FakePushCatalogs(), objects = new FakeObjects() } = options;
  const clock = new SetClock();
  const shares = openMemoryFeedShares(options.feedLimits ?? boundless);
  const feedUse = options.feedUse ?? new MemoryFeedUse(() => clock.now());
  let receipts = 0;
  const { progress = { nextOffsets: async () => new Map([[0, broker.records.length]]) } } = options;
  const fairLog = openFairLog({ broker, progress, clock, log: silentLog });
  const gateway = createGateway({
    broker,
    games: catalogs as unknown as GatewayDependencies['games'],
    pushes: catalogs,
    deadLetters: catalogs,
    keys: catalogs as unknown as GatewayDependencies['keys'],
    live: catalogs as unknown as GatewayDependencies['live'],
    reference: catalogs,
    msfAuthorities: catalogs,
    objects,
    shares,
    feedUse,
    quotas: defaultFeedQuotas,
    rankOf: openSourceRanks(catalogs, clock),
    peppers: [pepper],
    clock,
    crash: noCrashPoints,
    scheduler: openBodyScheduler(systemClock),
    fairLog,
    log: silentLog,
    newReceipt: () => `rcpt_${receipts++}`,
    strangerLimit: 1e9,
    timeouts: patientTimes,
    cutSlowReaders,
    baseUrl,
    ...options,
  });
  const description = gatewayDescription(baseUrl);
  const { url } = await gateway.listen('127.0.0.1', 0);
  const key = catalogs.mint(pepper, unrestricted(['*'], feedScopes)).plaintext;
  return {
    url,
    broker,
    catalogs,
    objects,
    shares,
    feedUse,
    clock,
    key,
    mint: (sources, scopes, of = {}) => catalogs.mint(pepper, { sources, scopes, ...everything, ...of }),
    push: async (body, { path = '/v1/sources/feed/quotes', key: as = key, headers = {}, method = 'POST' } = {}) => {
      const reply = await send(url + path, {
        method,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${as}` }),
          'content-type': 'application/json',
          ...headers,
        },
        body: body instanceof Uint8Array || typeof body === 'string' ? (body as string) : JSON.stringify(body),
      });
      assertDescribed(description, { method, target: path, body }, reply);
      return reply;
    },
    async get(path, as = key) {
      const reply = await send(url + path, { headers: { authorization: `Bearer ${as}` } });
      assertDescribed(description, { method: 'GET', target: path }, reply);
      return reply;
    },
    raw: (bytes) => sendRaw(url, bytes),
    close: () => gateway.close(),
  };
}

/**
 * Sends a request and checks that a failure is a problem document. A body that is not JSON becomes the member `text`.
 */
export async function send(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const text = await response.text();
  const isText = response.headers.get('content-type')?.startsWith('text/') ?? false;
  const body = (text === '' ? {} : isText ? { text } : JSON.parse(text)) as Record<string, unknown>;
  if (response.status >= 400) assertProblem(response.status, response.headers.get('content-type'), body);
  return { status: response.status, headers: response.headers, body };
}

/** The suffix of a problem's type. */
export function kindOf(body: Record<string, unknown>): string {
  return String(body.type).split('/').at(-1) ?? '';
}

/** Checks that a failure is a problem document of the catalogue that reveals no internals. */
export function assertProblem(status: number, mediaType: string | null, body: Record<string, unknown>): void {
  assert.equal(mediaType, 'application/problem+json', JSON.stringify(body));
  assert.equal(body.status, status);
  const kind = kindOf(body);
  assert.ok(Object.hasOwn(gatewayProblemTypes, kind), kind);
  const { statuses, title } = gatewayProblemTypes[kind as keyof typeof gatewayProblemTypes];
  assert.ok((statuses as readonly number[]).includes(status), `${kind} ${status}`);
  assert.equal(body.title, title);
  const { rejected: _, ...shown } = body;
  assert.doesNotMatch(JSON.stringify(shown), /node:|fastify|FST_|HPE_|ERR_|\.ts\b|\.js\b|stack|select |at Object/i);
}

/** Writes `bytes` to a new connection; answers everything received until it is closed. */
export function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes as string, 'latin1')));
    socket.setTimeout(patienceMs, () => socket.destroy(new Error(`no answer to ${String(bytes).slice(0, 80)}`)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(text));
  });
}

/** The only answer that a connection received: complete, and a problem document if it is a failure. */
export function answerIn(text: string): {
  status: number;
  headers: Map<string, string>;
  body: Record<string, unknown>;
} {
  const end = text.indexOf('\r\n\r\n');
  assert.notEqual(end, -1, `no complete head in ${JSON.stringify(text.slice(0, 200))}`);
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  const headers = new Map(
    fields.map((field) => [field.split(':', 1)[0]?.toLowerCase() ?? '', field.slice(field.indexOf(':') + 1).trim()]),
  );
  const written = text.slice(end + 4);
  assert.equal(written.length, Number(headers.get('content-length')), 'the length of the answer');
  const body = JSON.parse(written) as Record<string, unknown>;
  if (status >= 400) assertProblem(status, headers.get('content-type') ?? null, body);
  assert.ok(headers.get('x-request-id'));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('server'), undefined);
  return { status, headers, body };
}

/** A native event that is accepted, with the members of `more`. */
export function event(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    kind: 'image',
    operator: 'book',
    game: {
      league: 'NFL',
      event_id: 'e1',
      home_team: 'Philadelphia Eagles',
      away_team: 'Detroit Lions',
      commence_time: '2030-11-17T01:20:00Z',
    },
    quotes: [quote()],
    ...more,
  };
}

export function quote(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { market: 'moneyline', selection: 'home', price: { american: -110 }, ...more };
}
