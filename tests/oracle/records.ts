// The second entry point: the values of one partition of the topic `sds.quotes.v1`, in order, become rows, segments,
// boards and watermarks of each of its games. A record may be hostile: everything the gateway refuses is refused here
// again (docs/quotes.md#where-refusals-show). Names are those of the topic's schema; nothing of the product is
// imported.
import { type Board, boardsAt, cutSegments } from './board.ts';
import {
  applyFoundingStart,
  applyObservation,
  applySchedule,
  applyTick,
  assignOwner,
  hearsPartition,
  type LoggedObservation,
} from './fold.ts';
import { addQuotes, mostQuotes, type Observation, operatorCode } from './observation.ts';
import { absent, type QuoteWords, type Word } from './quote.ts';
import { sourceTimeOf } from './source-time.ts';
import { appliedThrough, type GameFold, newGame, type Row } from './state.ts';
import { minute, readMeant, second, writeTime } from './times.ts';

type Micros = number | bigint;

export interface TopicQuote {
  market: string;
  period: string | null;
  selection: string;
  player: string | null;
  player_id: string | null;
  line: string | null;
  alternate: boolean;
  american: string | null;
  decimal: string | null;
  fractional: string | null;
  state: string | null;
  source_timestamp: Micros | null;
}

export interface TopicObservation {
  kind: string;
  scope: string;
  observed_at: Micros | null;
  record_id: string | null;
  sha256: string | null;
  commence_time: Micros | null;
  in_play: boolean | null;
  coverage: readonly { market: string; period: string | null; alternate: boolean | null }[] | null;
  covered_operators: readonly string[] | null;
  operators: readonly { operator: string; quotes: readonly TopicQuote[] }[];
}

export interface TopicValue {
  game_uuid: string;
  game_id: string;
  league: string;
  source: string;
  received_at: Micros | null;
  push: string | null;
  push_index: number | null;
  rank: number | null;
  observation: TopicObservation | null;
  start: { scheduled_start: Micros; from_schedule: boolean } | null;
  status: { status: string; at: Micros } | null;
  owner: { operator: string; owner_source: string } | null;
  tick: { at: Micros } | null;
  settle: { actor: string } | null;
  /** An order about the published log; it changes nothing in the fold. */
  rebuild?: { generation: number } | null;
  outbox_id?: number | null;
}

export interface TopicRecord {
  /** The record's place in the partition. */
  offset: number | bigint;
  /** The broker's timestamp. */
  timestamp: Micros;
  /** If given, it must be the game's UUID. */
  key?: string;
  value: TopicValue;
}

export interface FoldedGame {
  uuid: string;
  /** The id in the newest record. */
  id: string;
  league: string;
  status: { status: string; at: bigint } | undefined;
  /** "What follows it in the log is not folded." */
  closed: boolean;
  /** The records of the outbox already applied, each as its number and receive time. */
  repeatable: Set<string>;
  refusals: { offset: bigint; code: string }[];
  duplicates: bigint[];
  fold: GameFold;
}

export interface Published {
  rows: Row[];
  segments: number[];
  boards: Board[];
  logTime: bigint | undefined;
  appliedThrough: bigint | undefined;
}

/** Folds a partition from its beginning, or any part of it that contains whole games. */
export function foldRecords(records: Iterable<TopicRecord>): FoldedGame[] {
  const games: FoldedGame[] = [];
  for (const record of records) {
    if (isOfPartition(record)) foldPartitionTick(games, record);
    else foldRecord(games, record);
  }
  return games;
}

/** The UUID of no game: a record with it addresses the whole partition, which only a tick may do. */
export const noGame = '00000000-0000-0000-0000-000000000000';

/** Whether it is a tick of the whole partition. */
export function isOfPartition({ key, value }: TopicRecord): boolean {
  const { observation, start, status, owner, tick, settle, rebuild = null } = value;
  const others = [observation, start, status, owner, settle, rebuild].filter((content) => content !== null);
  const isTickAlone = tick !== null && others.length === 0 && mayBeRank(value.rank);
  return value.game_uuid === noGame && (key ?? noGame) === noGame && isTickAlone;
}

function mayBeRank(rank: number | null): boolean {
  return rank === null || (rank >= -1000 && rank <= 1000);
}

/** Applies a tick of the whole partition to those of its games that follow it. */
export function foldPartitionTick(games: readonly FoldedGame[], asLogged: TopicRecord): void {
  const { tick } = asTheBrokerSees(asLogged).value;
  for (const game of games) {
    if (game.closed || !hearsPartition(game.fold, isOver(game))) continue;
    applyTick(game.fold, BigInt(tick!.at));
    closeInTime(game);
  }
}

function isOver({ status }: FoldedGame): boolean {
  return status?.status === 'COMPLETED' || status?.status === 'CANCELLED';
}

