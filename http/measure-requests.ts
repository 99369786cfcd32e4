// Measures how long the requests of a listener take, by declared route: never by request path, which contains game ids. The time that a
// reader asked to wait is not counted, and streams are not measured, because they have no end.
//
// Node announces the end of each answer on a diagnostics channel. A Fastify hook for that end would add and remove listeners for every
// response, which costs a read from memory more than its rate limit does.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Clock, elapsedBy } from '../core/ports/clock.ts';
import type { Meter } from '../core/ports/meter.ts';
import { type Micros, microsPerSecond } from '../core/units.ts';
import { endOfAnswers } from './end-connections.ts';

type Observe = (seconds: number) => void;

/** `classes`: by route path, the class of its answers. */
export function measureRequests(
  app: FastifyInstance,
  listener: 'api' | 'gateway',
  classes: ReadonlyMap<string, string>,
  { meter, clock }: { meter: Meter; clock: Pick<Clock, 'now' | 'elapsed'> },
): void {
  const now = (): Micros => elapsedBy(clock);
  /** By route, then method, then status: a combined key would have to be built and hashed for each request. */
  const durations = new Map<string, Map<string, Map<number, Observe>>>();
  const underWay = Symbol('a request of this listener');

  function durationsOf(route: string, asked: string, status: number): Observe {
    const method = methods.has(asked) ? asked : '_OTHER';
    const known = durations.get(route)?.get(method)?.get(status);
    if (known !== undefined) return known;
    const series = meter.series('http_server_request_duration_seconds', {
      listener,
      http_route: route,
      class: classes.get(route) ?? 'none',
      http_request_method: method,
      http_response_status_code: String(status),
    });
    const byMethod = durations.get(route) ?? new Map<string, Map<number, Observe>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Observe>();
    durations.set(route, byMethod.set(method, byStatus.set(status, series)));
    return series;
  }

  function measure(request: FastifyRequest, status: number, took: Micros): void {
    const waitedMs = request.waited === null ? 0 : request.waited.ms;
    if (waitedMs === null) return;
    const declared = request.routeOptions.url ?? '';
    const route = classes.has(declared) ? declared : 'none';
    durationsOf(route, request.method, status)(Math.max(0, took - waitedMs * 1_000) / microsPerSecond);
    if (request.method !== 'POST') return;
    const announced = Number(request.raw.headers['content-length'] ?? 0);
    if (announced > 0) meter.observe('http_server_request_body_size_bytes', { listener, http_route: route }, announced);
  }

  app.addHook('onRequest', (request, reply, done) => {
    request.beganAt = now();
    (reply.raw as Marked)[underWay] = request;
    done();
  });

  function onEnd(message: unknown): void {
    const { response } = message as { response: Marked };
    const request = response[underWay];
    if (request !== undefined) measure(request, response.statusCode, now() - request.beganAt);
  }

  subscribe(endOfAnswers, onEnd);
  app.addHook('onClose', async () => void unsubscribe(endOfAnswers, onEnd));
}

/** A response with its request. Responses of other listeners in the process lack the symbol. */
type Marked = ServerResponse & { [underWay: symbol]: FastifyRequest | undefined };

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
