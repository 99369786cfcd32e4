// Derives quote states, boards and segments from a folded game: docs/quotes.md#the-board.
import { byBytes } from './quote.ts';
import { type GameFold, gameStart, newestToldBy, type Row } from './state.ts';
import { minute, second } from './times.ts';

export type QuoteState = 'live' | 'stale_suspect';

export interface Board {
  operator: string;
  entries: { selectionId: string; missing: number; row: Row; state: QuoteState }[];
  /** `observed_through` of the manifest. */
  watermark: bigint | undefined;
  /** The column `operator_observed_through`. */
  observedThrough: bigint | undefined;
}

/**
 * "`live` iff `missing` = 0 and log time − watermark ≤ T; T = 15 s when the owner's start ≤ log time or the newest record
 * that spoke of this operator carried `in_play: true`, else 120 s."
 */
export function quoteState(
  missing: number,
  watermark: bigint,
  logTime: bigint,
  ownerStart: bigint | undefined,
  inPlayFlag: boolean | undefined,
): QuoteState {
  const started = ownerStart !== undefined && ownerStart <= logTime;
  const T = started || inPlayFlag === true ? 15n * second : 120n * second;
  return missing === 0 && logTime - watermark <= T ? 'live' : 'stale_suspect';
}

/** The boards at `logTime`: "its selections that are open or suspended, by `selection_id`". */
export function boardsAt(game: GameFold, logTime: bigint): Board[] {
  const boards: Board[] = [];
  for (const operator of game.operators) {
    if (!game.rows.some((row) => row.operator === operator.code)) continue;
    const ownerStart = newestToldBy(game, operator.owner) ?? gameStart(game);
    const entries = operator.selections
      .filter((selection) => selection.row.change !== 'withdrawn')
      .map((selection) => ({
        selectionId: selection.row.selectionId,
        missing: selection.missing,
        row: selection.row,
        state: quoteState(selection.missing, operator.watermark!, logTime, ownerStart, operator.inPlayFlag),
      }))
      .sort((a, b) => byBytes(a.selectionId, b.selectionId));
    const { code, watermark, observedThrough } = operator;
    boards.push({ operator: code, entries, watermark, observedThrough });
  }
  return boards.sort((a, b) => byBytes(a.operator, b.operator));
}

/**
 * The number of rows of each segment. "A row opens a new segment when the open one has 8,192 rows, or has at least 512
 * rows and the row's `timestamp` is ≥ 15 minutes after the first row of the open one."
 */
export function cutSegments(rows: readonly Row[]): number[] {
  const segments: Row[][] = [];
  for (const row of rows) {
    const open = segments.at(-1);
    const opens =
      open === undefined ||
      open.length >= 8_192 ||
      (open.length >= 512 && row.timestamp - open[0]!.timestamp >= 15n * minute);
    if (opens) segments.push([row]);
    else open.push(row);
  }
  return segments.map((segment) => segment.length);
}
