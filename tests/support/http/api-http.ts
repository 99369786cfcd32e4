// The API on a real socket over fakes, and a client that sends requests unchanged: no redirects, no normalised paths,
// no added headers.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { ApiLimits } from '../../../api/compose/resource-limits.ts';
import type { ApiDependencies } from '../../../api/compose/services.ts';
import type { Owed } from '../../../api/metering/grace.ts';
import type { ReadableMsf } from '../../../api/msf/reads.ts';
import { type Api, createApi } from '../../../api/server.ts';
import type { Pepper } from '../../../core/access/key-format.ts';
import { isLeague } from '../../../core/league-code.ts';
import type { RateLimits } from '../../../core/limits/tier-limits.ts';
import type { MsfDataset } from '../../../core/msf/types.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import type { Journal } from '../../../core/ports/journal.ts';
import { type Meter, noMeter } from '../../../core/ports/meter.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { RateLimiter } from '../../../core/ports/rate-limiter.ts';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import type { Micros } from '../../../core/units.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openMemoryRateLimiter } from '../../../platform/process/memory-rate-limiter.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { problemTypes } from '../../../schemas/http/problems.ts';
import { FakeCatalog, FakeLog, type RowCodec, uuidOf } from '../fakes/api-fakes.ts';
import { FakeHeads } from '../fakes/fake-heads.ts';
import { FakeMsf, FakeStream, gameScope, leagueScope, textCodec } from '../fakes/fake-msf.ts';
import { linesOrParquet } from '../fakes/lines-or-parquet.ts';
import { MemoryJournal } from '../fakes/memory-journal.ts';
import { MemoryLedger } from '../fakes/memory-ledger.ts';
import { openMemoryStore } from '../fakes/memory-store.ts';
import { assertDocumented, type Description, describe } from './documented.ts';
import { problem } from './problem.ts';

export const pepper: Pepper = { version: 1, secret: Buffer.alloc(32, 7) };

