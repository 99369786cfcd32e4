// The push gateway's listener. Fastify routes and owns the connections; who may push is checked before any byte of a body is read; routes
// read bodies themselves, up to a limit; every failure is a problem document. Independent of formats, the log and the catalog.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pepper } from '../../core/access/key-format.ts';
import type { ConnectionCaps } from '../../core/connections/connection-table.ts';
import { addressSubject } from '../../core/limits/address-subject.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { Fields } from '../../core/ports/telemetry.ts';
import { noTracer, type Tracer } from '../../core/ports/tracer.ts';
import type { Millis } from '../../core/units.ts';
import { type DegradedSince, openDegraded } from '../../http/degraded-since.ts';
import { readHead } from '../../http/head.ts';
import { jsonText } from '../../http/json-text.ts';
import { listenAt, openListener } from '../../http/listener.ts';
import { measureRequests } from '../../http/measure-requests.ts';
import { pageMediaType, renderPage } from '../../http/pages/page.ts';
import { openProblems, type Site } from '../../http/problem-document.ts';
import { isRefusal } from '../../http/refusal.ts';
import { requestIds } from '../../http/request-id.ts';
import { guide } from '../documents/guide.ts';
import { manual } from '../documents/manual.ts';
import { openApi } from '../documents/openapi.ts';
import { acceptingMsf, type MsfTools } from './accept-msf.ts';
import { admission, longestUrl } from './admission.ts';
import { openFeedKeys } from './feed-keys.ts';
import { type FeedUseTools, openFeedUses } from './feed-use.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import type { ShareTools } from './key-share.ts';
import { openPushConcurrency } from './push-concurrency.ts';
import { schedulingKeyOf, turnsOf } from './read-body.ts';
import { openGatewayReadiness } from './readiness.ts';
import { largestBodyBytes, usualStretchMs } from './receive-body.ts';
import { refusalOfFailure } from './refusal-of-failure.ts';
import { openRefusalPace } from './refusal-pace.ts';
import { defaultRoom, type HeldRoom, Room, type RoomLimits } from './room.ts';
import type { Answer, Call, GatewayRoute, RouteTools } from './route.ts';
import { isProbe, routes } from './routes.ts';
import { isOfStranger, openStrangers, usualStrangerLimit } from './strangers.ts';
import { fieldsOfDocument, fieldsOfEvery, writeAnswer } from './write-answer.ts';

export type GatewayDependencies = MsfTools &
  ShareTools &
  FeedUseTools & {
    keys: KeysCatalog;
    live: LiveCatalog;
    peppers: readonly Pepper[];
    clock: Clock;
    /** `{base_url}` of problem types; null: the address it listens on. */
    baseUrl: string | null;
    room?: RoomLimits;
    connections?: ConnectionCaps;
    /** Requests per minute of an address without a valid key; left out or undefined: the default. */
    strangerLimit?: number | undefined;
    timeouts?: Partial<Timeouts>;
    /** Further reasons why the service is degraded, from the program that runs the gateway. */
    degraded?: () => readonly DegradedSince[];
    /** Left out: nothing is measured. */
    meter?: Meter;
    /** Left out: nothing is traced. */
    tracer?: Tracer;
    /** The name of this process; left out: none. */
    instance?: string | undefined;
    /** How often it checks whether pushes can be taken; left out: every second. */
    lookMs?: Millis;
    /** Cuts the connections of a listener whose reader takes too little. */
    cutSlowReaders(server: Server): void;
  };

/** How long a sender may take for its headers and for a whole request, and over which stretches its body's speed is checked. */
export type Timeouts = { headersMs: Millis; requestMs: Millis; stretchMs: Millis };

const defaultTimeouts: Timeouts = { headersMs: 5_000, requestMs: 30_000, stretchMs: usualStretchMs };

/** Each connection takes about 20 kB; there are a few hundred feeds, and behind a proxy all have one address. */
const usualCaps: ConnectionCaps = { all: 4_096, ofAddress: 2_048 };

export type Gateway = { listen(host: string, port: number): Promise<{ url: string }>; close(): Promise<void> };

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
  }
}

