// The fold of one game, record by record: docs/quotes.md#folding. It keeps everything it applied and scans it again for
// each question, and sees only the records of the game's partition, in order.
import { boardsAt } from './board.ts';
import type { Observation } from './observation.ts';
import { byBytes, type Quote } from './quote.ts';
import {
  type Change,
  type GameFold,
  gameStart,
  newestTime,
  newestToldBy,
  type Operator,
  type Row,
  rankOf,
  type Selection,
} from './state.ts';
import { minute } from './times.ts';

/** An observation as the partition of its game holds it. */
export interface LoggedObservation {
  observation: Observation;
  source: string;
  /** The game's public id, or its UUID until it has one. */
  gameId: string;
  /** The push it came with: records of one push never conflict with each other. */
  push: string;
  index: number;
  /** The id that a record with an `Idempotency-Key` has: made from the source, the key, the index and the SHA-256. */
  keyedId: string | undefined;
  sha256: string;
  receivedAt: bigint;
  sourceTime: bigint | undefined;
  /** The observation's own `commence_time`. */
  start: bigint | undefined;
  /** The rank of its source, as the record carries it. */
  rank: number | undefined;
}

export interface Folded {
  verdict: 'applied' | 'duplicate' | 'conflict' | 'late-observation' | 'too-many-operators';
  codes: string[];
  /** Operators of a game image that the game has no room for. */
  beyond?: string[];
}

export function applyTick(game: GameFold, at: bigint): void {
  if (game.logTime === undefined || at > game.logTime) game.logTime = at;
  rewriteBoards(game, []);
}

/**
 * Whether a tick of the whole partition applies to a game, over or not: one "that has an open offer, or is COMPLETED or
 * CANCELLED and not closed, unless the newest observation applied to the game was source-timed (without any, its status
 * is enough)".
 */
export function hearsPartition(game: GameFold, isOver: boolean): boolean {
  const isRecorded = game.applied.at(-1)?.sourceTimed ?? false;
  const quotes = game.operators.flatMap((operator) => operator.selections);
  const isOffered = quotes.some(({ row }) => row.change !== 'withdrawn');
  return (isOffered || isOver) && !isRecorded;
}

/**
 * Caps: "a game holds at most 400 operators". Answers whether the game has room for this one, and keeps the place for
 * it.
 */
function hold(game: GameFold, operator: string): boolean {
  if (game.held.includes(operator)) return true;
  if (game.held.length === 400) return false;
  game.held.push(operator);
  return true;
}

/**
 * "… or `sds sources assign` says so": `source` becomes the owner. The rank in the record is that of `reporter`. Answers
 * false if the game has no room for the operator.
 */
export function assignOwner(
  game: GameFold,
  operator: string,
  source: string,
  ranked: { reporter: string; rank: number | undefined },
): boolean {
  if (!hold(game, operator)) return false;
  if (ranked.rank !== undefined) game.ranks.push({ source: ranked.reporter, rank: ranked.rank });
  operatorOf(game, operator).owner = source;
  rewriteBoards(game, []);
  return true;
}

/**
 * Applies the record that names the source that founded the game, and the start it founded it with. The start counts
 * only if no record of this source has given one: a later record may come first in the log.
 */
export function applyFoundingStart(game: GameFold, source: string, start: bigint): void {
  game.firstSource ??= source;
  if (newestToldBy(game, source) === undefined) game.starts.push({ source, start });
  rewriteBoards(game, []);
}

export function applySchedule(game: GameFold, start: bigint): void {
  game.scheduledStart = start;
  rewriteBoards(game, []);
}

function operatorOf(game: GameFold, code: string): Operator {
  let operator = game.operators.find((other) => other.code === code);
  if (operator === undefined) {
    operator = {
      code,
      owner: undefined,
      watermark: undefined,
      inPlayFlag: undefined,
      selections: [],
      observedThrough: undefined,
      written: '',
      rewrites: 0,
    };
    game.operators.push(operator);
  }
  return operator;
}

