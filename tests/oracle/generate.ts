// Seeded sequences of pushes, ordinary and hostile, over a small world: few games, sources, operators and selections,
// so that records collide. A sequence is a pure function of its seed. It can be printed as steps of a vector, and
// shrunk while it still fails.
import type { Team } from './games.ts';
import { nativeElement } from './generate-native.ts';
import { oddsApiElement } from './generate-odds-api.ts';
import { allMarkets, allOddsMarkets, allOperators, type World } from './generate-world.ts';
import type { OddsApiQuery } from './odds-api.ts';
import type { Push } from './pushes.ts';
import { type Random, seededRandom } from './random.ts';
import { shrinkBy, withFewer } from './shrink.ts';
import { render, type TextTree, withoutOne } from './text-tree.ts';
import { hour, minute, readTime, second, writeTime } from './times.ts';

export interface Sketch {
  push: Push;
  body: TextTree;
}

/** The teams of the sequences, as in `teams.csv`; every other name they use is an unknown team. */
export const worldTeams: Team[] = [
  { league: 'NFL', abbreviation: 'DET', name: 'Detroit Lions', aliases: [] },
  { league: 'NFL', abbreviation: 'PHI', name: 'Philadelphia Eagles', aliases: [] },
  { league: 'MLB', abbreviation: 'CHC', name: 'Chicago Cubs', aliases: [] },
  { league: 'MLB', abbreviation: 'NYM', name: 'New York Mets', aliases: ['NY Mets'] },
  { league: 'NBA', abbreviation: 'DET', name: 'Detroit Pistons', aliases: [] },
  { league: 'NBA', abbreviation: 'PHI', name: 'Philadelphia 76ers', aliases: ['Philadelphia Sixers'] },
];

const firstMoment = readTime('2025-11-16T20:00:00Z')!;
const pauses = [
  0n,
  0n,
  1n,
  second,
  5n * second,
  14n * second,
  15n * second + 1n,
  30n * second,
  30n * second,
  minute,
  minute,
];
const longPauses = [2n * minute, 10n * minute - 1n, 10n * minute, 15n * minute, 3n * hour, 25n * hour];

/** Makes the pushes of a seed, at most `size`. */
export function sketchPushes(seed: number, size = 24): Sketch[] {
  const random = seededRandom(seed);
  const world: World = {
    games: 1 + random.integer(3),
    sources: ['s1', 's2', 's3'].slice(0, 1 + random.integer(3)),
    hostility: random.pick([0, 0.03, 0.15]),
    firstStart: firstMoment + random.pick([-hour, 2n * minute, 5n * hour, 8n * hour]),
    teams: worldTeams,
    now: firstMoment,
    crowded: random.chance(0.15),
    operators: some(random, allOperators, 2),
    markets: some(random, allMarkets, 3),
    oddsMarkets: some(random, allOddsMarkets, 4),
  };
  const oddsApiShare = random.pick([0, 0.3, 0.7]);
  const sourceTimedShare = random.pick([0, 0.3, 1]);
  const sketches: Sketch[] = [];
  const count = 2 + random.integer(size - 1);
  for (let step = 0; step < count; step += 1) {
    world.now += random.chance(0.12) ? random.pick(longPauses) : random.pick(pauses);
    if (random.chance(0.1)) sketches.push(tick(step, world));
    else if (random.chance(0.12) && sketches.length > 0) sketches.push(again(step, world, random, sketches));
    else sketches.push(freshPush(step, world, random, oddsApiShare, sourceTimedShare));
  }
  return sketches;
}

function some<T>(random: Random, list: readonly T[], most: number): T[] {
  return Array.from({ length: 1 + random.integer(most) }, () => random.pick(list));
}

export function generatePushes(seed: number, size?: number): Push[] {
  return pushesOf(sketchPushes(seed, size));
}

export function pushesOf(sketches: readonly Sketch[]): Push[] {
  return sketches.map(({ push, body }, step) => ({ ...push, step, body: render(body) }));
}

function tick(step: number, world: World): Sketch {
  const push: Push = {
    step,
    source: world.sources[0]!,
    scopes: ['push', 'backfill'],
    format: 'tick',
    query: {},
    at: writeTime(world.now),
    timed: 'receive',
    idempotencyKey: undefined,
    body: '',
  };
  return { push, body: '' };
}