/** Creates the gateway; it serves once `listen` resolves. */
export function createGateway(dependencies: GatewayDependencies): Gateway {
  const { keys, peppers, shares, clock, log, baseUrl } = dependencies;
  const site: Site = { baseUrl: baseUrl ?? '' };
  const problems = openProblems(site, () => fieldsOfEvery);
  const newRequestId = requestIds();
  const room = new Room(dependencies.room ?? defaultRoom);
  const description = () => openApi(routes, site.baseUrl);
  const degradedNow = openDegraded(
    clock,
    (): readonly string[] => [...readiness.missing(), ...(shares.degraded() ? ['ratelimit'] : [])],
    dependencies.degraded,
  );
  const readiness = openGatewayReadiness(dependencies, dependencies.lookMs, degradedNow);
  const facts = () => ({ routes, baseUrl: site.baseUrl, limits: shares.limits });
  const tools: RouteTools = {
    ...dependencies,
    room,
    readiness,
    degradedNow,
    refusalPace: openRefusalPace(clock),
    pushConcurrency: openPushConcurrency(clock),
    acceptMsf: acceptingMsf(dependencies),
    description,
    guide: () => guide(facts()),
    manual: () => renderPage(manual(facts())),
  };
  const timeouts = { ...defaultTimeouts, ...dependencies.timeouts };
  const pace = { clock, stretchMs: timeouts.stretchMs };
  const uses = openFeedUses(dependencies);
  const { tracer = noTracer } = dependencies;
  const admit = admission(routes, openFeedKeys(keys, peppers, clock), { shares, pace, uses, clock, tracer });
  const app = openListener({
    ...{ problems, newRequestId },
    limits: {
      ...{ urlCharacters: longestUrl, headerBytes: 16_384, keepAliveMs: 72_000 },
      headersTimeoutMs: timeouts.headersMs,
      requestTimeoutMs: timeouts.requestMs,
      connectionTimeoutMs: 2 * timeouts.requestMs,
    },
    caps: dependencies.connections ?? usualCaps,
    methods: 'GET, HEAD, POST',
    readsBodies: true,
    cutSlowReaders: dependencies.cutSlowReaders,
  });
  const classes = routes.map(({ path, method }) => [path, method === 'POST' ? 'push' : 'free'] as const);
  measureRequests(app, 'gateway', new Map(classes), { meter: dependencies.meter ?? noMeter, clock });
  const answering: Answering = {
    refuse(request, response, refusal) {
      request.call?.share.refused(refusal);
      const answer = problems.answer(refusal, request.requestId);
      if (request.call !== null) endSpan(request.call, answer.status);
      // After a malformed request, the rest of the connection cannot be parsed.
      const how = {
        inTurn: request.call === null ? null : turnsOf(dependencies.scheduler, request.call),
        last: refusal.refused === 'malformed-request',
      };
      writeAnswer(clock, request.raw, response, answer, how);
    },
    fail: (request, response, error) =>
      answering.refuse(request, response, refusalOfFailure(error, log, fieldsOf(request))),
  };

  const strangers = openStrangers(dependencies.strangerLimit ?? usualStrangerLimit, clock);
  const refusalOfStranger = ({ ip }: FastifyRequest): GatewayRefusal | null => strangers.count(addressSubject(ip));
  /** The refusal of a request, by its route or by a limit; null if it may continue. */
  const refusalOfAdmitted = (request: FastifyRequest, admitted: Call | GatewayRefusal): GatewayRefusal | null => {
    if (isRefusal(admitted)) return (isOfStranger(admitted) ? refusalOfStranger(request) : null) ?? admitted;
    return !isProbe(request.routeOptions.url) && admitted.key === null ? refusalOfStranger(request) : null;
  };

  app.decorateRequest('call', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.head = readHead(request.raw.rawHeaders);
    // A sender's own id is not used.
    request.requestId = newRequestId(null);
    admit(request).then(
      (admitted) => {
        const refusal = refusalOfAdmitted(request, admitted);
        if (refusal !== null) {
          reply.hijack();
          answering.refuse(request, reply.raw, refusal);
          return;
        }
        request.call = admitted as Call;
        done();
      },
      (error: unknown) => {
        reply.hijack();
        answering.fail(request, reply.raw, error);
      },
    );
  });
  for (const route of routes) addRoute(app, route, tools, answering);
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    answering.fail(request, reply.raw, error);
  });

  return {
    async listen(host, port) {
      await readiness.start();
      const url = await listenAt(app, host, port);
      if (baseUrl === null) site.baseUrl = url;
      return { url };
    },
    async close() {
      readiness.stop();
      // Waiting pushes are answered before the listener ends, without waiting for other pushes or for the folds.
      tools.pushConcurrency.close();
      dependencies.fairLog.close();
      await app.close();
      await uses.close();
    },
  };
}

