// Seeded sequences of values of the topic, as a gateway writes them and as a client with write access may put them
// there. They have raw quotes in every spelling, starts, schedules, statuses, owners, ticks of a game and of the whole
// partition, and records that are repeated, late or in conflict.
import {
  badAmericans,
  badDecimals,
  badFractions,
  badLines,
  goodAmericans,
  goodDecimals,
  goodFractions,
  goodLines,
} from './generate-world.ts';
import { sha256 } from './json.ts';
import { type Random, seededRandom } from './random.ts';
import { noGame, type TopicObservation, type TopicQuote, type TopicRecord, type TopicValue } from './records.ts';
import { shrinkBy, withFewer } from './shrink.ts';
import { hour, minute, readTime, second } from './times.ts';

interface Scene {
  random: Random;
  sources: string[];
  operators: string[];
  markets: string[];
  hostility: number;
  gatewayShare: number;
  /** How often a record carries the rank of its source; now and then it is a different rank. */
  rankedShare: number;
  sourceTimedShare: number;
  /** Makes records with many quotes and long pauses, so that segments are cut. */
  dense: boolean;
  now: bigint;
  start: bigint;
  records: TopicRecord[];
}

const firstMoment = readTime('2025-11-16T20:00:00Z')!;
const pauses = [0n, 0n, 1n, second, 5n * second, 14n * second, 15n * second, 30n * second, minute, minute];
const longPauses = [2n * minute, 10n * minute - 1n, 10n * minute, 15n * minute, 3n * hour];
const ofPartition = { game_uuid: noGame, game_id: '', league: '', source: '' };
const nothing = { observation: null, start: null, status: null, owner: null, tick: null, settle: null };

/** The text of a JSON number, or a word that is not a number. */
const bare = (text: string): string => text.replaceAll('"', '');

export function generateRecords(seed: number, size = 40): TopicRecord[] {
  const random = seededRandom(seed);
  const dense = random.chance(0.03);
  const scene: Scene = {
    random,
    dense,
    sources: ['s1', 's2', 's3'].slice(0, 1 + random.integer(3)),
    operators: ['AA', 'BB', 'CC_2'].slice(0, 1 + random.integer(3)),
    markets: Array.from({ length: 1 + random.integer(3) }, () =>
      random.pick(['moneyline', 'moneyline', 'spread', 'total', 'player_points', 'x_wide']),
    ),
    hostility: random.pick([0, 0.03, 0.15]),
    gatewayShare: random.pick([0, 0.8, 1]),
    sourceTimedShare: random.pick([0, 0.3, 0.9]),
    rankedShare: random.pick([0, 0.3, 1]),
    now: firstMoment,
    start: firstMoment + random.pick([-hour, minute, 4n * minute, 3n * hour, 9n * hour]),
    records: [],
  };
  const games = 1 + random.integer(2);
  const count = 2 + random.integer(size - 1);
  while (scene.records.length < count) {
    scene.now += random.chance(dense ? 0.5 : 0.1) ? random.pick(longPauses) : random.pick(pauses);
    addRecord(scene, random.integer(games));
  }
  return scene.records;
}

/** The smallest records found that still fail, after leaving out records, operators and quotes. */
export function shrinkRecords(
  records: readonly TopicRecord[],
  fails: (records: readonly TopicRecord[]) => boolean,
): TopicRecord[] {
  return shrinkBy(records, smallerRecords, fails);
}

function* smallerRecords(records: readonly TopicRecord[]): Generator<TopicRecord[]> {
  yield* withFewer(records);
  for (const [index, record] of records.entries()) {
    const said = record.value.observation;
    if (said === null) continue;
    const withOperators = (operators: TopicObservation['operators']): TopicRecord[] =>
      records.with(index, { ...record, value: { ...record.value, observation: { ...said, operators } } });
    for (const [at, operator] of said.operators.entries()) {
      if (said.scope === 'game') yield withOperators(said.operators.toSpliced(at, 1));
      for (const quotes of withFewer(operator.quotes))
        yield withOperators(said.operators.with(at, { ...operator, quotes }));
    }
  }
}