/** docs/settlement.md#when-a-game-closes: "log time ≥ the status' `at` + 10 minutes while that status stands". */
function closeInTime(game: FoldedGame): void {
  const { logTime } = game.fold;
  if (isOver(game) && logTime !== undefined && logTime >= game.status!.at + 10n * minute) game.closed = true;
}

/** Folds one record into the game it names; the first record of a game adds the game to `games`. */
export function foldRecord(games: FoldedGame[], asLogged: TopicRecord): FoldedGame {
  const record = asTheBrokerSees(asLogged);
  const { value } = record;
  const offset = BigInt(record.offset);
  let game = games.find((other) => other.uuid === value.game_uuid);
  if (game === undefined) {
    game = {
      uuid: value.game_uuid,
      id: value.game_id,
      league: value.league,
      status: undefined,
      closed: false,
      repeatable: new Set(),
      refusals: [],
      duplicates: [],
      fold: newGame(undefined),
    };
    games.push(game);
  }
  if (record.key !== undefined && record.key !== value.game_uuid) {
    game.refusals.push({ offset, code: 'bad-key' });
    return game;
  }
  if (value.game_uuid === noGame || !mayBeRank(value.rank)) {
    game.refusals.push({ offset, code: 'bad-record' });
    return game;
  }
  if (game.closed) {
    if (value.observation !== null) game.refusals.push({ offset, code: 'game-settled' });
    return game;
  }
  if (value.observation === null && value.outbox_id != null) {
    const mark = `${value.outbox_id} ${asLogged.value.received_at}`;
    if (game.repeatable.has(mark)) return game;
    game.repeatable.add(mark);
  }
  game.id = value.game_id;
  if (value.start !== null) {
    const start = BigInt(value.start.scheduled_start);
    if (value.start.from_schedule) applySchedule(game.fold, start);
    else applyFoundingStart(game.fold, value.source, start);
  }
  if (value.status !== null) game.status = { status: value.status.status, at: BigInt(value.status.at) };
  if (value.owner !== null) {
    const ranked = { reporter: value.source, rank: value.rank ?? undefined };
    const isHeld = assignOwner(game.fold, value.owner.operator, value.owner.owner_source, ranked);
    if (!isHeld) game.refusals.push({ offset, code: 'too-many-operators' });
  }
  if (value.tick !== null) applyTick(game.fold, BigInt(value.tick.at));
  if (value.observation !== null) foldObservation(game, record, value.observation, offset);
  if (value.settle !== null) game.closed = true;
  closeInTime(game);
  return game;
}

/**
 * The record with times the broker can accept. No record can have been received, observed or ticked later than the
 * broker's clock. 5 s of skew are allowed, as for source times; a time further ahead is replaced by the broker's.
 */
function asTheBrokerSees(record: TopicRecord): TopicRecord {
  const { timestamp, value } = record;
  const seen = (time: Micros): Micros => (BigInt(time) - BigInt(timestamp) > 5n * second ? timestamp : time);
  return {
    ...record,
    value: {
      ...value,
      received_at: value.received_at === null ? null : seen(value.received_at),
      status: value.status === null ? null : { ...value.status, at: seen(value.status.at) },
      tick: value.tick === null ? null : { at: seen(value.tick.at) },
    },
  };
}

/** The rows per segment, the boards at the game's log time, and the times in its manifest. */
export function publishedOf(game: FoldedGame): Published {
  const { rows, logTime } = game.fold;
  return {
    rows,
    segments: cutSegments(rows),
    boards: logTime === undefined ? [] : boardsAt(game.fold, logTime),
    logTime,
    appliedThrough: appliedThrough(game.fold),
  };
}

function foldObservation(game: FoldedGame, record: TopicRecord, said: TopicObservation, offset: bigint): void {
  const codes: { operator: string; codes: string[] }[] = [];
  const logged = logObservation(record, said, codes);
  if (typeof logged === 'string') {
    game.refusals.push({ offset, code: logged });
    return;
  }
  const folded = applyObservation(game.fold, logged);
  if (folded.verdict === 'duplicate') game.duplicates.push(offset);
  // "A refused event shows one code; codes of its quotes are not shown", and a duplicate is "counted, nothing else". An
  // operator without room shows only its own refusal.
  const ofQuotes = codes.flatMap((each) => (folded.beyond?.includes(each.operator) ? [] : each.codes));
  const shown = folded.verdict === 'applied' ? [...ofQuotes, ...folded.codes] : folded.codes;
  for (const code of shown) game.refusals.push({ offset, code });
}

