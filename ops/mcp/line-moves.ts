// The moves of a game's lines, page by page: the rows of its live log, or of its final file once it has settled.
import { mostCharacters } from './fitted.ts';
import { type MovesCursor, movesCursorOf, movesCursorText, rowInFinal, rowsBack } from './moves-cursor.ts';
import type { JsonDocument, Read, Reader } from './reader.ts';
import { rowsOfFile } from './rows-of-file.ts';

export type MovesAsked = {
  game_id: string;
  selection_id?: string | undefined;
  operator?: string | undefined;
  cursor?: string | undefined;
  most_rows: number;
};

const rowsPerPage = 1_000;
/** The rest is for the other members of an answer. */
const mostCharactersOfRows = mostCharacters - 2_000;

/**
 * The matching rows, in log order, as many as fit into an answer; `cursor` is after the last row that was checked, in the live log and in the
 * final file alike. If a later page is refused, the rows before it are returned all the same, because they are paid for.
 */
export async function lineMoves(reader: Reader, asked: MovesAsked): Promise<Read> {
  const game = `/v1/games/${encodeURIComponent(asked.game_id)}/sportsbook-lines`;
  const matching = new MatchingRows(asked);
  let cursor = movesCursorOf(asked.cursor);
  let [read, charged] = [0, 0];
  const moves = (more: boolean, refused = {}) =>
    found({ provisional: true, rows: matching.rows, rows_read: read, ...going(cursor, more), ...refused }, charged);
  while (cursor.live !== null && read < asked.most_rows) {
    const limit = Math.min(rowsPerPage, asked.most_rows - read);
    const page = await reader.read(`${game}/rows`, { cursor: cursor.live, limit });
    if (page.kind === 'refused') {
      const isFinal = page.problem.reason === 'final_available';
      if (read > 0) return moves(true, isFinal ? {} : { refused: page.problem });
      if (!isFinal) return page;
      const row = rowInFinal(cursor, page.problem.first_seq);
      if (row === null) return notOfFinal;
      cursor = { live: null, row };
      break;
    }
    if (page.kind !== 'document') return page;
    const { rows, cursor: next } = page.document as { rows: JsonDocument[]; cursor: string };
    read += rows.length;
    charged += page.charged;
    const checked = matching.take(rows);
    const row = numberOf(rows[checked - 1]) ?? cursor.row;
    cursor = checked < rows.length ? rowsBack(next, rows.length - checked, row) : { live: next, row };
    if (checked < rows.length) return moves(true);
    if (rows.length === 0) return moves(false);
  }
  return cursor.live === null ? finalMoves(reader, game, asked, cursor.row ?? 0) : moves(true);
}

/** The rows of the final file after this one. The file is charged whole, and no more than `most_rows` may be. */
async function finalMoves(reader: Reader, path: string, asked: MovesAsked, after: number): Promise<Read> {
  const file = await reader.file(path, asked.most_rows);
  if (file.kind !== 'file') return file;
  // Removed rows leave gaps in the numbers, so rows are found by them.
  const left = rowsOfFile(file.bytes).filter((row) => (numberOf(row) ?? 0) > after);
  const matching = new MatchingRows(asked);
  const checked = matching.take(left.slice(0, asked.most_rows));
  const cursor = { live: null, row: numberOf(left[checked - 1]) ?? after };
  return found(
    { provisional: false, rows: matching.rows, rows_read: checked, ...going(cursor, checked < left.length) },
    file.charged,
  );
}

const notOfFinal: Read = {
  kind: 'refused',
  problem: {
    code: 'cursor-not-of-final',
    detail:
      'The game has settled, and it is not known where in its final file this cursor is: its log was rebuilt, or the cursor has no row number. Nothing was charged. Ask again without cursor.',
  },
};

/** The rows that match, until an answer is full. */
class MatchingRows {
  readonly rows: JsonDocument[] = [];
  readonly #asked: MovesAsked;
  #characters = 0;

  constructor(asked: MovesAsked) {
    this.#asked = asked;
  }

  /** How many of these were checked: all of them, or those before the first for which there is no room. */
  take(rows: readonly JsonDocument[]): number {
    const full = rows.findIndex((row) => matches(row, this.#asked) && !this.#add(row));
    return full < 0 ? rows.length : full;
  }

  #add(row: JsonDocument): boolean {
    this.#characters += JSON.stringify(row).length + 1;
    if (this.#characters > mostCharactersOfRows && this.rows.length > 0) return false;
    this.rows.push(row);
    return true;
  }
}

function matches(row: JsonDocument, { selection_id, operator }: MovesAsked): boolean {
  return (
    (selection_id === undefined || row.selection_id === selection_id) &&
    (operator === undefined || row.operator === operator.toUpperCase())
  );
}

function numberOf(row: JsonDocument | undefined): number | null {
  return row === undefined ? null : Number(row.row_number);
}

function going(cursor: MovesCursor, more: boolean): JsonDocument {
  return { cursor: movesCursorText(cursor), more };
}

function found(document: JsonDocument, charged: number): Read {
  return { kind: 'document', document, charged };
}
