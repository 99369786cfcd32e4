// The internal listener of a process, for its administrator's monitor and supervisor: health, readiness and metrics, in every role. It asks for no
// key, therefore it listens on the loopback unless a setting says otherwise (SECURITY.md). It shows no key, no address and no data of a feed. What
// shows more is among the `more` routes, and guards itself.
import type { Server } from 'node:http';
import type { SeenReason } from '../../core/health/reason.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { readHead } from '../../http/head.ts';
import { listenAt, openListener } from '../../http/listener.ts';
import { openProblems } from '../../http/problem-document.ts';
import { isRefusal, refuse, unavailable } from '../../http/refusal.ts';
import { requestIds } from '../../http/request-id.ts';
import { metricsMediaType } from '../../platform/telemetry/metrics.ts';
import { reasonsAsJson } from '../health/reasons-as-json.ts';
import { type InternalRoute, jsonDocument } from './internal-route.ts';

/** The state of the process, which changes while it starts. */
export type InternalSource = {
  roles: readonly string[];
  /** Why the service is degraded, as this process knows it. */
  reasons(): readonly SeenReason[];
  /** Whether all roles of the process run. */
  isReady(): boolean;
  /** What the process has measured, in the text format of Prometheus. */
  metrics(): Promise<string>;
};

export type InternalListener = { listen(host: string, port: number): Promise<{ url: string }>; close(): Promise<void> };

/** A monitor and a supervisor need few; an attacker on the same machine gets no more. */
const limits = {
  urlCharacters: 1_000,
  headerBytes: 8_192,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  connectionTimeoutMs: 30_000,
  keepAliveMs: 65_000,
} as const;
const caps = { all: 64, ofAddress: 64 };

export async function openInternalListener(
  source: InternalSource,
  more: Readonly<Record<string, InternalRoute>>,
  cutSlowReaders: (server: Server) => void,
  log: Pick<Log, 'error'>,
): Promise<InternalListener> {
  const problems = openProblems({ baseUrl: '' }, () => noSniffing);
  const newRequestId = requestIds();
  const app = openListener({
    ...{ problems, newRequestId, limits, caps, cutSlowReaders },
    methods: 'GET, HEAD',
    readsBodies: false,
  });
  const routes: Readonly<Record<string, InternalRoute>> = {
    '/health': async () => jsonDocument(healthDocument(source)),
    '/metrics': async () => ({ mediaType: metricsMediaType, body: await source.metrics() }),
    '/health/ready': async () =>
      source.isReady() ? jsonDocument({ status: 'ready' }) : unavailable('This process is starting, or stopping.'),
    ...more,
  };
  for (const [url, route] of Object.entries(routes)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const answer = await route(readHead(request.raw.rawHeaders), request.raw.socket.remoteAddress);
        reply.hijack();
        if (isRefusal(answer)) return problems.write(reply.raw, answer, newRequestId(null), false);
        const { mediaType, body, headers = [] } = answer;
        const length = `${Buffer.byteLength(body)}`;
        const fields = [
          'Content-Type',
          mediaType,
          'Content-Length',
          length,
          'Cache-Control',
          'no-store',
          ...headers,
          ...noSniffing,
        ];
        reply.raw.writeHead(200, fields);
        reply.raw.end(request.method === 'HEAD' ? undefined : body);
      },
    });
  }
  app.setErrorHandler((error, _request, reply) => {
    log.error('the internal listener has failed', { error: String(error) });
    reply.hijack();
    problems.write(reply.raw, refuse('internal-error'), newRequestId(null), true);
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.hijack();
    const detail = `This listener has ${Object.keys(routes).join(', ')}.`;
    problems.write(reply.raw, refuse('not-found', { detail }), newRequestId(null), false);
  });
  await app.ready();
  return {
    listen: async (host, port) => ({ url: await listenAt(app, host, port) }),
    close: async () => app.close(),
  };
}

const noSniffing = ['X-Content-Type-Options', 'nosniff'];

function healthDocument(source: InternalSource) {
  const degraded = source.reasons();
  return {
    status: degraded.length === 0 ? 'ok' : 'degraded',
    degraded: degraded.map(({ name }) => name),
    roles: source.roles,
    reasons: reasonsAsJson(degraded),
  };
}
