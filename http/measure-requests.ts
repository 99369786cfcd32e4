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
  app.addHook('onResponse', (request, reply, done) => {
    const waitedMs = request.waited === null ? 0 : request.waited();
    if (waitedMs === null) return done();
    const declared = request.routeOptions.url ?? '';
    const route = classes.has(declared) ? declared : 'none';
    meter.observe(
      'http_server_request_duration_seconds',
      {
        listener,
        http_route: route,
        class: classes.get(route) ?? 'none',
        http_request_method: methods.has(request.method) ? request.method : '_OTHER',
        http_response_status_code: String(reply.raw.statusCode),
      },
      Math.max(0, reply.elapsedTime - waitedMs) / 1_000,
    );
    const announced = Number(request.raw.headers['content-length'] ?? 0);
    if (request.method === 'POST' && announced > 0)
      meter.observe('http_server_request_body_size_bytes', { listener, http_route: route }, announced);
    done();
  });
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
