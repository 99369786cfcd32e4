// A position in what a caller has taken of a game: the service's `seq:rows`, and what finds the place again in the final file. The Python client
// writes cursors in the same form.
import { ForeignCursor } from './errors.ts';

/** `row`: the `row_number` of the row taken last, 0 before the first, null while unknown. `time`: its timestamp. */
export type Cursor = {
  game: string;
  seq: number;
  rows: number;
  row: number | null;
  time: string | null;
  final: boolean;
};

const own = /^sportsbook-lines\/([^/\s]+)\/(?:(\d{1,15}):(\d{1,15})|final)\/(\d+|-)\/(-?\d+|-)$/;
const bare = /^(\d{1,15}):(\d{1,15})$/;

export function beginning(game: string): Cursor {
  return { game, seq: 0, rows: 0, row: 0, time: null, final: false };
}

export function textOfCursor({ game, seq, rows, row, time, final }: Cursor): string {
  return `sportsbook-lines/${game}/${final ? 'final' : `${seq}:${rows}`}/${row ?? '-'}/${time ?? '-'}`;
}

/** A cursor of this client, or one of the service. @throws ForeignCursor */
export function readCursor(text: string, game: string): Cursor {
  const ofService = bare.exec(text);
  if (ofService !== null) {
    const [seq, rows] = [Number(ofService[1]), Number(ofService[2])];
    return { ...beginning(game), seq, rows, row: seq === 0 && rows === 0 ? 0 : null };
  }
  const parts = own.exec(text);
  if (parts === null) throw new ForeignCursor(`not a cursor: ${text}`);
  const [, of, seq, rows, row = '-', time = '-'] = parts;
  if (of !== game) throw new ForeignCursor(`a cursor of ${of}, not of ${game}`);
  return {
    game,
    seq: Number(seq ?? 0),
    rows: Number(rows ?? 0),
    row: row === '-' ? null : Number(row),
    time: time === '-' ? null : time,
    final: seq === undefined,
  };
}

/** A timestamp as cursors have it: microseconds since the epoch. */
export function microsOf(timestamp: string): string {
  const [seconds = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return String(BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction));
}
