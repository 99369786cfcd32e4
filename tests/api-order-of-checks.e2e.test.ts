// The order in which a request is checked: decisions.md 12. Every set of up to three faults that can occur together is answered with that
// of the earliest check.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KeyState, Tier } from '../core/ports/catalog/keys.ts';
import type { RateLimiter } from '../core/ports/rate-limiter.ts';
import { pepper, startApi, type TestApi } from './support/api-http.ts';

type Request = {
  method: string;
  key: boolean;
  state: KeyState;
  entitled: boolean;
  limited: boolean;
  tier: Tier;
  poor: boolean;
  game: string;
  rest: string;
  query: string[];
  headers: Record<string, string>;
};

type Fault = {
  name: string;
  /** Faults of one slot exclude each other. */
  slot: string;
  status: number;
  type: string | null;
  apply(request: Request): void;
};

const game = 'MLB_STL_NYY_20260805';
let etag = '';

/** In the order of decision 12. */
const faults: readonly Fault[] = [
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
  fault('an unknown parameter', 'query', 400, 'validation-error', (request) => {
    request.query.push('nonsense=1');
  }),
  fault('a malformed range', 'range', 400, 'validation-error', (request) => {
    request.headers.range = 'bytes=x';
  }),
  fault('an unknown dataset', 'rest', 404, 'not-found', (request) => {
    request.rest = 'nonsense';
    request.query = request.query.filter((parameter) => !parameter.startsWith('rows'));
  }),
  fault('an unknown game', 'game', 404, 'not-found', (request) => {
    request.game = 'MLB_STL_NYY_19990805';
  }),
  fault("a game outside the tier's history", 'tier', 403, 'history-restricted', (request) => {
    request.tier = 'DEMO';
  }),
  fault('an unknown segment', 'rest', 404, 'not-found', (request) => {
    request.rest = 'sportsbook-lines/segments/9';
  }),
  fault('rows that the segment does not have', 'rows', 409, 'live-segment-behind', (request) => {
    if (request.rest !== 'nonsense') request.query.push('rows=999');
  }),
  fault('a failed precondition', 'if-match', 412, 'precondition-failed', (request) => {
    request.headers['if-match'] = '"other"';
  }),
  fault('an unchanged file', 'if-none-match', 304, null, (request) => {
    request.headers['if-none-match'] = etag;
  }),
  fault('a range beyond the file', 'range', 416, 'range-not-satisfiable', (request) => {
    request.headers.range = 'bytes=100000-';
  }),
  fault('an exhausted quota', 'quota', 429, 'quota-exhausted', (request) => {
    request.poor = true;
  }),
];

function fault(
  name: string,
  slot: string,
  status: number,
  type: string | null,
  apply: (request: Request) => void,
): Fault {
  return { name, slot, status, type, apply };
}

let api: TestApi;
const keys = new Map<string, string>();

type Standing = Pick<Request, 'state' | 'entitled' | 'limited' | 'tier' | 'poor'>;

/** A key of this standing. */
function keyOf({ state, entitled, limited, tier, poor }: Standing): string {
  const name = [state, entitled, limited, tier, poor].join(' ');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const accountId = poor ? 'poor' : 'account';
  const key = api.catalog.mint(pepper, { id: limited ? `limited ${name}` : name, accountId, state, entitled, tier });
  keys.set(name, key);
  return key;
}

/** Admits every key whose name does not say that it is limited. */
const limiter: RateLimiter = {
  admit: (subject, limit) => {
    const limited = subject.includes('limited');
    return { admitted: !limited, limit, remaining: limited ? 0 : limit, resetMs: 60_000 };
  },
  look: (_subject, limit) => ({ admitted: true, limit, remaining: limit, resetMs: 0 }),
  degraded: () => false,
  close: async () => {},
};

before(async () => {
  api = await startApi({ limiter, demoMonth: '2020-01' });
  api.ledger.quotas.set('poor', 0);
  await api.log(game).append(7);
  etag = (await api.get(`/v1/games/${game}/sportsbook-lines/segments/1`)).headers.etag ?? '';
});
after(() => api.close());

async function answerTo(chosen: readonly Fault[]): Promise<{ status: number; type: string | null }> {
  const request: Request = {
    method: 'GET',
    key: true,
    state: 'active',
    entitled: true,
    limited: false,
    tier: 'PRO',
    poor: false,
    game,
    rest: 'sportsbook-lines/segments/1',
    query: [],
    headers: {},
  };
  for (const each of chosen) each.apply(request);
  const query = request.query.length === 0 ? '' : `?${request.query.join('&')}`;
  const reply = await api.get(`/v1/games/${request.game}/${request.rest}${query}`, {
    method: request.method,
    headers: request.headers,
    key: request.key ? keyOf(request) : null,
  });
  const type = reply.body.length === 0 ? null : (reply.json() as { type: string }).type;
  return { status: reply.status, type: type?.replace('https://api.example.test/problems/', '') ?? null };
}

function setsOf(size: number): Fault[][] {
  if (size === 0) return [[]];
  return setsOf(size - 1).flatMap((set) => {
    const from = set.length === 0 ? 0 : faults.indexOf(set.at(-1) as Fault) + 1;
    return faults
      .slice(from)
      .filter((next) => set.every((each) => each.slot !== next.slot))
      .map((next) => [...set, next]);
  });
}

describe('the earliest check that refuses decides', () => {
  for (const size of [1, 2, 3]) {
    it(`of ${size} fault${size === 1 ? '' : 's'} at a time`, async () => {
      const sets = setsOf(size);
      for (const chosen of sets) {
        const first = chosen[0] as Fault;
        const given = await answerTo(chosen);
        const names = chosen.map(({ name }) => name).join(' + ');
        assert.deepEqual(given, { status: first.status, type: first.type }, names);
      }
      assert.ok(sets.length >= [0, 18, 140, 600][size]!, `${sets.length} sets`);
    });
  }
});

it('a path without a route is refused before the key is looked at', async () => {
  const reply = await api.get('/v1/nonsense', { key: null });
  assert.equal(reply.status, 404);
});
