// The HTTP server under the read API and under the push gateway. Fastify routes, owns the connections and keeps their time-outs; what it or Node
// would answer by itself is a problem document here. Unaware of routes and of who may ask.
//
// Both listeners take each request from Fastify with `reply.hijack()` and write to Node's response themselves. Of what Fastify's reply does
// neither could use anything: the API sends heads that were assembled before and bodies in pieces (api/http/answer.ts, prepared-heads.ts),
// the gateway answers while a body is still on its way (ingest/gateway/write-answer.ts), and a refusal looks the same from a route, from
// a hook, and on a connection that never had a request.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ConnectionCaps } from '../core/access/connection-table.ts';
import type { Micros, Millis } from '../core/units.ts';
import { capConnections } from './connection-caps.ts';
import { addConnectionAnswers, clientErrorHandler, refusalOfFramework } from './connection-failures.ts';
import type { RequestHead } from './head.ts';
import type { Problems } from './problem-document.ts';
import type { NewRequestId } from './request-id.ts';

declare module 'fastify' {
  interface FastifyRequest {
    head: RequestHead;
    requestId: string;
    /** When its head was read, by the time that has passed on the clock. */
    beganAt: Micros;
    waited: WaitedFor | null;
  }
}

/** For how long a request waited because its reader wished it; null: its answer is a stream, which lasts as long as it is read. */
export type WaitedFor = { ms: Millis | null };

export type ListenerLimits = {
  /** Characters of the URL (docs/interface.md#problem-types). */
  urlCharacters: number;
  /** The request line and all header fields together. */
  headerBytes: number;
  headersTimeoutMs: Millis;
  /** For a whole request. */
  requestTimeoutMs: Millis;
  /** For a connection on which nothing moves, and that waits for no answer. */
  connectionTimeoutMs: Millis;
  keepAliveMs: Millis;
};

export type ListenerNeeds = {
  problems: Problems;
  newRequestId: NewRequestId;
  limits: ListenerLimits;
  caps: ConnectionCaps;
  /** The methods of the routes, as the header Allow has them. */
  methods: string;
  /** Whether routes read bodies: they do so themselves, once they know the sender and have room. */
  readsBodies: boolean;
  /** Cuts those connections whose reader takes too little. */
  cutSlowReaders(server: Server): void;
};

/** A server without routes and hooks. */
export function openListener(needs: ListenerNeeds): FastifyInstance {
  const { problems, newRequestId, limits, caps, methods, readsBodies, cutSlowReaders } = needs;
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    connectionTimeout: limits.connectionTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      // Checked by `faultOfHttp`, whose refusal has a body.
      requireHostHeader: false,
      // A request that announces no body has no stream to be ended.
      optimizeEmptyRequests: !readsBodies,
    },
    routerOptions: {
      maxParamLength: limits.urlCharacters,
      // Queries are read strictly, by `readParameters`.
      querystringParser: () => noQuery,
    },
    clientErrorHandler: clientErrorHandler(problems, newRequestId),
    frameworkErrors: (error, _request, reply) => {
      reply.hijack();
      problems.write(reply.raw, refusalOfFramework(error.code), newRequestId(null), true);
    },
  });
  addConnectionAnswers(app.server, problems, newRequestId, methods);
  capConnections(app.server, caps);
  cutSlowReaders(app.server);
  endSilentConnections(app);
  app.decorateRequest('head');
  app.decorateRequest('requestId');
  app.decorateRequest('beganAt', 0);
  app.decorateRequest('waited', null);
  if (readsBodies) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  }
  return app;
}

/** At a stop: browsers open connections that they may need, and Node would wait for their first request. */
function endSilentConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

const noQuery: Record<string, never> = {};

/** Listens; port 0 is any free one. The address that a client on this machine reaches it at. */
export async function listenAt(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { address, family, port: taken } = app.server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${taken}`;
  return family === 'IPv6' ? `http://[${address}]:${taken}` : `http://${address}:${taken}`;
}
