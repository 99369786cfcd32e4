// The push gateway's listener. Bodies are read as bytes, keys are feed keys, every failure is a problem document, and at most so many
// bytes are under way at once: beyond that the sender is told to come back (backpressure), never half accepted.
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Pepper } from '../../core/access/key-format.ts';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { PushTools } from './accept-push.ts';
import { openFeedKeys } from './feed-keys.ts';
import { Problem, problemDocument, problemMediaType } from './problem.ts';
import { largestBodyBytes, tooLarge } from './read-body.ts';
import { registerPushRoutes } from './routes.ts';

export type GatewayDependencies = PushTools & {
  keys: KeysCatalog;
  live: LiveCatalog;
  peppers: readonly Pepper[];
  clock: Clock;
  /** `{base_url}` of problem types; null: the address it listens on. */
  baseUrl: string | null;
};

/** What answers a failure: the dependencies, and the base of problem types once it is known. */
type Site = Omit<GatewayDependencies, 'baseUrl'> & { baseUrl: string };

export type Gateway = { listen(host: string, port: number): Promise<{ url: string }>; close(): Promise<void> };

/** Builds the gateway; it serves once `listen` resolves. */
export function createGateway({ baseUrl, ...rest }: GatewayDependencies): Gateway {
  const dependencies: Site = { ...rest, baseUrl: baseUrl ?? '' };
  const problemOf = (error: unknown): Problem => translate(error, dependencies);
  const app = Fastify({
    bodyLimit: largestBodyBytes,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    frameworkErrors: (error, _request, reply) => sendProblem(dependencies, reply, problemOf(error)),
    clientErrorHandler: (error, socket) => refuseMalformed(dependencies, error, socket),
    serverFactory: (handler) => {
      const server = createServer(
        {
          maxHeaderSize: 8_192,
          requireHostHeader: false,
          headersTimeout: 5_000,
          requestTimeout: 30_000,
          connectionsCheckingInterval: 1_000,
        },
        handler,
      );
      server.on('checkExpectation', (_request, response) => {
        const problem = new Problem('malformed-request', 'the Expect header asks for what is not offered', {
          status: 417,
        });
        response
          .writeHead(417, { 'content-type': problemMediaType })
          .end(JSON.stringify(problemDocument(dependencies.baseUrl, problem)));
      });
      return server;
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => sendProblem(dependencies, reply, problemOf(error)));
  app.setNotFoundHandler((request, reply) => sendProblem(dependencies, reply, notFound(app, request)));
  registerPushRoutes(app, {
    ...dependencies,
    feedKeys: openFeedKeys(dependencies.keys, dependencies.peppers, dependencies.clock),
  });
  return {
    async listen(host, port) {
      const url = await app.listen({ host, port });
      if (baseUrl === null) dependencies.baseUrl = url;
      return { url };
    },
    close: () => app.close(),
  };
}

function notFound(app: FastifyInstance, request: FastifyRequest): Problem {
  const url = request.url.split('?', 1)[0] ?? '';
  const allowed = (['GET', 'POST'] as const).filter(
    (method) => app.findRoute({ url, method }) !== null || matches(url, method),
  );
  if (allowed.length === 0) return new Problem('not-found', 'there is no such route');
  return new Problem('method-not-allowed', `use ${allowed.join(' or ')}`, { headers: { allow: allowed.join(', ') } });
}

function matches(url: string, method: 'GET' | 'POST'): boolean {
  return method === 'POST'
    ? /^\/v1\/sources\/[^/]+\/(quotes|the-odds-api-v4|ticks)$/.test(url)
    : /^\/v1\/receipts\/[^/]+$/.test(url) || url === '/health';
}

async function sendProblem(dependencies: Site, reply: FastifyReply, problem: Problem): Promise<FastifyReply> {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers })
    .type(problemMediaType)
    .send(JSON.stringify(problemDocument(dependencies.baseUrl, problem)));
}

function translate(error: unknown, dependencies: Site): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof BrokerUnavailable || error instanceof CatalogUnavailable) {
    return new Problem('temporarily-unavailable', 'the push was not accepted; send it again', {
      headers: { 'retry-after': '1' },
    });
  }
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed-request', 'the request cannot be read', { status: statusCode });
  }
  dependencies.log.error('push failed', {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new Problem('internal-error', 'the push was not accepted; send it again');
}

function refuseMalformed(dependencies: Site, error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || socket.destroyed) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const problem = new Problem('malformed-request', 'the request cannot be read', { status });
  const body = JSON.stringify(problemDocument(dependencies.baseUrl, problem));
  socket.end(
    `HTTP/1.1 ${status} Error\r\ncontent-type: ${problemMediaType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
