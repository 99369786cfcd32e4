// The moves of a game's lines: the rows of its live log from a cursor on, page by page, or of its final file once it has settled.
import { mostCharacters } from './fitted.ts';
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
 * The matching rows, in log order, as many as fit into an answer; `rows_read` and `charged` cover all rows that were read, and `cursor` is
 * after the last row that was checked. If a later page or the final file is refused, the rows before it are returned all the same, because they are paid for.
 */
export async function lineMoves(reader: Reader, asked: MovesAsked): Promise<Read> {
  const game = `/v1/games/${encodeURIComponent(asked.game_id)}/sportsbook-lines`;
  const rows: JsonDocument[] = [];
  let { cursor } = asked;
  let [read, charged, characters] = [0, 0, 0];
  const moves = (more: boolean, refused = {}) =>
    found({ provisional: true, rows, rows_read: read, cursor, more, ...refused }, charged);
  while (read < asked.most_rows) {
    const page = await reader.read(`${game}/rows`, { cursor, limit: Math.min(rowsPerPage, asked.most_rows - read) });
    if (page.kind === 'refused' && page.problem.reason === 'final_available') {
      const final = await finalMoves(reader, game, asked, charged);
      return final.kind === 'refused' && read > 0 ? moves(true, { refused: final.problem }) : final;
    }
    if (page.kind === 'refused' && read > 0) return moves(true, { refused: page.problem });
    if (page.kind !== 'document') return page;
    const { rows: more, cursor: next } = page.document as { rows: JsonDocument[]; cursor: string };
    read += more.length;
    charged += page.charged;
    for (const [at, row] of more.entries()) {
      if (!matches(row, asked)) continue;
      characters += JSON.stringify(row).length + 1;
      if (characters > mostCharactersOfRows && rows.length > 0) {
        cursor = rowsBack(next, more.length - at);
        return moves(true);
      }
      rows.push(row);
    }
    cursor = next;
    if (more.length === 0) return moves(false);
  }
  return moves(true);
}

/** The cursor before the last `count` rows of its page; a page's rows are of one segment. */
function rowsBack(cursor: string, count: number): string {
  const [seq, rows] = cursor.split(':').map(Number);
  return `${seq}:${Number(rows) - count}`;
}

/** `before`: what reading its live log had cost before it settled. */
async function finalMoves(reader: Reader, path: string, asked: MovesAsked, before: number): Promise<Read> {
  const file = await reader.read(path);
  if (file.kind !== 'file') return file;
  const all = rowsOfFile(file.bytes);
  const rows = all.filter((row) => matches(row, asked));
  return found({ provisional: false, rows, rows_read: all.length, more: false }, before + file.charged);
}

function matches(row: JsonDocument, { selection_id, operator }: MovesAsked): boolean {
  return (
    (selection_id === undefined || row.selection_id === selection_id) &&
    (operator === undefined || row.operator === operator.toUpperCase())
  );
}

function found(document: JsonDocument, charged: number): Read {
  return { kind: 'document', document, charged };
}
