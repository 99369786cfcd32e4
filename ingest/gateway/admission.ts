// What is checked of a request before its body is read, in this order: HTTP itself, the route, the key, the source, the scope, the query.
import type { FastifyRequest } from 'fastify';
import { whyReserved } from '../../core/access/feed-grant.ts';
import type { FeedKey } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { isSourceName } from '../../core/quotes/names.ts';
import { type FeedKeys, requireScope, requireSource } from './feed-keys.ts';
import type { FeedUses } from './feed-use.ts';
import { noShare, type ShareTools, shareOfRequest } from './key-share.ts';
import { Problem } from './problem.ts';
import { readQuery } from './query.ts';
import type { UploadPace } from './receive-body.ts';
import { type Call, type GatewayRoute, methodsOf } from './route.ts';

/** Most characters of a URL. docs/interface.md#problem-types. */
export const longestUrl = 8_000;

/** Admits a request to its route. The answer rejects with Problem, or as the catalog does. */
export function admission(
  routes: readonly GatewayRoute[],
  feedKeys: FeedKeys,
  tools: ShareTools & { pace: UploadPace; uses: FeedUses; clock: Clock },
): (request: FastifyRequest) => Promise<Call> {
  const methodsAt = methodsOf(routes);
  return async (request) => {
    const { raw } = request;
    const target = raw.url ?? '';
    checkHttp(request, target);
    const route = request.is404 ? undefined : routes.find(({ path }) => path === request.routeOptions.url);
    if (route === undefined) throw noRoute(methodsAt(pathOf(target)));
    const params = request.params as Readonly<Record<string, string>>;
    const source = params.source ?? '';
    const key =
      route.key === 'none' || route.key === 'probe'
        ? null
        : await feedKeys.authenticate(valuesOf(request, 'authorization'));
    const share = key === null ? noShare : shareOfRequest(tools, key.id);
    try {
      if (key !== null) requireGrant(key, route, source);
      return { request: raw, params, query: readQuery(target, route.query), key, source, share, pace: tools.pace };
    } catch (error) {
      if (error instanceof Problem) share.refused(error);
      throw error;
    }
  };
}

/** Asserts that the key may use the route as the source. @throws Problem `not-found`, `forbidden`. */
function requireGrant(key: FeedKey, route: GatewayRoute, source: string): void {
  if (route.key === 'source') {
    if (!isSourceName(source)) throw new Problem('not-found', 'A source is of [a-z0-9][a-z0-9_-]{0,63}.');
    requireSource(key, source);
  }
  if (route.scope === null) return;
  requireScope(key, route.scope, 'the route', source);
  const reserved = whyReserved(key, source);
  if (reserved !== null) throw new Problem('forbidden', reserved);
}

function checkHttp(request: FastifyRequest, target: string): void {
  if (target.length > longestUrl)
    throw new Problem('malformed-request', `The URL is longer than ${longestUrl} characters.`, { status: 414 });
  const hosts = valuesOf(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0'))
    throw new Problem('malformed-request', 'A request has exactly one Host header.');
}

function noRoute(methods: readonly string[]): Problem {
  if (methods.length === 0) return new Problem('not-found', 'There is no such route.');
  return new Problem('method-not-allowed', `The route takes ${methods.join(' and ')}.`, {
    headers: { Allow: methods.join(', ') },
  });
}

/** The path of a request target, which a client may also send with scheme and host. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? '';
}

/** Values of a header field, each as it stands: Node keeps only the first of some, silently. */
function valuesOf({ raw: { rawHeaders } }: FastifyRequest, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