/** A clock whose wall time a test sets; its sleeps are real. */
export class MovableClock implements Clock {
  ahead: Micros = 0;
  #still: Micros | null = null;
  now(): Micros {
    return (this.#still ?? systemClock.now()) + this.ahead;
  }
  /**
   * While `work` runs, only `ahead` moves the clock: what is cached for seconds stays cached, however slow the machine
   * is.
   */
  async still<T>(work: () => Promise<T>): Promise<T> {
    this.#still = systemClock.now();
    try {
      return await work();
    } finally {
      this.#still = null;
    }
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }
}

export type Reply = { status: number; headers: Record<string, string | undefined>; body: Buffer; json: () => unknown };

export type TestApi = {
  url: string;
  api: Api;
  catalog: FakeCatalog;
  msf: FakeMsf;
  heads: FakeHeads;
  ledger: MemoryLedger;
  objects: ObjectStore;
  clock: MovableClock;
  key: string;
  /**
   * Sends a request with the key, or without any if `key` is null. Every answer is checked against the API's
   * description.
   */
  get(path: string, options?: RequestOptions): Promise<Reply>;
  raw(bytes: string, options?: { until?: RegExp }): Promise<string>;
  log(gameId: string, segmentRows?: number, codec?: RowCodec): FakeLog;
  /** A stream of a game or league of which nothing is published yet. */
  stream(of: string, dataset: MsfDataset): FakeStream;
  close(): Promise<void>;
};

export type RequestOptions = { method?: string; headers?: Record<string, string | string[]>; key?: string | null };

export type TestOptions = {
  /** The catalog of another instance, for tests with several instances, which usually share objects and clock too. */
  catalog?: FakeCatalog;
  msf?: FakeMsf;
  /** Replaces what streams are read from. */
  streams?: ReadableMsf;
  /** Default: MSF serving is on. */
  msfServing?: boolean;
  clock?: MovableClock;
  limits?: Partial<ApiLimits>;
  /** Gives requests only as much time as the service does. */
  usualTimes?: true;
  objects?: ObjectStore;
  log?: Log;
  baseUrl?: string | null;
  limiter?: RateLimiter;
  demoMonth?: string;
  proxyHops?: number;
  ledger?: MemoryLedger;
  owed?: Journal<Owed>;
  boardWeightMillionths?: number;
  meter?: Meter;
  /** Default: reads Parquet, and the lines of text that stand for it. */
  parquet?: ApiDependencies['parquet'];
  /** Default: limits that no test reaches. */
  rateLimits?: Partial<RateLimits>;
  /** Whether browsers on this machine find the key filled in on the live page; default: no. */
  fillsInKey?: boolean;
  /** Default: as the service does. */
  cutSlowReaders?: ApiDependencies['cutSlowReaders'];
};

const defaultBaseUrl = 'https://api.example.test';
const boundless: RateLimits = { DEMO: 1e9, BETA: 1e9, STARTER: 1e9, PRO: 1e9, address: 1e9 };

const patienceMs = 240_000;
/** On a busy machine a test's request may take longer than the service waits for one. */
const patientTimes = { headersTimeoutMs: patienceMs, requestTimeoutMs: patienceMs };

export async function startApi(options: TestOptions = {}): Promise<TestApi> {
  const catalog = options.catalog ?? new FakeCatalog();
  const msf = options.msf ?? new FakeMsf(catalog);
  const objects = options.objects ?? openMemoryStore();
  const clock = options.clock ?? new MovableClock();
  const ledger = options.ledger ?? new MemoryLedger();
  const heads = new FakeHeads(catalog, msf);
  const key = catalog.mint(pepper);
  const api = await createApi({
    games: catalog,
    reference: catalog,
    live: catalog,
    artifacts: catalog,
    heads,
    keys: catalog,
    calendar: catalog,
    msf: options.msfServing === false ? null : (options.streams ?? msf),
    ledger,
    owed: options.owed ?? new MemoryJournal(),
    boardWeightMillionths: options.boardWeightMillionths ?? 0,
    demoMonth: options.demoMonth ?? null,
    proxyHops: options.proxyHops ?? 0,
    objects,
    parquet: options.parquet ?? linesOrParquet,
    clock,
    log: options.log ?? silentLog,
    meter: options.meter ?? noMeter,
    baseUrl: options.baseUrl === undefined ? defaultBaseUrl : options.baseUrl,
    peppers: [pepper],
    // Checks readiness at the start only: later checks would add calls to those that a test counts.
    limits: { readinessEveryMs: 1e9, ...(options.usualTimes ? {} : patientTimes), ...options.limits },
    limiter: options.limiter ?? openMemoryRateLimiter(),
    rateLimits: options.rateLimits ?? boundless,
    cutSlowReaders: options.cutSlowReaders ?? cutSlowReaders,
    demoKey: options.fillsInKey ? key : null,
  });
  const { url } = await api.listen('127.0.0.1', 0);
  let description: Description | undefined;
  return {
    url,
    api,
    catalog,
    msf,
    heads,
    ledger,
    objects,
    clock,
    key,
    async get(path, request = {}) {
      const reply = await send(url, path, { key, ...request });
      description ??= describe(options.baseUrl ?? (options.baseUrl === null ? url : defaultBaseUrl));
      assertDocumented(description, { method: request.method ?? 'GET', target: path }, reply);
      return reply;
    },
    raw: (bytes, { until } = {}) => sendRaw(url, bytes, until),
    log(gameId, segmentRows, codec) {
      const uuid = uuidOf(gameId);
      catalog.addGame({ gameId, uuid });
      return new FakeLog(catalog, objects, uuid, segmentRows, codec);
    },
    stream(of, dataset) {
      const scope = isLeague(of) ? leagueScope(of) : gameScope(of);
      if (scope.kind === 'game' && !catalog.games.some(({ uuid }) => uuid === scope.uuid))
        catalog.addGame({ gameId: of, uuid: scope.uuid });
      return new FakeStream({ msf, objects }, scope, dataset, textCodec);
    },
    close: () => api.close(),
  };
}

/** Sends one request on a connection of its own. */
export function send(url: string, path: string, options: RequestOptions): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const headers: Record<string, string | string[]> = { ...options.headers };
  if (options.key !== null && options.key !== undefined) headers.authorization ??= `Bearer ${options.key}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: options.method ?? 'GET', headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          const reply: Reply = {
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string | undefined>,
            body,
            json: () => JSON.parse(body.toString('utf8')),
          };
          resolve(reply);
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** Writes `bytes` (latin1) to a new connection; answers everything received until it is closed or `until` matches. */
export function sendRaw(url: string, bytes: string, until?: RegExp): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(patienceMs, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.slice(0, 80))}`)),
    );
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until?.test(text)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(text));
  });
}

/** Checks that a reply is a problem document of this type and of the catalogue; answers its members. */
export function assertProblem(
  reply: Reply,
  suffix: keyof typeof problemTypes,
  status?: number,
): Record<string, unknown> {
  assert.equal(reply.headers['content-type'], 'application/problem+json', reply.body.toString('utf8'));
  const document = problem.parse(reply.json());
  assert.equal(document.type, `https://api.example.test/problems/${suffix}`);
  assert.equal(document.status, reply.status);
  assert.equal(reply.status, status ?? problemTypes[suffix].statuses[0]);
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.ok(reply.headers['x-request-id']);
  return document;
}
