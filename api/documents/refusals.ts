// The problems that a route can answer with: those of the checks that apply to it (docs/interface.md#order-of-checks), those it declares, and
// those of HTTP and of the server itself, which any route can have.
import { type Check, checksFor } from '../../core/access/order-of-checks.ts';
import { type ProblemCode, type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';

const refusalsOf: Readonly<Record<Check, readonly ProblemCode[]>> = {
  'address-limit': ['rate-limited'],
  key: ['invalid-key', 'temporarily-unavailable'],
  'key-state': ['key-disabled'],
  subscription: ['subscription-required'],
  throttle: ['throttled'],
  'rate-limit': ['rate-limited'],
  shape: ['validation-error'],
  dataset: ['not-found'],
  game: ['not-found', 'temporarily-unavailable'],
  cursor: ['validation-error', 'temporarily-unavailable'],
  history: ['history-restricted', 'temporarily-unavailable'],
  resource: [],
  precondition: ['precondition-failed'],
  range: ['range-not-satisfiable'],
  charge: ['quota-exhausted', 'temporarily-unavailable'],
};

const ofEveryRoute: readonly ProblemCode[] = ['malformed-request', 'internal-error'];

export type Method = 'GET' | 'HEAD';

/** Whether a 200 of the route has an ETag, so that conditional requests make sense. */
export function isConditional(route: Pick<RouteFacts, 'cache'>): boolean {
  return route.cache !== 'never';
}

/** The problem types of each failing status, in the order of the catalogue. */
export function refusalsByStatus(route: RouteFacts, method: Method): ReadonlyMap<number, readonly ProblemCode[]> {
  const { 200: _body, ...declared } = route.answers;
  const checks = checksFor(route.class, method).filter((check) => check !== 'precondition' || isConditional(route));
  const possible = new Set<ProblemCode>([
    ...checks.flatMap((check) => refusalsOf[check]),
    ...Object.values(declared).flat(),
    ...ofEveryRoute,
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const [code, { statuses }] of Object.entries(problemTypes) as [ProblemCode, ProblemType][]) {
    if (!possible.has(code)) continue;
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
