// Claim: what a key may not push is never applied and does not affect the rest of its push. The product gets pushes of
// random keys; the naive oracle, which knows no keys, gets only what each key may push: elements of its leagues,
// entries of its operators, and polls that covered only these. Rows, boards, missing counts, states and watermarks must
// be equal. A violation would be a part that slips through, or one that is left out but counts as absent.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { everything, type PushGrant } from '../../../core/access/feed-grant.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { printPushes, pushesOf, shrink, sketchPushes, worldTeams } from '../../oracle/generate.ts';
import type { Outcome, Push } from '../../oracle/pushes.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { describePushDifference, firstPushDifference } from '../../support/folds/pushes-beside-oracle.ts';

const seeds = cases(400);
const mostSteps = 24;
const leagueOfSport: Record<string, League> = {
  americanfootball_nfl: 'NFL',
  baseball_mlb: 'MLB',
  basketball_nba: 'NBA',
  basketball_ncaab: 'NCAAM',
};

type Json = Record<string, unknown>;

/** Keys that all sources share, by the step of a push, so that a key of a source meets what its other keys pushed. */
function grantsOf(random: Random): readonly PushGrant[] {
  const some = <T>(all: readonly T[]): T[] | null => {
    const few = all.filter(() => random.chance(0.6));
    return few.length === 0 || random.chance(0.3) ? null : few;
  };
  const grant = (): PushGrant => ({
    leagues: some<League>(['NFL', 'MLB', 'NBA', 'NCAAM']),
    operators: some(['AA', 'BB', 'CC_2', 'ZZ']),
  });
  const keys = [everything, grant(), grant()];
  return Array.from({ length: mostSteps }, () => random.pick(keys));
}

/** Stands for an element that the key may not push: every reader refuses it. */
const nothing = null;

/** The push without the leagues, operators and polled operators that the key may not push. */
function reduce(push: Push, { leagues, operators }: PushGrant): { push: Push; left: Set<number> } {
  const left = new Set<number>();
  if (push.format === 'tick') return { push, left };
  // Numbers keep their text.
  const body = JSON.parse(push.body, ((_: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? (JSON as unknown as Raw).rawJSON(source) : value) as never) as Json | unknown[];
  const mayLeague = (league: unknown) => leagues === null || leagues.includes(league as League);
  const mayOperator = (key: unknown) => {
    if (typeof key !== 'string' || !/^[A-Za-z0-9_]{1,32}$/.test(key)) return true;
    return operators === null || operators.includes(key.toUpperCase());
  };
  const kept = (element: unknown, index: number): unknown => {
    if (typeof element !== 'object' || element === null) return element;
    const { sport_key, game, operator, bookmakers } = element as { game?: Json | null } & Json;
    const league =
      push.format === 'quotes' ? game?.league : typeof sport_key === 'string' ? leagueOfSport[sport_key] : undefined;
    const named = push.format === 'quotes' && typeof game?.game_id === 'string' ? game.game_id.split('_')[0] : league;
    const known = (['NFL', 'MLB', 'NBA', 'NCAAM', 'NHL'] as unknown[]).includes(named);
    if ((known && !mayLeague(named)) || (push.format === 'quotes' && !mayOperator(operator))) {
      left.add(index);
      return nothing;
    }
    if (push.format === 'quotes' || !Array.isArray(bookmakers)) return element;
    return { ...element, bookmakers: bookmakers.filter((each) => !isWhole(each) || mayOperator(each.key)) };
  };
  const list = Array.isArray(body) ? body : ((body.events ?? body.data) as unknown[]);
  const some = list.map(kept);
  const reduced = Array.isArray(body) ? some : body.events === undefined ? { ...body, data: some } : { events: some };
  const polled = push.query.bookmakers?.split(',').filter((key) => mayOperator(key.trim()));
  const covered = polled ?? (operators === null ? undefined : operators);
  const query = push.format === 'quotes' || covered === undefined ? {} : { bookmakers: covered.join(',') };
  return { push: { ...push, query: { ...push.query, ...query }, body: JSON.stringify(reduced) }, left };
}

/** A malformed entry refuses its whole element, whichever operator it belongs to. */
function isWhole(entry: unknown): entry is Json {
  const { markets } = (entry ?? {}) as { markets?: { outcomes?: unknown }[] };
  return Array.isArray(markets) && markets.every((market) => Array.isArray(market?.outcomes));
}

type Raw = { rawJSON(text: string): unknown };

/** Receive-timed and without Idempotency-Keys: grants do not decide whether two pushes are the same. */
const plain = (push: Push): Push => ({ ...push, scopes: ['push'], timed: 'receive', idempotencyKey: undefined });

it(`what a key has no right to push is never applied: seeds 1 to ${seeds}`, () => {
  let leftOut = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const grants = grantsOf(seededRandom(-seed));
    const compare = (sketches: ReturnType<typeof sketchPushes>) => {
      const pushes = pushesOf(sketches).map((push, at) => ({ ...plain(push), may: grants[sketches[at]!.push.step]! }));
      const reduced = pushes.map((push) => reduce(push, push.may));
      const without = ([step, index, code]: Outcome['refusals'][number]): boolean =>
        String(code).startsWith('forbidden-') || (index !== null && reduced[step]!.left.has(index));
      leftOut += reduced.reduce((sum, { left }) => sum + left.size, 0);
      const given = reduced.map(({ push }) => push);
      return firstPushDifference(pushes, worldTeams, given, without);
    };
    const sketches = sketchPushes(seed, mostSteps);
    if (compare(sketches) === undefined) continue;
    const small = shrink(sketches, (some) => compare([...some]) !== undefined);
    const shown = `${JSON.stringify(small.map(({ push }) => grants[push.step]))}\n${printPushes(pushesOf(small).map(plain))}`;
    assert.fail(`seed ${seed}\n${shown}\n${describePushDifference(compare([...small])!)}`);
  }
  assert.ok(leftOut > seeds, 'too few elements were refused for their key');
});
