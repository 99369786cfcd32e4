// Requests with several faults at once, for claims about which fault decides: the faults of a kind of request in the
// order of docs/interface.md#order-of-checks, each set of faults that can occur together, and the answer that the
// earliest one demands.
import assert from 'node:assert/strict';
import { requestWindow } from '../../../core/limits/request-window.ts';
import type { KeyState, Tier } from '../../../core/ports/catalog/keys.ts';
import type { RateLimiter } from '../../../core/ports/rate-limiter.ts';
import { pepper, type TestApi } from './api-http.ts';

/** What every request has; the test chooses its path. */
export type FaultyRequest = {
  method: string;
  key: boolean;
  state: KeyState;
  entitled: boolean;
  limited: boolean;
  tier: Tier;
  poor: boolean;
  query: string[];
  headers: Record<string, string>;
};

export type Fault<Request> = {
  name: string;
  /** Faults of the same slot exclude each other. */
  slot: string;
  status: number;
  type: string | null;
  apply(request: Request): void;
};

export function fault<Request>(
  name: string,
  slot: string,
  status: number,
  type: string | null,
  apply: (request: Request) => void,
): Fault<Request> {
  return { name, slot, status, type, apply };
}

export const faultless = (): FaultyRequest => ({
  method: 'GET',
  key: true,
  state: 'active',
  entitled: true,
  limited: false,
  tier: 'PRO',
  poor: false,
  query: [],
  headers: {},
});

/** Faults found before the route is asked, in the order of docs/interface.md#order-of-checks. */
export const faultsOfKeys: readonly Fault<FaultyRequest>[] = [
  fault('a method it does not have', 'method', 405, 'method-not-allowed', (request) => {
    request.method = 'POST';
  }),
  fault('no key', 'key', 401, 'invalid-key', (request) => {
    request.key = false;
  }),
  fault('a revoked key', 'state', 403, 'key-disabled', (request) => {
    request.state = 'revoked';
  }),
  fault('a suspended key', 'state', 403, 'key-disabled', (request) => {
    request.state = 'suspended';
  }),
  fault('no subscription', 'entitled', 402, 'subscription-required', (request) => {
    request.entitled = false;
  }),
  fault('a throttled key', 'state', 429, 'throttled', (request) => {
    request.state = 'throttled';
  }),
  fault('one request too many', 'limited', 429, 'rate-limited', (request) => {
    request.limited = true;
  }),
];

/** Admits every key except those whose name says that they are limited. */
export const limiterByName: RateLimiter = {
  admit: (subject, limit) => {
    const limited = subject.includes('limited');
    return { admitted: !limited, limit, remaining: limited ? 0 : limit, window: requestWindow, resetMs: 60_000 };
  },
  look: (_subject, limit) => ({ admitted: true, limit, remaining: limit, window: requestWindow, resetMs: 0 }),
  degraded: () => false,
  close: async () => {},
};

const keysOf = new WeakMap<TestApi, Map<string, string>>();

/** A key in the state that the request needs; the account `poor` has no quota left. */
function keyOf(api: TestApi, { state, entitled, limited, tier, poor }: FaultyRequest): string {
  const keys = keysOf.get(api) ?? new Map<string, string>();
  keysOf.set(api, keys);
  const name = [state, entitled, limited, tier, poor].join(' ');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const accountId = poor ? 'poor' : 'account';
  const key = api.catalog.mint(pepper, { id: limited ? `limited ${name}` : name, accountId, state, entitled, tier });
  keys.set(name, key);
  return key;
}

function setsOf<Request>(faults: readonly Fault<Request>[], size: number): Fault<Request>[][] {
  if (size === 0) return [[]];
  return setsOf(faults, size - 1).flatMap((set) => {
    const last = set.at(-1);
    const from = last === undefined ? 0 : faults.indexOf(last) + 1;
    return faults
      .slice(from)
      .filter((next) => set.every((each) => each.slot !== next.slot))
      .map((next) => [...set, next]);
  });
}

export type Faulty<Request> = {
  api: TestApi;
  /** In the order of docs/interface.md#order-of-checks. */
  faults: readonly Fault<Request>[];
  /** A request without a fault; `size` 0 checks that it has none. */
  request(): Request;
  path(request: Request): string;
};

/**
 * Asserts that each set of `size` faults is answered according to the earliest one, and the empty set with 200. Answers
 * the number of sets.
 */
export async function assertEarliestDecides<Request extends FaultyRequest>(
  { api, faults, request: base, path }: Faulty<Request>,
  size: number,
): Promise<number> {
  const sets = setsOf(faults, size);
  for (const chosen of sets) {
    const request = base();
    for (const each of chosen) each.apply(request);
    const target = path(request);
    const query = request.query.length === 0 ? '' : `?${request.query.join('&')}`;
    const reply = await api.get(target + query, {
      method: request.method,
      headers: request.headers,
      key: request.key ? keyOf(api, request) : null,
    });
    const isProblem = reply.status >= 400 && reply.body.length > 0;
    const type = isProblem ? (reply.json() as { type: string }).type : null;
    const [earliest = { status: 200, type: null }] = chosen;
    const given = { status: reply.status, type: type?.replace('https://api.example.test/problems/', '') ?? null };
    const { status, type: expected } = earliest;
    assert.deepEqual(given, { status, type: expected }, chosen.map(({ name }) => name).join(' + '));
  }
  return sets.length;
}
