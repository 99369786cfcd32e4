// What happens before a route's own checks: the head of the request is read once, the rules of HTTP are checked (Host, length of the URL),
// browsers' preflights are answered, and paths without a route or method are refused. Bodies are never read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readHead } from '../../http/head.ts';
import type { Problems, Site } from '../../http/problem-document.ts';
import { faultOfHttp, faultsOfPaths } from '../../http/request-faults.ts';
import type { NewRequestId } from '../../http/request-id.ts';
import { allowedMethods } from '../http/allowed-methods.ts';
import { everyAnswer } from '../http/answer.ts';
import { transportFields } from '../http/transport-fields.ts';
import type { RouteFacts } from './route-facts.ts';

export type ScreeningNeeds = {
  site: Site;
  problems: Problems;
  limits: { urlCharacters: number };
  newRequestId: NewRequestId;
};

export function addScreening(
  app: FastifyInstance,
  routes: readonly Pick<RouteFacts, 'path'>[],
  needs: ScreeningNeeds,
): void {
  const { problems, limits, newRequestId } = needs;
  const faultOfPath = faultsOfPaths(routes.map(({ path }) => ({ path, methods: allowedMethods })));

  app.addHook('onRequest', (request, reply, done) => {
    const head = readHead(request.raw.rawHeaders);
    request.head = head;
    request.requestId = newRequestId(head.requestId);
    if (isPreflight(request)) {
      answerPreflight(request, reply, needs);
      return;
    }
    const { raw } = request;
    const refusal =
      faultOfHttp(raw, head, limits.urlCharacters) ?? (request.is404 ? faultOfPath(raw.url as string) : null);
    if (refusal === null) {
      done();
      return;
    }
    reply.hijack();
    // The following bytes on this connection may be a body, which is never read.
    problems.write(reply.raw, refusal, request.requestId, head.body || refusal.refused === 'malformed-request');
  });
}

function isPreflight({ raw }: FastifyRequest): boolean {
  return (
    raw.method === 'OPTIONS' &&
    raw.headers.origin !== undefined &&
    raw.headers['access-control-request-method'] !== undefined
  );
}

/** Browsers may send keys, conditional requests and ranges from any page (docs/interface.md#response-headers). */
function answerPreflight(request: FastifyRequest, reply: FastifyReply, { site }: ScreeningNeeds): void {
  reply.hijack();
  reply.raw.writeHead(204, [
    ...everyAnswer,
    ...transportFields(site.baseUrl),
    'Access-Control-Allow-Methods',
    allowedMethods.join(', '),
    'Access-Control-Allow-Headers',
    'Authorization, Range, If-None-Match, If-Match, If-Range, Prefer, X-Request-Id',
    'Access-Control-Max-Age',
    '86400',
    'Cache-Control',
    'no-store',
    'X-Request-Id',
    request.requestId,
  ]);
  reply.raw.end();
}