function addRecord(scene: Scene, number: number): void {
  const { random, records } = scene;
  const offset = Number(records.at(-1)?.offset ?? 0) + random.pick([1, 1, 1, 2, 5]);
  let timestamp = Number(scene.now);
  const earlier = records.filter(({ value }) => value.observation !== null || value.outbox_id != null);
  if (random.chance(0.12) && earlier.length > 0) {
    records.push(recordAgain(scene, random.pick(earlier), offset));
    return;
  }
  const value: TopicValue = {
    game_uuid: `00000000-0000-5000-8000-00000000000${number}`,
    game_id: number === 0 ? 'NFL_DET_PHI_20251116' : '00000000-0000-5000-8000-000000000001',
    league: 'NFL',
    source: random.pick(scene.sources),
    received_at: null,
    push: null,
    push_index: null,
    rank: null,
    ...nothing,
  };
  const isFirst = records.every((record) => record.value.game_uuid !== value.game_uuid);
  const start = Number(scene.start + random.pick([0n, 10n * minute, -hour]));
  if (isFirst && random.chance(0.7)) value.start = { scheduled_start: start, from_schedule: false };
  else if (random.chance(0.12)) {
    const at = Number(scene.now + random.pick([0n, 1n, -minute, 2n * minute]));
    value.tick = { at };
    if (random.chance(0.5)) Object.assign(value, ofPartition);
    timestamp = Math.max(timestamp, at);
  } else if (random.chance(0.04)) value.start = { scheduled_start: start, from_schedule: random.chance(0.7) };
  else if (random.chance(0.02 + scene.hostility / 4))
    value.status = { status: random.pick(['STARTED', 'DELAYED', 'COMPLETED', 'CANCELLED']), at: timestamp };
  else if (random.chance(0.005)) value.settle = { actor: 'somebody' };
  else if (random.chance(0.05)) {
    value.owner = { operator: random.pick(scene.operators), owner_source: random.pick(scene.sources) };
  } else {
    value.observation = observation(scene, random.pick([...scene.operators]));
    if (random.chance(scene.gatewayShare)) {
      const received = random.chance(0.15) ? scene.now - random.pick([1n, second, 11n * minute]) : scene.now;
      value.received_at = Number(received);
      const together = records.at(-1)?.value;
      const joins = random.chance(0.3) && together?.push != null && together.source === value.source;
      value.push = joins ? together.push : `push ${offset}`;
      value.push_index = joins ? together.push_index! + 1 : 0;
      if (joins) value.received_at = together.received_at;
    }
  }
  if (value.observation === null && random.chance(0.7)) value.outbox_id = random.chance(0.8) ? offset : 1;
  if (random.chance(scene.rankedShare)) value.rank = rankOf(scene, value.source);
  if (random.chance(scene.hostility / 2)) moveAhead(scene, value, timestamp);
  // Content that only a tick may have when it addresses the whole partition.
  if (random.chance(scene.hostility / 8)) value.game_uuid = noGame;
  records.push({ offset, timestamp, value });
}

/** Usually the rank that belongs to the source: the later in the list, the higher. */
function rankOf({ random, sources, hostility }: Scene, source: string): number {
  if (random.chance(hostility / 4)) return random.pick([1000, -1000, 1001, -1001]);
  return random.chance(0.8) ? sources.indexOf(source) - 1 : random.pick([-1, 0, 0, 1]);
}

/** Moves times of the record ahead of the broker's clock, within the allowed skew of two clocks or beyond it. */
function moveAhead({ random }: Scene, value: TopicValue, timestamp: number): void {
  const time = timestamp + Number(random.pick([1n, 5n * second, 5n * second + 1n, minute, 200_000n * hour]));
  if (value.tick !== null) value.tick.at = time;
  else if (value.status !== null && random.chance(0.5)) value.status.at = time;
  else value.received_at = time;
}

/**
 * Repeats an earlier record: as the outbox does, or the same observation from another push, at another index, or later.
 */
function recordAgain(scene: Scene, earlier: TopicRecord, offset: number): TopicRecord {
  const { random } = scene;
  const value = structuredClone(earlier.value);
  if (value.push !== null) {
    if (random.chance(0.8)) value.push = `push ${offset}`;
    if (random.chance(0.2)) value.push_index = 1 + random.integer(3);
  }
  if (value.observation !== null && random.chance(0.25)) {
    value.observation.sha256 = value.observation.sha256 === null ? null : sha256(`other ${random.integer(2)}`);
    value.observation.record_id = null;
    // A key belongs to a whole push, so a record without one is given another push.
    if (value.push !== null) value.push = `push ${offset}`;
  }
  if (value.observation?.observed_at === null && random.chance(0.7)) value.received_at = Number(scene.now);
  return { offset, timestamp: Number(scene.now), value };
}

