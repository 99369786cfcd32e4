// Quotes and records in the topic's form, with defaults for what a test does not set.
import type { Observation, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';

export const someGame = '00000000-0000-5000-8000-000000000001';

export function rawQuote(given: Partial<RawQuote> = {}): RawQuote {
  return {
    market: 'moneyline',
    period: null,
    selection: 'home',
    player: null,
    player_id: null,
    line: null,
    alternate: false,
    american: given.decimal === undefined && given.fractional === undefined ? '-110' : null,
    decimal: null,
    fractional: null,
    state: null,
    source_timestamp: null,
    ...given,
  };
}

export function rawObservation(given: Partial<Observation> = {}): Observation {
  return {
    kind: 'image',
    scope: 'operator',
    observed_at: null,
    record_id: null,
    sha256: null,
    commence_time: null,
    in_play: null,
    coverage: null,
    covered_operators: null,
    operators: [{ operator: 'X', quotes: [rawQuote()] }],
    ...given,
  };
}

export function rawRecord(observation: Observation | null, given: Partial<QuotesRecord> = {}): QuotesRecord {
  return {
    game_uuid: someGame,
    game_id: 'NFL_DET_PHI_20251116',
    league: 'NFL',
    source: 'feed',
    received_at: null,
    push: null,
    push_index: null,
    rank: null,
    observation,
    start: null,
    status: null,
    owner: null,
    tick: null,
    settle: null,
    ...given,
  };
}