export function applyObservation(game: GameFold, record: LoggedObservation): Folded {
  const { observation, source, sha256 } = record;
  const { scope } = observation;

  // The time of the record. Receive-timed: "the gateway's receive time, or the newest time applied for the same source
  // and game where that is later".
  const sourceTimed = record.sourceTime !== undefined;
  let time = record.sourceTime ?? record.receivedAt;
  if (!sourceTimed) {
    const newest = newestTime(game, (other) => other.source === source);
    if (newest !== undefined && newest > time) time = newest;
  }

  // 1. Duplicate, conflict, late, in this order.
  let recordId = record.keyedId;
  if (recordId === undefined && sourceTimed) {
    recordId = JSON.stringify(['time', source, scope, String(time), record.index, sha256]);
  }
  if (recordId !== undefined && game.applied.some((other) => other.recordId === recordId)) {
    return { verdict: 'duplicate', codes: [] };
  }
  if (sourceTimed) {
    const alike = game.applied.filter(
      (other) => other.source === source && other.scope === scope && other.time === time && other.push !== record.push,
    );
    if (alike.some((other) => other.sha256 === sha256)) return { verdict: 'duplicate', codes: [] };
    if (alike.length > 0) return { verdict: 'conflict', codes: ['conflict'] };
    const newest = newestTime(game, (other) => other.source === source && other.scope === scope);
    if (newest !== undefined && time < newest) return { verdict: 'late-observation', codes: ['late-observation'] };
  }

  // Caps: without room for its operator a native event is refused whole; a game image loses only that entry.
  const beyond = observation.operators.filter((operator) => !hold(game, operator.code));
  if (scope !== 'game' && beyond.length > 0) return { verdict: 'too-many-operators', codes: ['too-many-operators'] };
  const named = observation.operators.filter((operator) => !beyond.includes(operator));
  const codes = beyond.map(() => 'too-many-operators');

  // The record is applied: its time and start count even if it covers nothing.
  if (record.start !== undefined) game.starts.push({ source, start: record.start });
  if (record.rank !== undefined) game.ranks.push({ source, rank: record.rank });
  const start = newestToldBy(game, source) ?? gameStart(game);
  const inPlay = observation.inPlay ?? (start !== undefined && start <= time);

  // 10. Owner: the named operators that this source owns or takes.
  const present: string[] = [];
  for (const { code } of named) {
    const known = game.operators.find((other) => other.code === code);
    if (known?.owner === undefined) {
      if (observation.kind === 'heartbeat') continue;
      operatorOf(game, code).owner = source;
    } else if (known.owner === source) {
      // "A heartbeat moves the watermark of an operator already known": one that was named in an image or delta.
      if (observation.kind === 'heartbeat' && known.watermark === undefined) continue;
    } else {
      const newest = newestTime(game, (other) => other.source === known.owner && other.names.includes(code));
      const isSilent = newest !== undefined && time >= newest + 10n * minute;
      // "A source of higher rank takes the operator with its first image or delta, and one of lower rank never takes it."
      const above = rankOf(game, source) - rankOf(game, known.owner);
      const gains = above > 0 || (above === 0 && isSilent);
      if (observation.kind === 'heartbeat' || !gains) {
        codes.push('other-source');
        continue;
      }
      known.owner = source;
    }
    present.push(code);
  }

  // 2. The sportsbooks that the record covers. "Scope *game*: every operator it names and every covered operator that
  // this source owns."
  const coveredCodes = [...present];
  if (scope === 'game') {
    const covered = observation.coverage.operators;
    for (const operator of game.operators) {
      const isCovered = covered === undefined || covered.includes(operator.code);
      if (operator.owner === source && isCovered && !coveredCodes.includes(operator.code))
        coveredCodes.push(operator.code);
    }
  }
  coveredCodes.sort(byBytes);

  // 3. Operators in code order; for each, the present quotes by `selection_id`, then the missing ones by
  // `selection_id`.
  const withRows: string[] = [];
  for (const code of coveredCodes) {
    const operator = operatorOf(game, code);
    const rowsBefore = game.rows.length;
    const common = { gameId: record.gameId, operator: code, inPlay, timestamp: time, source };
    let quotes = named.find((other) => other.code === code)?.quotes ?? [];
    // Caps: "an operator at most 20,000 selections that it ever had there". New selections take their places in the
    // order of the record.
    const isNew = (quote: Quote): boolean =>
      quote.state !== 'withdrawn' && operator.selections.every(({ row }) => row.selectionId !== quote.selectionId);
    if (operator.selections.length + quotes.length > 20_000) {
      const tooMany = quotes.filter(isNew).slice(20_000 - operator.selections.length);
      codes.push(...tooMany.map(() => 'too-many-selections'));
      quotes = quotes.filter((quote) => !tooMany.includes(quote));
    }
    for (const quote of [...quotes].sort((a, b) => byBytes(a.selectionId, b.selectionId))) {
      const refused = applyQuote(game, operator, quote, common);
      if (refused !== undefined) codes.push(refused);
    }
    if (observation.kind === 'image') {
      const absent = operator.selections
        .filter((selection) => !quotes.some((quote) => quote.selectionId === selection.row.selectionId))
        .filter((selection) => isCovered(observation, code, selection))
        .sort((a, b) => byBytes(a.row.selectionId, b.row.selectionId));
      for (const selection of absent) countMissing(game, selection, common);
    }
    // 7. Watermark: "of each operator present, `max(old, the record's time)`".
    if (present.includes(code) && (operator.watermark === undefined || time > operator.watermark)) {
      operator.watermark = time;
    }
    operator.inPlayFlag = observation.inPlay;
    if (game.rows.length > rowsBefore) withRows.push(code);
  }

  const names = named.map((operator) => operator.code);
  game.applied.push({ recordId, source, scope, time, sha256, push: record.push, names, sourceTimed });
  // 11. Log time.
  if (game.logTime === undefined || time > game.logTime) game.logTime = time;
  rewriteBoards(game, withRows);
  return { verdict: 'applied', codes, beyond: beyond.map(({ code }) => code) };
}