function observation(scene: Scene, operator: string): TopicObservation {
  const { random } = scene;
  const wrong = (): boolean => random.chance(scene.hostility / 6);
  const scope = wrong() ? 'league' : random.pick(['operator', 'operator', 'game']);
  const kind = wrong()
    ? 'picture'
    : scope === 'game'
      ? random.pick(wrong() ? ['delta', 'heartbeat'] : ['image'])
      : random.pick(['image', 'image', 'delta', 'delta', 'heartbeat']);
  const named = scope === 'game' ? scene.operators.filter(() => random.chance(0.7)) : [operator];
  if (wrong()) named.push(scope === 'game' ? random.pick(scene.operators) : 'another');
  const said: TopicObservation = {
    kind,
    scope,
    observed_at: random.chance(scene.sourceTimedShare) ? Number(sourceTime(scene)) : null,
    record_id: random.chance(0.1) ? `id ${random.integer(40)}` : null,
    sha256: null,
    commence_time: random.chance(0.6) ? Number(scene.start + random.pick([0n, 0n, 10n * minute, 3n * hour])) : null,
    in_play: random.pick([null, null, null, null, true, false]),
    coverage: random.chance(0.25) ? coverage(scene) : null,
    covered_operators: scope === 'game' && random.chance(0.3) ? scene.operators.slice(0, 1) : null,
    operators: named.map((code) => ({
      operator: wrong() ? random.pick(['a-a', '', 'x'.repeat(33), 'ﬂ']) : code,
      quotes: kind === 'heartbeat' && !wrong() ? [] : quotes(scene, kind === 'delta'),
    })),
  };
  if (!random.chance(0.15)) said.sha256 = sha256(JSON.stringify(said));
  return said;
}

function sourceTime(scene: Scene): bigint {
  const { random, now } = scene;
  if (random.chance(scene.hostility / 4))
    return random.pick([readTime('1999-12-31T23:59:59.999999Z')!, now + 5n * second + 1n]);
  return now - random.pick([0n, 0n, 0n, 1n, second, minute, -5n * second]);
}

function coverage(scene: Scene): TopicObservation['coverage'] {
  const { random } = scene;
  return Array.from({ length: random.integer(3) }, () => ({
    market: random.pick(scene.markets),
    period: random.pick([null, 'full', 'q1']),
    alternate: random.pick([null, true, false]),
  }));
}

function quotes(scene: Scene, delta: boolean): TopicQuote[] {
  if (scene.dense && scene.random.chance(0.7)) {
    return Array.from({ length: 120 }, (_, index) => ({ ...quote(scene, delta), selection: `s${index}` }));
  }
  return Array.from({ length: scene.random.pick([0, 1, 2, 3, 5]) }, () => quote(scene, delta));
}

function quote(scene: Scene, delta: boolean): TopicQuote {
  const { random } = scene;
  const orWrong = (usual: string | null, wrong: readonly string[]): string | null =>
    random.chance(scene.hostility / 6) ? random.pick(wrong) : usual;
  const market = random.pick(scene.markets);
  const plain = market === 'moneyline' || market === 'x_wide';
  const said: TopicQuote = {
    market: orWrong(market, ['Moneyline', '', 'x-a', 'm'.repeat(65)])!,
    period: orWrong(random.chance(0.1) ? random.pick(['q1', 'full']) : null, ['H 1', '']),
    selection: orWrong(random.chance(0.95) ? random.pick(['home', 'away']) : 'é/%\t', [''])!,
    player: orWrong(market === 'player_points' ? random.pick(['Jalen Hurts', 'A/B']) : null, ['']),
    player_id: random.chance(0.08) ? random.pick(['0f8fad5b-d9cb-469f-a165-70867728950e', 'p7']) : null,
    line: plain ? null : orWrong(random.chance(0.9) ? random.pick(goodLines) : null, badLines.map(bare)),
    alternate: !plain && random.chance(0.2),
    american: null,
    decimal: null,
    fractional: null,
    state: random.chance(0.2)
      ? orWrong(random.pick(delta ? ['withdrawn', 'suspended', 'open'] : ['suspended', 'open']), ['closed', ''])
      : null,
    source_timestamp: random.chance(0.2) ? Number(random.chance(0.1) ? -1n : scene.now - second) : null,
  };
  if (random.chance(0.05)) return said;
  const format = random.pick(['american', 'american', 'decimal', 'fractional', 'all'] as const);
  if (format === 'american' || format === 'all')
    said.american = orWrong(random.pick(goodAmericans), badAmericans.map(bare).filter(notNumberAsText));
  if (format === 'decimal' || format === 'all')
    said.decimal = orWrong(random.pick(goodDecimals), badDecimals.map(bare).filter(notNumberAsText));
  if (format === 'fractional' || format === 'all')
    said.fractional = orWrong(bare(random.pick(goodFractions)), badFractions.map(bare));
  return said;
}

/** `"-110"` is invalid as JSON; as text of the topic it is the number itself. */
function notNumberAsText(text: string): boolean {
  return text !== '-110' && text !== '1.91';
}
