// The answer to a request when all facts are known at once: each check of its route, in the order of the service,
// judges the facts. A server learns a fact only when its check runs; here every combination of facts has one answer
// (docs/interface.md#order-of-checks). Independent of HTTP.

import { historyWindow, isWithin } from '../../core/access/history-window.ts';
import { type Check, checksFor, type RouteClass } from '../../core/access/order-of-checks.ts';
import type { KeyState, Tier } from '../../core/ports/catalog/keys.ts';
import type { ProblemCode } from '../../schemas/http/problems.ts';

type MissingResource =
  | 'not-found'
  | 'not-final'
  | 'not-yet-available'
  | 'stream-reset'
  | 'cursor-expired'
  | 'live-segment-behind'
  | 'live-cursor-reset';

export type RequestFacts = {
  addressWithinLimit: boolean;
  /** `unknowable`: the key cannot be looked up at the moment. */
  key: 'missing' | 'invalid' | 'unknowable' | KeyState;
  tier: Tier;
  entitled: boolean;
  keyWithinLimit: boolean;
  wellShaped: boolean;
  datasetExists: boolean;
  /** The game or league that the path names. */
  game: 'known' | 'unknown' | 'unknowable';
  /** The owner of the cursor; `unknowable`: it cannot be looked up at the moment. */
  cursor: 'own' | 'foreign' | 'unknowable';
  /** Eastern dates of the game and of today, and the month that DEMO is fixed to. */
  gameDate: string;
  today: string;
  demoMonth: string | null;
  resource: 'there' | MissingResource;
  /** Eastern date of the requested revision; null: the request is not for a revision. */
  revisionDate: string | null;
  condition: 'none' | 'failed' | 'unchanged';
  range: 'none' | 'within' | 'beyond';
  quota: 'enough' | 'exhausted' | 'unknowable';
};

export type Verdict =
  | { kind: 'refused'; by: Check; problem: ProblemCode }
  | { kind: 'unchanged' }
  | { kind: 'served'; part: boolean; charged: boolean };

type Finding = ProblemCode | 'unchanged' | null;

const findings: Readonly<Record<Check, (facts: RequestFacts) => Finding>> = {
  'address-limit': ({ addressWithinLimit }) => (addressWithinLimit ? null : 'rate-limited'),
  key({ key }) {
    if (key === 'unknowable') return 'temporarily-unavailable';
    return key === 'missing' || key === 'invalid' ? 'invalid-key' : null;
  },
  'key-state': ({ key }) => (key === 'revoked' || key === 'suspended' ? 'key-disabled' : null),
  subscription: ({ entitled }) => (entitled ? null : 'subscription-required'),
  throttle: ({ key }) => (key === 'throttled' ? 'throttled' : null),
  'rate-limit': ({ keyWithinLimit }) => (keyWithinLimit ? null : 'rate-limited'),
  shape: ({ wellShaped }) => (wellShaped ? null : 'validation-error'),
  dataset: ({ datasetExists }) => (datasetExists ? null : 'not-found'),
  game({ game }) {
    if (game === 'unknowable') return 'temporarily-unavailable';
    return game === 'unknown' ? 'not-found' : null;
  },
  cursor({ cursor }) {
    if (cursor === 'unknowable') return 'temporarily-unavailable';
    return cursor === 'foreign' ? 'validation-error' : null;
  },
  history: (facts) => (reads(facts, facts.gameDate) ? null : 'history-restricted'),
  resource(facts) {
    const { resource, revisionDate } = facts;
    if (resource !== 'there') return resource;
    return revisionDate === null || reads(facts, revisionDate) ? null : 'history-restricted';
  },
  precondition({ condition }) {
    if (condition === 'failed') return 'precondition-failed';
    return condition === 'unchanged' ? 'unchanged' : null;
  },
  range: ({ range }) => (range === 'beyond' ? 'range-not-satisfiable' : null),
  charge({ quota }) {
    if (quota === 'unknowable') return 'temporarily-unavailable';
    return quota === 'exhausted' ? 'quota-exhausted' : null;
  },
};

/** Whether the tier may read content of `date`. */
function reads({ tier, today, demoMonth }: RequestFacts, date: string): boolean {
  return isWithin(historyWindow(tier, { today, demoMonth }), date);
}

/** The answer to a request: what the first check with a finding says, otherwise the resource. */
export function verdict(route: RouteClass, method: 'GET' | 'HEAD', facts: RequestFacts): Verdict {
  const checks = checksFor(route, method);
  for (const by of checks) {
    const finding = findings[by](facts);
    if (finding === 'unchanged') return { kind: 'unchanged' };
    if (finding !== null) return { kind: 'refused', by, problem: finding };
  }
  const part = checks.includes('range') && facts.range === 'within';
  return { kind: 'served', part, charged: checks.includes('charge') };
}
