// Checks a request before its body is read, in this order: HTTP itself, the route, the key, the source, the scope, the query.
import type { FastifyRequest } from 'fastify';
import { whyReserved } from '../../core/access/feed-grant.ts';
import type { FeedKey } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { noSpan, type Span, type Tracer } from '../../core/ports/tracer.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { queryOf, readParameters } from '../../http/query.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import { faultOfHttp, faultsOfPaths } from '../../http/request-faults.ts';
import { type FeedKeys, forbidden, refusalOfScope, refusalOfSource } from './feed-keys.ts';
import type { FeedUses } from './feed-use.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { noShare, type ShareTools, shareOfRequest } from './key-share.ts';
import type { UploadPace } from './receive-body.ts';
import type { Call, GatewayRoute } from './route.ts';

/** Most characters of a URL. docs/interface.md#problem-types. */
export const longestUrl = 8_000;

/** Admits a request to its route, or refuses it. Rejects as the catalog does. */
export function admission(
  routes: readonly GatewayRoute[],
  feedKeys: FeedKeys,
  tools: ShareTools & { pace: UploadPace; uses: FeedUses; clock: Clock; tracer: Tracer },
): (request: FastifyRequest) => Promise<Call | GatewayRefusal> {
  const faultOfPath = faultsOfPaths(
    routes.map(({ method, path }) => ({ path, methods: method === 'GET' ? ['GET', 'HEAD'] : ['POST'] })),
  );
  const byPath = new Map(
    routes.map((route) => [route.path, { route, taken: Object.fromEntries(route.query.map((name) => [name, true])) }]),
  );
  return async (request) => {
    const { raw, head } = request;
    const target = raw.url ?? '';
    const fault = faultOfHttp(raw, head, longestUrl);
    if (fault !== null) return fault;
    const known = request.is404 ? undefined : byPath.get(request.routeOptions.url ?? '');
    if (known === undefined) return faultOfPath(target);
    const { route, taken } = known;
    const params = request.params as Readonly<Record<string, string>>;
    const source = params.source ?? '';
    const key =
      route.key === 'none' || route.key === 'probe'
        ? null
        : await feedKeys.authenticate(head.authorization, head.authorizationCount);
    if (isRefusal(key)) return key;
    const share = key === null ? noShare : shareOfRequest(tools, key.id);
    const refused = (refusal: GatewayRefusal): GatewayRefusal => {
      share.refused(refusal);
      return refusal;
    };
    const notGranted = key === null ? null : refusalOfGrant(key, route, source);
    if (notGranted !== null) return refused(notGranted);
    const query = readParameters(queryOf(target), taken);
    if (typeof query === 'string') return refused(refuse('validation-error', { detail: query }));
    const { requestId: id } = request;
    const span = route.method === 'GET' ? noSpan : spanOf(request, route, tools.tracer);
    return { id, request: raw, params, query: Object.fromEntries(query), key, source, share, pace: tools.pace, span };
  };
}

/** Nothing is traced for a stranger: the key is known by now. */
function spanOf({ raw, requestId }: FastifyRequest, { method, path }: GatewayRoute, tracer: Tracer): Span {
  const parent = raw.headers.traceparent;
  const what = { 'http.request.method': method, 'http.route': path, 'sds.request_id': requestId };
  return tracer.start(`${method} ${path}`, 'server', typeof parent === 'string' ? parent : null, what);
}

/** `not-found` or `forbidden` if the key may not use the route as the source. */
function refusalOfGrant(key: FeedKey, route: GatewayRoute, source: string): GatewayRefusal | null {
  if (route.key === 'source') {
    if (!isSourceName(source)) return refuse('not-found', { detail: 'A source is of [a-z0-9][a-z0-9_-]{0,63}.' });
    const notOfSource = refusalOfSource(key, source);
    if (notOfSource !== null) return notOfSource;
  }
  if (route.scope === null) return null;
  return refusalOfScope(key, route.scope, 'the route', source) ?? forbidden(whyReserved(key, source));
}
