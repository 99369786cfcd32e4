// How long the requests of a listener take, by its declared routes: never by the path of a request, which names games. The time for which a
// reader wished to wait is no time that the service took, and a stream has no end to measure.
import type { FastifyInstance } from 'fastify';
import type { Meter } from '../core/ports/meter.ts';

/** `classes`: by the path of each route, what its answers are made of. */
export function measureRequests(
  app: FastifyInstance,
  listener: 'api' | 'gateway',
  classes: ReadonlyMap<string, string>,
  meter: Meter,
): void {
  const durations = new Map<string, (seconds: number) => void>();

  function durationsOf(route: string, asked: string, status: number): (seconds: number) => void {
    const method = methods.has(asked) ? asked : '_OTHER';
    const name = `${status} ${method} ${route}`;
    const known = durations.get(name);
    if (known !== undefined) return known;
    const series = meter.series('http_server_request_duration_seconds', {
      listener,
      http_route: route,
      class: classes.get(route) ?? 'none',
      http_request_method: method,
      http_response_status_code: String(status),
    });
    durations.set(name, series);
    return series;
  }

  app.addHook('onResponse', (request, reply, done) => {
    const waitedMs = request.waited === null ? 0 : request.waited();
    if (waitedMs === null) return done();
    const declared = request.routeOptions.url ?? '';
    const route = classes.has(declared) ? declared : 'none';
    durationsOf(route, request.method, reply.raw.statusCode)(Math.max(0, reply.elapsedTime - waitedMs) / 1_000);
    const announced = Number(request.raw.headers['content-length'] ?? 0);
    if (request.method === 'POST' && announced > 0)
      meter.observe('http_server_request_body_size_bytes', { listener, http_route: route }, announced);
    done();
  });
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
