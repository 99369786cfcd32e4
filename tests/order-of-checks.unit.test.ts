// The whole table of decisions.md 12: every state of a key, every tier, every class of routes, every condition, all of them together. The
// expectation is the sentence of the decision, read from left to right.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checksFor, orderOfChecks, type RouteClass } from '../core/access/order-of-checks.ts';
import { type RequestFacts, type Verdict, verdict } from '../core/access/verdict.ts';
import { tiers } from '../core/ports/catalog/keys.ts';

const classes: Readonly<Record<string, RouteClass>> = {
  'a route without a key': { key: false, dataset: false, game: false, file: false, charged: false },
  'a list, or /v1/me': { key: true, dataset: false, game: false, file: false, charged: false },
  'one game, a live listing': { key: true, dataset: false, game: true, file: false, charged: false },
  'a segment or board file': { key: true, dataset: false, game: true, file: true, charged: true },
  'a file of a dataset': { key: true, dataset: true, game: true, file: true, charged: true },
};

/** The values of each fact, and on which classes it means anything. */
const values: { [Fact in keyof RequestFacts]: readonly RequestFacts[Fact][] } = {
  addressWithinLimit: [true, false],
  key: ['missing', 'invalid', 'unknowable', 'active', 'revoked', 'suspended', 'throttled'],
  tier: tiers,
  entitled: [true, false],
  keyWithinLimit: [true, false],
  wellShaped: [true, false],
  datasetExists: [true, false],
  game: ['known', 'unknown', 'unknowable'],
  // Of today, of DEMO's month 70 days ago, and long ago.
  gameDate: ['2026-08-29', '2026-06-20', '2024-01-01'],
  today: ['2026-08-29'],
  demoMonth: ['2026-06'],
  resource: [
    'there',
    'not-found',
    'not-final',
    'not-yet-available',
    'stream-reset',
    'cursor-expired',
    'live-segment-behind',
    'live-cursor-reset',
  ],
  condition: ['none', 'failed', 'unchanged'],
  range: ['none', 'within', 'beyond'],
  quota: ['enough', 'exhausted', 'unknowable'],
};

const readableBy = {
  DEMO: ['2026-06-20'],
  BETA: ['2026-08-29'],
  STARTER: ['2026-08-29', '2026-06-20'],
  PRO: ['2026-08-29', '2026-06-20', '2024-01-01'],
} as const;

/** decisions.md 12, word by word. */
function expected(of: RouteClass, method: string, facts: RequestFacts): string {
  if (!of.key && !facts.addressWithinLimit) return 'rate-limited';
  if (of.key) {
    if (facts.key === 'unknowable') return 'temporarily-unavailable';
    if (facts.key === 'missing' || facts.key === 'invalid') return 'invalid-key';
    if (facts.key === 'revoked' || facts.key === 'suspended') return 'key-disabled';
    if (!facts.entitled) return 'subscription-required';
    if (facts.key === 'throttled') return 'throttled';
    if (!facts.keyWithinLimit) return 'rate-limited';
  }
  if (!facts.wellShaped) return 'validation-error';
  if (of.dataset && !facts.datasetExists) return 'not-found';
  if (of.game) {
    if (facts.game === 'unknown') return 'not-found';
    if (facts.game === 'unknowable') return 'temporarily-unavailable';
    if (!(readableBy[facts.tier] as readonly string[]).includes(facts.gameDate)) return 'history-restricted';
  }
  if (facts.resource !== 'there') return facts.resource;
  if (facts.condition === 'failed') return 'precondition-failed';
  if (facts.condition === 'unchanged') return 'unchanged';
  if (of.file && method === 'GET' && facts.range === 'beyond') return 'range-not-satisfiable';
  if (of.charged && method === 'GET') {
    if (facts.quota === 'exhausted') return 'quota-exhausted';
    if (facts.quota === 'unknowable') return 'temporarily-unavailable';
  }
  return of.file && method === 'GET' && facts.range === 'within' ? 'part' : 'whole';
}

function told(given: Verdict): string {
  if (given.kind === 'refused') return given.problem;
  if (given.kind === 'unchanged') return 'unchanged';
  return given.part ? 'part' : 'whole';
}

/** Each combination of the facts, one after the other in the same record. */
function eachCombination(then: (facts: RequestFacts) => void): void {
  const names = Object.keys(values) as (keyof RequestFacts)[];
  const facts: Record<string, unknown> = {};
  const choose = (at: number): void => {
    const name = names[at];
    if (name === undefined) then(facts as RequestFacts);
    else
      for (const value of values[name]) {
        facts[name] = value;
        choose(at + 1);
      }
  };
  choose(0);
}

describe('what becomes of a request', () => {
  for (const [name, of] of Object.entries(classes)) {
    it(`to ${name}, whatever is wrong with it`, () => {
      let combinations = 0;
      const seen = new Set<string>();
      eachCombination((facts) => {
        // What a route has no use for is not varied there.
        if (of.key ? !facts.addressWithinLimit : facts.key !== 'missing' || facts.tier !== 'PRO' || !facts.entitled)
          return;
        if (!of.dataset && !facts.datasetExists) return;
        if (!of.game && (facts.game !== 'known' || facts.gameDate !== '2026-08-29')) return;
        if (!of.charged && facts.quota !== 'enough') return;
        for (const method of ['GET', 'HEAD'] as const) {
          const given = told(verdict(of, method, facts));
          seen.add(given);
          combinations += 1;
          if (given !== expected(of, method, facts)) {
            assert.fail(`${method} ${JSON.stringify(facts)}: ${given} instead of ${expected(of, method, facts)}`);
          }
        }
      });
      assert.ok(combinations > 400, `${combinations} combinations`);
      if (of.charged) assert.equal(seen.size, 21, [...seen].join(', '));
    });
  }
});

describe('which checks a route passes', () => {
  const file = classes['a file of a dataset'] as RouteClass;

  it('a file of a dataset passes all but that of the address', () =>
    assert.deepEqual(['address-limit', ...checksFor(file, 'GET')], orderOfChecks));
  it('a HEAD knows no range and is charged nothing', () =>
    assert.deepEqual(
      checksFor(file, 'GET').filter((check) => !checksFor(file, 'HEAD').includes(check)),
      ['range', 'charge'],
    ));
  it('a route without a key, a game or a file passes none of theirs', () =>
    assert.deepEqual(checksFor(classes['a route without a key'] as RouteClass, 'GET'), [
      'address-limit',
      'shape',
      'resource',
      'precondition',
    ]));
});