function freshPush(step: number, world: World, random: Random, oddsApiShare: number, sourceTimedShare: number): Sketch {
  const oddsApi = random.chance(oddsApiShare);
  const sourceTimed = random.chance(sourceTimedShare);
  const source = random.pick(world.sources);
  // As from a gateway whose clock is behind, or from a recording of an earlier moment.
  const at = random.chance(0.15) ? world.now - random.pick([1n, second, 40n * second, 11n * minute]) : world.now;
  const push: Push = {
    step,
    source,
    scopes: random.chance(world.hostility) ? ['push'] : ['push', 'backfill'],
    format: oddsApi ? 'the-odds-api-v4' : 'quotes',
    query: oddsApi ? randomQuery(random) : {},
    at: writeTime(at),
    timed: sourceTimed ? 'source' : 'receive',
    idempotencyKey: random.chance(0.15) ? `key ${step}` : undefined,
    body: '',
  };
  const count = random.pick([1, 1, 1, 2, 3]);
  const items: TextTree[] = [];
  for (let index = 0; index < count; index += 1) {
    items.push(
      oddsApi
        ? oddsApiElement(random, world, source, push.query.odds_format === 'decimal')
        : nativeElement(random, world, source, at),
    );
  }
  if (!oddsApi) return { push, body: { open: '{"events":[', items, close: ']}' } };
  if (!random.chance(0.1)) return { push, body: { open: '[', items, close: ']' } };
  return { push, body: { open: `{"timestamp":${wrapperTime(random, world)},"data":[`, items, close: ']}' } };
}

function wrapperTime(random: Random, world: World): string {
  if (random.chance(world.hostility)) return random.pick(['"yesterday"', '"1999-12-31T23:59:59Z"', '7']);
  return random.pick([`"${writeTime(world.now)}"`, `"${writeTime(world.now - minute)}"`, 'null']);
}

/** Repeats a push: unchanged, at its own time or a later one; or with its elements in another order. */
function again(step: number, world: World, random: Random, sketches: readonly Sketch[]): Sketch {
  const earlier = random.pick(sketches);
  const push: Push = { ...earlier.push, step };
  if (push.idempotencyKey !== undefined) {
    // The gateway keeps a key for 24 h. This test is about what the fold finds once the key is forgotten.
    world.now += 25n * hour;
    push.at = writeTime(world.now);
  } else if (push.timed === 'receive' && random.chance(0.7)) {
    push.at = writeTime(world.now);
  }
  const { body } = earlier;
  if (typeof body === 'string' || random.chance(0.7)) return { push, body };
  return { push, body: { ...body, items: body.items.toReversed() } };
}

function randomQuery(random: Random): OddsApiQuery {
  const query: OddsApiQuery = {};
  if (random.chance(0.2)) query.odds_format = random.pick(['american', 'decimal']);
  if (random.chance(0.3))
    query.markets = random.pick(['h2h', 'spreads', 'h2h,alternate_spreads', 'totals_q1,player_points']);
  if (random.chance(0.3)) query.bookmakers = random.pick(['aa', 'AA,cc', 'bb', 'zz']);
  return query;
}

/** The steps as a vector has them, to read or to paste into a test. */
export function printPushes(pushes: readonly Push[]): string {
  const lines = pushes.map((push) => {
    const { source, scopes, format, query, at, timed } = push;
    const key = push.idempotencyKey === undefined ? {} : { idempotency_key: push.idempotencyKey };
    const head = JSON.stringify({ source, scopes, format, query, at, timed, ...key });
    return push.format === 'tick' ? head : `${head.slice(0, -1)},"body":${push.body}}`;
  });
  return `[\n${lines.join(',\n')}\n]`;
}

/** The smallest sketches found that still fail, after leaving out pushes, then elements, operators and quotes. */
export function shrink(sketches: readonly Sketch[], fails: (sketches: readonly Sketch[]) => boolean): Sketch[] {
  return shrinkBy(sketches, smallerSketches, fails);
}

function* smallerSketches(sketches: readonly Sketch[]): Generator<Sketch[]> {
  yield* withFewer(sketches);
  for (const [index, sketch] of sketches.entries()) {
    for (const body of withoutOne(sketch.body)) yield sketches.with(index, { ...sketch, body });
  }
}
