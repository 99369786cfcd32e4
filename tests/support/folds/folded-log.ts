// Turns a `log` of the settlement vectors into records of the topic and folds them with the live fold, so that its
// rows, its close and its course arise as in service. Every row is a quote of its own; none arises from an absence.

import { newGame } from '../../../core/live/game-state.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import type { Observation, OperatorQuotes, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';
import { applyRecord } from '../builders/in-one-go.ts';
import type { VectorRecord, VectorRow } from './settlement-log.ts';
import { timeOf } from './settlement-log.ts';

const uuid = '11111111-2222-5333-8444-555555555555';
const game = { uuid, gameId: 'NFL_DET_PHI_20260110', league: 'NFL' };
/** The broker's time of every record: later than any time in the records. */
const logged = timeOf('2030-01-01T00:00:00.000000Z');

export class FoldedLog {
  readonly rows: QuoteRow[] = [];
  readonly refused: number[] = [];
  closedBy: number | null = null;
  readonly #game = newGame(uuid, { generation: 1, firstSeq: 1 });
  #records = 0;

  get course() {
    return this.#game.lifecycle;
  }

  apply(vector: VectorRecord): void {
    const record = recordOf(vector);
    const unsound = recordRefusal(uuid, record);
    if (unsound !== null) throw new Error(`the record is not sound: ${unsound.detail}`);
    const { outcome, rows } = applyRecord(this.#game, record, {
      partition: 0,
      offset: this.#records,
      timestamp: logged,
    });
    if (outcome?.refusals.some(({ code }) => code === 'game-settled')) this.refused.push(this.#records);
    if (this.#game.closed) this.closedBy ??= this.#records;
    this.rows.push(...rows);
    this.#records += 1;
  }
}

function recordOf(vector: VectorRecord): QuotesRecord {
  const record = blankRecord(game, vector.source ?? 'feed', logged);
  if (vector.time !== undefined)
    return { ...record, push: `push ${vector.time}`, push_index: 0, observation: observed(vector, vector.time) };
  if (vector.status !== undefined) return { ...record, status: { status: vector.status, at: timeOf(vector.at!) } };
  if (vector.schedule !== undefined) {
    return { ...record, start: { scheduled_start: timeOf(vector.schedule), from_schedule: true } };
  }
  if (vector.tick !== undefined) return { ...record, tick: { at: timeOf(vector.tick) } };
  return { ...record, settle: { actor: 'ops' } };
}

/** A delta for one operator; for several, an image that covers nothing, so that absent quotes stay. */
function observed({ rows = [], start, told_in_play: inPlay }: VectorRecord, time: string): Observation {
  const operators = quotesByOperator(rows);
  const isImage = operators.length > 1;
  const [kind, scope] = isImage ? ['image', 'game'] : [operators.length === 0 ? 'heartbeat' : 'delta', 'operator'];
  return {
    kind,
    scope,
    observed_at: timeOf(time),
    record_id: null,
    sha256: null,
    commence_time: start === undefined ? null : timeOf(start),
    in_play: inPlay ?? null,
    coverage: isImage ? [] : null,
    covered_operators: isImage ? [] : null,
    operators: operators.length === 0 ? [{ operator: 'X', quotes: [] }] : operators,
  };
}

function quotesByOperator(rows: readonly VectorRow[]): OperatorQuotes[] {
  return Object.entries(Object.groupBy(rows, ([operator]) => operator)).map(([operator, ofIt = []]) => ({
    operator,
    quotes: ofIt.map(quoteOf),
  }));
}

function quoteOf([, id, line, american, state, playerId]: VectorRow): RawQuote {
  const [market, period, selection, named] = id.split('/') as [string, string, string, string?];
  const isLine = named !== undefined && named === String(line);
  return {
    market,
    period,
    selection,
    player: isLine ? null : (named ?? null),
    player_id: playerId ?? null,
    line: line === null ? null : String(line),
    alternate: isLine,
    american: american === null ? null : String(american),
    decimal: null,
    fractional: null,
    state,
    source_timestamp: null,
  };
}