/** Whether an image covers a selection that is absent from it. */
function isCovered(observation: Observation, operator: string, selection: Selection): boolean {
  const { operators, markets } = observation.coverage;
  if (operators !== undefined && !operators.includes(operator)) return false;
  if (markets === undefined) return true;
  return markets.some(
    (covered) =>
      covered.market === selection.row.market &&
      (covered.period === undefined || covered.period === selection.row.period) &&
      (covered.lineInIdentity === undefined || covered.lineInIdentity === selection.lineInIdentity),
  );
}

type Common = Pick<Row, 'gameId' | 'operator' | 'inPlay' | 'timestamp' | 'source'>;

/** 4 and 6: one present quote. */
function applyQuote(game: GameFold, operator: Operator, quote: Quote, common: Common): 'unknown-selection' | undefined {
  const selection = operator.selections.find((other) => other.row.selectionId === quote.selectionId);
  const last = selection?.row;
  const before = last === undefined ? 'unknown' : last.isOpen ? 'open' : last.change;

  if (quote.state === 'withdrawn') {
    if (last === undefined || before === 'withdrawn') return 'unknown-selection';
    const row: Row = { ...last, ...common, isOpen: false, change: 'withdrawn', sourceTimestamp: quote.stamp };
    game.rows.push(row);
    selection!.row = row;
    selection!.missing = 0;
    return undefined;
  }

  const said: Row = {
    ...common,
    selectionId: quote.selectionId,
    market: quote.market,
    period: quote.period,
    selection: quote.selection,
    playerId: quote.playerId,
    line: quote.line,
    priceAmerican: quote.price?.american ?? null,
    priceDecimal: quote.price?.decimal ?? null,
    priceSourceFormat: quote.price?.format ?? null,
    isOpen: quote.state === 'open',
    change: 'opened',
    sourceTimestamp: quote.stamp,
  };
  let change: Change | undefined;
  if (quote.state === 'suspended') {
    if (before !== 'suspended') change = 'suspended';
    // "The new line and price where given, else the last row's."
    if (quote.line === null && last !== undefined) said.line = last.line;
    if (quote.price === null && last !== undefined) {
      said.priceAmerican = last.priceAmerican;
      said.priceDecimal = last.priceDecimal;
      said.priceSourceFormat = last.priceSourceFormat;
    }
  } else if (before === 'unknown') {
    change = 'opened';
  } else if (before !== 'open') {
    change = 'resumed';
  } else {
    const price = said.priceDecimal !== last!.priceDecimal || said.priceAmerican !== last!.priceAmerican;
    const line = said.line !== last!.line;
    if (price && line) change = 'price_and_line';
    else if (price) change = 'price';
    else if (line) change = 'line';
  }

  if (selection !== undefined) selection.missing = 0;
  if (change === undefined) return undefined;
  const row: Row = { ...said, change };
  game.rows.push(row);
  if (selection !== undefined) selection.row = row;
  else operator.selections.push({ row, lineInIdentity: quote.lineInIdentity, missing: 0 });
  return undefined;
}

/** 5: "covered, not present, and open or suspended: `missing` += 1 … At 2: withdrawn". */
function countMissing(game: GameFold, selection: Selection, common: Common): void {
  if (selection.row.change === 'withdrawn') return;
  selection.missing += 1;
  if (selection.missing < 2) return;
  selection.row = { ...selection.row, ...common, isOpen: false, change: 'withdrawn', sourceTimestamp: null };
  selection.missing = 0;
  game.rows.push(selection.row);
}

/** "The watermark at the record or tick that last changed this operator's rows or states." */
function rewriteBoards(game: GameFold, withRows: readonly string[]): void {
  if (game.logTime === undefined) return;
  for (const board of boardsAt(game, game.logTime)) {
    const operator = operatorOf(game, board.operator);
    const content = JSON.stringify(board.entries.map((entry) => [entry.selectionId, entry.state]));
    if (content === operator.written && !withRows.includes(operator.code)) continue;
    operator.written = content;
    operator.rewrites += 1;
    operator.observedThrough = operator.watermark;
  }
}
