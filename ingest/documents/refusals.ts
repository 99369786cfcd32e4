// The problems with which a route of the gateway may be refused, derived from its declaration: those of admission, of reading a body, and
// of HTTP itself.
import type { GatewayProblemCode, ProblemType } from '../../schemas/http/problems.ts';
import { gatewayProblemTypes } from '../../schemas/http/problems.ts';
import type { GatewayRoute } from '../gateway/route.ts';

/** An unknown query parameter is refused on every route. */
const ofEveryRoute: readonly GatewayProblemCode[] = ['malformed-request', 'validation-error', 'internal-error'];

function refusalsOf({ key, takes, missing, unready, headers }: RefusalFacts): ReadonlySet<GatewayProblemCode> {
  return new Set([
    ...ofEveryRoute,
    ...(key === 'probe' ? [] : (['rate-limited'] as const)),
    ...(key === 'none' || key === 'probe' ? [] : (['invalid-key', 'key-disabled', 'temporarily-unavailable'] as const)),
    ...(key === 'source' ? (['forbidden', 'not-found'] as const) : []),
    ...(takes === null ? [] : (['payload-too-large', 'unsupported-media-type'] as const)),
    ...(headers.includes('Idempotency-Key') ? (['idempotency-conflict'] as const) : []),
    ...(missing ? (['not-found'] as const) : []),
    ...(unready ? (['temporarily-unavailable'] as const) : []),
  ]);
}

type RefusalFacts = Pick<GatewayRoute, 'key' | 'takes' | 'missing' | 'unready' | 'headers'>;

/** The problem types per failing status, in the order of the catalogue. */
export function refusalsByStatus(route: RefusalFacts): ReadonlyMap<number, readonly GatewayProblemCode[]> {
  const possible = refusalsOf(route);
  const byStatus = new Map<number, GatewayProblemCode[]>();
  for (const [code, { statuses }] of Object.entries(gatewayProblemTypes) as [GatewayProblemCode, ProblemType][]) {
    if (!possible.has(code)) continue;
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
