// Short notation for complete records of sds.quotes.v1 in tests. Times are seconds after `t0`.
import type { Observation, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';

/** 2025-11-16T20:00:00Z in micros, 5 h 20 min before the game's kick-off. */
export const t0 = 1_763_323_200_000_000;
export const kickOff = seconds(19_200);

export function seconds(after: number): number {
  return t0 + Math.round(after * 1_000_000);
}

export const uuid = '11111111-2222-5333-8444-555555555555';

/** What a test may set in a record besides its content. `at`: receive time; `observedAt`: source time. */
export type RecordFacts = {
  source?: string;
  at?: number;
  observedAt?: number;
  push?: string | null;
  index?: number;
  recordId?: string;
  sha256?: string;
  start?: number | null;
  inPlay?: boolean;
  coverage?: Observation['coverage'];
  rank?: number;
};

const empty: QuotesRecord = {
  game_uuid: uuid,
  game_id: 'NFL_DET_PHI_20251116',
  league: 'NFL',
  source: 'feed',
  received_at: t0,
  push: null,
  push_index: 0,
  rank: null,
  observation: null,
  start: null,
  status: null,
  owner: null,
  tick: null,
  settle: null,
};

/** A quote; by default for `moneyline` of the full game, and open. */
export function quote(selection: string, american: number | null, more: Partial<RawQuote> = {}): RawQuote {
  return {
    market: 'moneyline',
    period: null,
    selection,
    player: null,
    player_id: null,
    line: null,
    alternate: false,
    american: american === null ? null : String(american),
    decimal: null,
    fractional: null,
    state: null,
    source_timestamp: null,
    ...more,
  };
}

export const suspended = (selection: string, more: Partial<RawQuote> = {}) =>
  quote(selection, null, { state: 'suspended', ...more });
export const withdrawn = (selection: string, more: Partial<RawQuote> = {}) =>
  quote(selection, null, { state: 'withdrawn', ...more });

export function image(operator: string, quotes: RawQuote[], facts: RecordFacts = {}): QuotesRecord {
  return observed('image', 'operator', { [operator]: quotes }, facts);
}

export function delta(operator: string, quotes: RawQuote[], facts: RecordFacts = {}): QuotesRecord {
  return observed('delta', 'operator', { [operator]: quotes }, facts);
}

export function heartbeat(operator: string, facts: RecordFacts = {}): QuotesRecord {
  return observed('heartbeat', 'operator', { [operator]: [] }, facts);
}

/** An image of the whole game, as The Odds API gives it. `covered`: the polled operators. */
export function gameImage(
  operators: Record<string, RawQuote[]>,
  facts: RecordFacts & { covered?: string[] } = {},
): QuotesRecord {
  const record = observed('image', 'game', operators, facts);
  if (record.observation !== null) record.observation.covered_operators = facts.covered ?? null;
  return record;
}

export function tick(after: number): QuotesRecord {
  return { ...empty, source: '', received_at: null, tick: { at: seconds(after) } };
}

export function startRecord(start: number, facts: { source?: string; fromSchedule?: boolean } = {}): QuotesRecord {
  const content = { scheduled_start: start, from_schedule: facts.fromSchedule ?? false };
  return { ...empty, source: facts.source ?? 'feed', start: content };
}

export function ownerRecord(operator: string, source: string, rank: number | null = null): QuotesRecord {
  return { ...empty, source, rank, owner: { operator, owner_source: source } };
}

let pushes = 0;

function observed(
  kind: string,
  scope: string,
  operators: Record<string, RawQuote[]>,
  facts: RecordFacts,
): QuotesRecord {
  const content: Observation = {
    kind,
    scope,
    observed_at: facts.observedAt === undefined ? null : seconds(facts.observedAt),
    record_id: facts.recordId ?? null,
    sha256: facts.sha256 ?? null,
    commence_time: facts.start === undefined ? kickOff : facts.start,
    in_play: facts.inPlay ?? null,
    coverage: facts.coverage ?? null,
    covered_operators: null,
    operators: Object.entries(operators).map(([operator, quotes]) => ({ operator, quotes })),
  };
  pushes += 1;
  return {
    ...empty,
    source: facts.source ?? 'feed',
    received_at: seconds(facts.at ?? facts.observedAt ?? 0),
    push: facts.push === undefined ? `push-${pushes}` : facts.push,
    push_index: facts.index ?? 0,
    rank: facts.rank ?? null,
    observation: content,
  };
}
