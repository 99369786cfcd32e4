// The documents that list a game's live data. Each is made from one committed version, so its segments and its board belong together (I11).
// Addresses are complete: a client fetches them verbatim.
import type { CursorAnswer } from '../../core/live/cursor.ts';
import { mostOperators } from '../../core/live/game-limits.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { BoardManifest, LiveManifest } from '../../schemas/http/live.ts';

/** Address of a game's final sportsbook lines. */
export function finalAddress(gameId: string): string {
  return `/v1/games/${gameId}/${sportsbookLines.name}`;
}

/** Addresses of a game's live listings. */
export function liveAddresses(gameId: string): { segments: string; board: string } {
  const base = finalAddress(gameId);
  return { segments: `${base}/segments`, board: `${base}/board` };
}

/** docs/interface.md#live-manifest. */
export function liveManifest(
  gameId: string,
  log: ServedLog,
  { segments: listed, omitted }: Pick<Extract<CursorAnswer, { kind: 'list' }>, 'segments' | 'omitted'>,
  cursor: string,
): LiveManifest {
  const { segments } = liveAddresses(gameId);
  const operators: LiveManifest['operators'] = {};
  const known = Object.entries(log.operators).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [code, operator] of known.slice(0, mostOperators)) {
    operators[code] = {
      last_row_at: formatMicros(operator.last_row_at),
      observed_through: timeOrNull(operator.observed_through),
    };
  }
  return {
    ...headOf(gameId, log),
    applied_through: timeOrNull(log.appliedThrough),
    operators,
    segments: listed.map((segment) => ({
      seq: segment.seq,
      rows: segment.rows,
      closed: segment.closed,
      min_timestamp: formatMicros(segment.min_timestamp),
      max_timestamp: formatMicros(segment.max_timestamp),
      url: `${segments}/${segment.seq}?rows=${segment.rows}`,
      ...(segment.from_row === undefined ? {} : { from_row: segment.from_row }),
    })),
    ...(omitted === 0 ? {} : { segments_omitted: omitted }),
    board: boardOf(gameId, log),
    cursor,
  };
}

/** docs/interface.md#board-manifest. */
export function boardManifest(gameId: string, log: ServedLog): BoardManifest {
  return { ...headOf(gameId, log), board: boardOf(gameId, log) };
}

function headOf(gameId: string, log: ServedLog) {
  return {
    game_id: gameId,
    dataset: sportsbookLines.name,
    schema_version: sportsbookLines.schemaVersion,
    provisional: true,
    updated_at: formatMicros(log.updatedAt),
  };
}

function boardOf(gameId: string, log: ServedLog): LiveManifest['board'] {
  const { board } = liveAddresses(gameId);
  // A log written before the caps were introduced may exceed them.
  const omitted = Math.max(0, log.boards.length - mostOperators);
  return {
    rows: log.boards.reduce((rows, file) => rows + file.rows, 0),
    ...(omitted === 0 ? {} : { files_omitted: omitted }),
    files: log.boards
      .slice(0, mostOperators)
      .map(({ operator, rows }) => ({ operator, rows, url: `${board}/${operator}` })),
  };
}

function timeOrNull(time: Micros | null): string | null {
  return time === null ? null : formatMicros(time);
}