type Answering = {
  refuse(request: FastifyRequest, response: ServerResponse, refusal: GatewayRefusal): void;
  /** Answers a request that threw an error. */
  fail(request: FastifyRequest, response: ServerResponse, error: unknown): void;
};

function addRoute(app: FastifyInstance, route: GatewayRoute, tools: RouteTools, answering: Answering): void {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
    url: route.path,
    handler: (request, reply) => {
      reply.hijack();
      void answer(route, request.call as Call, tools).then(
        (answered) => {
          if (isRefusal(answered)) {
            answering.refuse(request, reply.raw, answered);
            return;
          }
          const { status } = answered;
          endSpan(request.call as Call, status);
          const { mediaType, body, more } = written(answered);
          const headers = [...fieldsOfDocument(mediaType, body, request.requestId), ...more];
          const how = { inTurn: turnsOf(tools.scheduler, request.call as Call), last: false };
          writeAnswer(tools.clock, request.raw, reply.raw, { status, headers, body }, how);
        },
        (error: unknown) => answering.fail(request, reply.raw, error),
      );
    },
  });
}

function endSpan({ span }: Call, status: number): void {
  span.set({ 'http.response.status_code': status });
  span.end(status >= 500 ? String(status) : undefined);
}

/** What ties a line of the log to the request. */
function fieldsOf({ requestId, call }: FastifyRequest): Fields {
  return { request_id: requestId, ...call?.span.fields };
}

/** An answer as sent; `more`: header fields besides those of every document. */
function written(answer: Answer): { mediaType: string; body: string; more: readonly string[] } {
  if ('page' in answer) return { mediaType: pageMediaType, body: answer.page.text, more: answer.page.headers };
  const { document } = answer;
  if (typeof document === 'string') return { mediaType: textMediaType, body: document, more: [] };
  return { mediaType: jsonMediaType, body: jsonText(document), more: [] };
}

const jsonMediaType = 'application/json; charset=utf-8';
const textMediaType = 'text/plain; charset=utf-8';

/** Refusals that are sent at the pace of their key: a sender that floods gets these, and each costs the gateway more than its sender. */
const paced: ReadonlySet<GatewayRefusal['refused']> = new Set(['rate-limited', 'payload-too-large']);

/** Answers a call. A paced refusal takes no room while it waits. */
async function answer(route: GatewayRoute, call: Call, tools: RouteTools): Promise<Answer | GatewayRefusal> {
  const answered = await answerNow(route, call, tools);
  if (isRefusal(answered) && paced.has(answered.refused)) await tools.refusalPace(schedulingKeyOf(call));
  return answered;
}

async function answerNow(route: GatewayRoute, call: Call, tools: RouteTools): Promise<Answer | GatewayRefusal> {
  const beyond = await call.share.begin(announcedBytes(call.request));
  const refusal = beyond ?? (route.method === 'GET' ? null : tools.fairLog.refusal(schedulingKeyOf(call)));
  if (refusal !== null) return refusal;
  const place = route.method === 'GET' ? noPlace : tools.room.enter(call.key?.id ?? '');
  if (isRefusal(place)) return place;
  try {
    return await route.handle(call, tools, place);
  } finally {
    place.leave();
    call.share.end();
  }
}

/** The announced size of a body that will be read; a compressed one is larger. */
function announcedBytes({ headers }: IncomingMessage): number {
  return Math.min(largestBodyBytes, Number(headers['content-length'] ?? 0));
}

/** A GET reads no body. */
const noPlace: HeldRoom = { hold: () => null, mayGiveWay() {}, leave() {} };
