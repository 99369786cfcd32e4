// The moves of a game's lines: the rows of its live log from a cursor on, page by page, or of its final file once it is settled.
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

/** The rows that match, in log order; `rows_read` and `charged` are of all that were read for it. */
export async function lineMoves(reader: Reader, asked: MovesAsked): Promise<Read> {
  const game = `/v1/games/${encodeURIComponent(asked.game_id)}/sportsbook-lines`;
  const rows: JsonDocument[] = [];
  let { cursor } = asked;
  let [read, charged] = [0, 0];
  while (read < asked.most_rows) {
    const page = await reader.read(`${game}/rows`, { cursor, limit: Math.min(rowsPerPage, asked.most_rows - read) });
    if (page.kind === 'refused' && page.problem.reason === 'final_available') return finalMoves(reader, game, asked);
    if (page.kind !== 'document') return page;
    const { rows: more, cursor: next } = page.document as { rows: JsonDocument[]; cursor: string };
    rows.push(...more.filter((row) => matches(row, asked)));
    read += more.length;
    charged += page.charged;
    cursor = next;
    if (more.length === 0) return found({ provisional: true, rows, rows_read: read, cursor, more: false }, charged);
  }
  return found({ provisional: true, rows, rows_read: read, cursor, more: true }, charged);
}

async function finalMoves(reader: Reader, path: string, asked: MovesAsked): Promise<Read> {
  const file = await reader.read(path);
  if (file.kind !== 'file') return file;
  const all = rowsOfFile(file.bytes);
  const rows = all.filter((row) => matches(row, asked));
  return found({ provisional: false, rows, rows_read: all.length, more: false }, file.charged);
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
