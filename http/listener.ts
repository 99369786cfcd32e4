// The HTTP server of the read API and of the push gateway. Fastify routes, owns the connections and their time-outs; whatever it or Node
// would answer by itself becomes a problem document here. Independent of routes and access rights.
//
// Both listeners take each request from Fastify with `reply.hijack()` and write to Node's response themselves, because Fastify's reply
// would be of no use to either: the API sends prepared heads and bodies in pieces (api/http/answer.ts, prepared-heads.ts), the gateway may
// answer before a body has arrived completely (ingest/gateway/write-answer.ts), and a refusal looks the same from a route, from a hook, and
// on a connection without a valid request.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ConnectionCaps } from '../core/connections/connection-table.ts';
import type { Micros, Millis } from '../core/units.ts';
import { capConnections } from './connection-caps.ts';
import { addConnectionAnswers, clientErrorHandler, refusalOfFramework } from './connection-failures.ts';
import { endConnectionsBehindAnswers } from './end-connections.ts';
import type { RequestHead } from './head.ts';
import type { Problems } from './problem-document.ts';
import type { NewRequestId } from './request-id.ts';

declare module 'fastify' {
  interface FastifyRequest {
    head: RequestHead;
    requestId: string;
    /** When its head was read, by the monotonic clock. */
    beganAt: Micros;
    waited: WaitedFor | null;
  }
}

/** How long a request waited because the reader asked it to; null: its answer is a stream, which lasts as long as it is read. */
export type WaitedFor = { ms: Millis | null };

export type ListenerLimits = {
  /** Longest URL in characters (docs/interface.md#problem-types). */
  urlCharacters: number;
  /** The request line and all header fields together. */
  headerBytes: number;
  headersTimeoutMs: Millis;
  /** For receiving a whole request. */
  requestTimeoutMs: Millis;
  /** For a connection that transfers nothing and waits for no answer. */
  connectionTimeoutMs: Millis;
  keepAliveMs: Millis;
};

export type ListenerNeeds = {
  problems: Problems;
  newRequestId: NewRequestId;
  limits: ListenerLimits;
  caps: ConnectionCaps;
  /** The methods of the routes, as in the Allow header. */
  methods: string;
  /** Whether routes read bodies; they do so themselves once they know the sender and have room. */
  readsBodies: boolean;
  /** Cuts connections whose reader takes too little. */
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
      // `faultOfHttp` checks it, with a refusal that has a body.
      requireHostHeader: false,
      // A request without a body needs no body stream.
      optimizeEmptyRequests: !readsBodies,
    },
    routerOptions: {
      maxParamLength: limits.urlCharacters,
      // `readParameters` parses queries strictly.
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
  endConnectionsBehindAnswers(app);
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

const noQuery: Record<string, never> = {};

/** Listens; port 0 is any free port. Returns the address for clients on this machine. */
export async function listenAt(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { address, family, port: taken } = app.server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${taken}`;
  return family === 'IPv6' ? `http://[${address}]:${taken}` : `http://${address}:${taken}`;
}