function logObservation(
  record: TopicRecord,
  said: TopicObservation,
  codes: { operator: string; codes: string[] }[],
): LoggedObservation | string {
  const { value } = record;
  const { kind } = said;
  if (said.operators.reduce((sum, operator) => sum + operator.quotes.length, 0) > mostQuotes) return 'too-large';
  if (kind !== 'image' && kind !== 'delta' && kind !== 'heartbeat') return 'bad-event';
  if (said.scope !== 'operator' && said.scope !== 'game') return 'bad-event';
  if (said.scope === 'game' && kind !== 'image') return 'bad-event';
  const differentKeys = new Set(said.operators.map(({ operator }) => operatorCode(operator) ?? operator));
  if (said.scope === 'operator' && differentKeys.size !== 1) return 'bad-event';
  if (said.commence_time !== null && readMeant(writeTime(BigInt(said.commence_time))) === undefined) return 'bad-event';
  if (kind === 'heartbeat' && said.operators.some((operator) => operator.quotes.length > 0)) return 'bad-event';

  const operators: Observation['operators'] = [];
  for (const { operator: key, quotes } of said.operators) {
    const code = operatorCode(key);
    if (code === undefined) {
      if (said.scope === 'operator') return 'bad-operator';
      codes.push({ operator: key, codes: ['bad-operator'] });
      continue;
    }
    let operator = operators.find((other) => other.code === code);
    if (operator === undefined) {
      operator = { code, quotes: [] };
      operators.push(operator);
    }
    const ofThese: string[] = [];
    if (kind !== 'heartbeat') addQuotes(operator.quotes, quotes.map(wordsOfTopic), kind, ofThese);
    codes.push({ operator: code, codes: ofThese });
  }

  // "More than 5 s after the receive time (direct records: after the broker's timestamp)". A direct record that names a
  // receive time cannot have been received after the broker's timestamp.
  const receivedAt = BigInt(value.received_at ?? record.timestamp);
  const brokerTime = BigInt(record.timestamp);
  const time = sourceTimeOf(undefined, {
    receivedAt: value.push === null && brokerTime < receivedAt ? brokerTime : receivedAt,
    header: said.observed_at === null ? undefined : BigInt(said.observed_at),
    mayBackfill: true,
  });
  if (typeof time === 'string') return time;
  return {
    observation: {
      kind,
      scope: said.scope === 'game' ? 'game' : operators[0]!.code,
      inPlay: said.in_play ?? undefined,
      coverage: {
        operators: said.covered_operators?.map((key) => operatorCode(key) ?? ''),
        markets: said.coverage?.map((covered) => ({
          market: covered.market,
          period: covered.period ?? undefined,
          lineInIdentity: covered.alternate ?? undefined,
        })),
      },
      operators,
    },
    source: value.source,
    gameId: value.game_id,
    push: value.push ?? `offset ${record.offset}`,
    index: value.push_index ?? 0,
    keyedId: said.record_id === null ? undefined : JSON.stringify(['key', value.source, said.record_id]),
    sha256: said.sha256 ?? contentOf(said),
    receivedAt,
    sourceTime: time,
    rank: value.rank ?? undefined,
    start: said.commence_time === null ? undefined : BigInt(said.commence_time),
  };
}

/**
 * The content of a record apart from its name and time. Stands in for the SHA-256 of an element where there is none.
 */
function contentOf(said: TopicObservation): string {
  const content = { ...said, record_id: null, observed_at: null };
  return JSON.stringify(content, (_, one) => (typeof one === 'bigint' ? String(one) : one));
}

const numberText = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

function text(said: string | null): Word {
  return said === null ? absent : { given: true, right: true, text: said };
}

/** Reads the text of a number; `right` if it is a JSON number. */
function number(said: string | null): Word {
  return said === null ? absent : { given: true, right: numberText.test(said), text: said };
}

function wordsOfTopic(said: TopicQuote): QuoteWords {
  return {
    isObject: true,
    market: text(said.market),
    period: text(said.period),
    selection: text(said.selection),
    player: text(said.player),
    playerId: text(said.player_id),
    alternate: text(String(said.alternate)),
    state: text(said.state),
    stamp: text(said.source_timestamp === null ? null : writeTime(BigInt(said.source_timestamp))),
    line: number(said.line),
    price: absent,
    american: number(said.american),
    decimal: number(said.decimal),
    fractional: text(said.fractional),
  };
}

/** A row under the names of docs/quotes.md#columns; `number` is its place in the game's log, from 1. */
export function columnsOf(row: Row, number: number, league: string) {
  return {
    game_id: row.gameId,
    league,
    operator: row.operator,
    row_number: BigInt(number),
    selection_id: row.selectionId,
    market: row.market,
    period: row.period,
    selection: row.selection,
    player_id: row.playerId,
    line: row.line,
    price_american: row.priceAmerican,
    price_decimal: row.priceDecimal,
    price_source_format: row.priceSourceFormat,
    is_open: row.isOpen,
    change: row.change,
    in_play: row.inPlay,
    timestamp: writeTime(row.timestamp),
    source_timestamp: row.sourceTimestamp === null ? null : writeTime(row.sourceTimestamp),
    source: row.source,
  };
}
