// The whole table of docs/interface.md#order-of-checks: every state of a key, every tier, every class of routes, every condition, all of them
// together. The expectation is the sentence of the decision, read from left to right.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { checksFor, orderOfChecks, type RouteClass } from '../../../core/access/order-of-checks.ts';
import { tiers } from '../../../core/ports/catalog/keys.ts';
import { type RequestFacts, type Verdict, verdict } from '../../oracle/verdict.ts';

type Tested = RouteClass & { revisions: boolean };

const nothing: Tested = {
  key: false,
  probe: false,
  dataset: false,
  game: false,
  league: false,
  cursor: false,
  file: false,
  charged: false,
  revisions: false,
};
const ofRevisions: Tested = { ...nothing, key: true, dataset: true, revisions: true };

const classes: Readonly<Record<string, Tested>> = {
  'a route without a key': nothing,
  'a probe of a balancer': { ...nothing, probe: true },
  'a list, or /v1/me': { ...nothing, key: true },
  'one game, a live listing': { ...nothing, key: true, game: true },
  'a segment or board file': { ...nothing, key: true, game: true, file: true, charged: true },
  'a file of a dataset': { ...nothing, key: true, dataset: true, game: true, file: true, charged: true },
  'the snapshot of a game': { ...ofRevisions, game: true },
  'the changes of a game': { ...ofRevisions, game: true, cursor: true },
  'the changes of a league': { ...ofRevisions, league: true, cursor: true },
  'a file of a revision of a league': { ...ofRevisions, league: true, file: true, charged: true },
};

/** All values of each fact. */
const values: { [Fact in keyof RequestFacts]: readonly RequestFacts[Fact][] } = {
  addressWithinLimit: [true, false],
  key: ['missing', 'invalid', 'unknowable', 'active', 'revoked', 'suspended', 'throttled'],
  tier: tiers,
  entitled: [true, false],
  keyWithinLimit: [true, false],
  wellShaped: [true, false],
  datasetExists: [true, false],
  game: ['known', 'unknown', 'unknowable'],
  cursor: ['own', 'foreign', 'unknowable'],
  // Today, in DEMO's month 70 days ago, and long ago.
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
  revisionDate: [null, '2026-08-29', '2026-06-20', '2024-01-01'],
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

/** docs/interface.md#order-of-checks, sentence by sentence. */
function expected(of: RouteClass, method: string, facts: RequestFacts): string {
  if (!of.key && !of.probe && !facts.addressWithinLimit) return 'rate-limited';
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
  if (of.game || of.league) {
    if (facts.game === 'unknown') return 'not-found';
    if (facts.game === 'unknowable') return 'temporarily-unavailable';
  }
  if (of.cursor) {
    if (facts.cursor === 'unknowable') return 'temporarily-unavailable';
    if (facts.cursor === 'foreign') return 'validation-error';
  }
  const readable: readonly string[] = readableBy[facts.tier];
  if (of.game && !readable.includes(facts.gameDate)) return 'history-restricted';
  if (facts.resource !== 'there') return facts.resource;
  if (facts.revisionDate !== null && !readable.includes(facts.revisionDate)) return 'history-restricted';
  if (facts.condition === 'failed') return 'precondition-failed';
  if (facts.condition === 'unchanged') return 'unchanged';
  if (of.file && method === 'GET' && facts.range === 'beyond') return 'range-not-satisfiable';
  if (of.charged && method === 'GET') {
    if (facts.quota === 'exhausted') return 'quota-exhausted';
    if (facts.quota === 'unknowable') return 'temporarily-unavailable';
  }
  return of.file && method === 'GET' && facts.range === 'within' ? 'part' : 'whole';
}

function inShort(given: Verdict): string {
  if (given.kind === 'refused') return given.problem;
  if (given.kind === 'unchanged') return 'unchanged';
  return given.part ? 'part' : 'whole';
}

/** Facts that vary only on the routes that use them. */
const varied: { [Fact in keyof RequestFacts]?: (of: Tested) => boolean } = {
  addressWithinLimit: ({ key }) => !key,
  key: ({ key }) => key,
  tier: ({ key }) => key,
  entitled: ({ key }) => key,
  datasetExists: ({ dataset }) => dataset,
  game: ({ game, league }) => game || league,
  cursor: ({ cursor }) => cursor,
  gameDate: ({ game }) => game,
  revisionDate: ({ revisions }) => revisions,
  range: ({ file }) => file,
  quota: ({ charged }) => charged,
};
const usual: Partial<RequestFacts> = { tier: 'PRO' };

function valuesFor(of: Tested, name: keyof RequestFacts): readonly unknown[] {
  return varied[name]?.(of) === false ? [usual[name] ?? values[name][0]] : values[name];
}

/** Calls `then` with each combination of the facts, always in the same record. */
function eachCombination(of: Tested, then: (facts: RequestFacts) => void): void {
  const names = Object.keys(values) as (keyof RequestFacts)[];
  const choices = names.map((name) => ({ name, some: valuesFor(of, name) }));
  const facts: Record<string, unknown> = {};
  const choose = (at: number): void => {
    const choice = choices[at];
    if (choice === undefined) then(facts as RequestFacts);
    else
      for (const value of choice.some) {
        facts[choice.name] = value;
        choose(at + 1);
      }
  };
  choose(0);
}

describe('the outcome of a request', () => {
  for (const [name, of] of Object.entries(classes)) {
    it(`to ${name}, for any combination of faults`, () => {
      let combinations = 0;
      const seen = new Set<string>();
      eachCombination(of, (facts) => {
        for (const method of ['GET', 'HEAD'] as const) {
          const given = inShort(verdict(of, method, facts));
          seen.add(given);
          combinations += 1;
          if (given !== expected(of, method, facts)) {
            assert.fail(`${method} ${JSON.stringify(facts)}: ${given} instead of ${expected(of, method, facts)}`);
          }
        }
      });
      assert.ok(combinations > 300, `${combinations} combinations`);
      if (of.charged && of.game) assert.equal(seen.size, 21, [...seen].join(', '));
    });
  }
});

describe('the checks of a route', () => {
  const file = classes['a file of a dataset'] as RouteClass;

  it('a file of a dataset passes all but that of the address and of a cursor', () => {
    const others = orderOfChecks.filter((check) => check !== 'address-limit' && check !== 'cursor');
    assert.deepEqual(checksFor(file, 'GET'), others);
  });
  it('a cursor is looked at when the game or league is known, and before its history', () => {
    const changes = { ...ofRevisions, cursor: true };
    const around = (of: RouteClass) => checksFor(of, 'GET').slice(6);
    assert.deepEqual(around({ ...changes, game: true }), [
      'dataset',
      'game',
      'cursor',
      'history',
      'resource',
      'precondition',
    ]);
    assert.deepEqual(around({ ...changes, league: true }), ['dataset', 'game', 'cursor', 'resource', 'precondition']);
  });
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
