// What happens before a route's own checks: the head of the request is read once, the rules of HTTP are checked (Host, length of the URL),
// preflights of browsers are answered, and a path without a route, or a method it does not have, is refused. Bodies are never read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowedMethods } from '../http/allowed-methods.ts';
import { everyAnswer } from '../http/answer.ts';
import { type RequestHead, readHead } from '../http/head.ts';
import { transportFields } from '../http/transport-fields.ts';
import { type Site, writeProblem } from '../problems/problem-document.ts';
import { type Refusal, refuse } from '../problems/refusal.ts';
import type { RouteFacts } from './route-facts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    head: RequestHead;
    requestId: string;
  }
}

export type ScreeningNeeds = {
  site: Site;
  limits: { urlCharacters: number };
};

export function addScreening(
  app: FastifyInstance,
  routes: readonly Pick<RouteFacts, 'path'>[],
  needs: ScreeningNeeds,
  newRequestId: (given: string | null) => string,
): void {
  const paths = routes.map(({ path }) => new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`));
  app.decorateRequest('head');
  app.decorateRequest('requestId');

  app.addHook('onRequest', (request, reply, done) => {
    const head = readHead(request.raw.rawHeaders);
    request.head = head;
    request.requestId = newRequestId(head.requestId);
    if (isPreflight(request)) {
      answerPreflight(request, reply, needs);
      return;
    }
    const refusal = faultOfHttp(request, needs) ?? faultOfRoute(request, paths);
    if (refusal === null) {
      done();
      return;
    }
    reply.hijack();
    writeProblem(reply.raw, needs.site, refusal, request.requestId, {
      head: request.raw.method === 'HEAD',
      // The bytes that follow on this connection may be a body, which is never read.
      close: head.body || refusal.refused === 'malformed-request',
    });
  });
}

function faultOfHttp({ raw, head }: FastifyRequest, { limits }: ScreeningNeeds): Refusal | null {
  if ((raw.url as string).length > limits.urlCharacters) {
    return refuse('malformed-request', {
      status: 414,
      detail: `The URL is longer than ${limits.urlCharacters} characters.`,
    });
  }
  if (head.hostCount > 1 || (head.hostCount === 0 && raw.httpVersion !== '1.0')) {
    return refuse('malformed-request', { detail: 'A request has exactly one Host header.' });
  }
  return null;
}

function faultOfRoute(request: FastifyRequest, paths: readonly RegExp[]): Refusal | null {
  if (!request.is404) return null;
  const path = pathOf(request.raw.url as string);
  return paths.some((known) => known.test(path))
    ? refuse('method-not-allowed', { headers: ['Allow', allowedMethods] })
    : refuse('not-found', { detail: 'There is no such route.' });
}

/** The path of a request target, which a client may also send with scheme and host, decoded as the router decodes it. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function isPreflight({ raw }: FastifyRequest): boolean {
  return (
    raw.method === 'OPTIONS' &&
    raw.headers.origin !== undefined &&
    raw.headers['access-control-request-method'] !== undefined
  );
}

/** Browsers may send the key and conditional and range requests from any page (docs/interface.md#response-headers). */
function answerPreflight(request: FastifyRequest, reply: FastifyReply, { site }: ScreeningNeeds): void {
  reply.hijack();
  reply.raw.writeHead(204, [
    ...everyAnswer,
    ...transportFields(site.baseUrl),
    'Access-Control-Allow-Methods',
    allowedMethods,
    'Access-Control-Allow-Headers',
    'Authorization, Range, If-None-Match, If-Match, If-Range, X-Request-Id',
    'Access-Control-Max-Age',
    '86400',
    'Cache-Control',
    'no-store',
    'X-Request-Id',
    request.requestId,
  ]);
  reply.raw.end();
}
