// One game's log started over: its committed rows, read segment by segment, are cut anew; each segment that is thereby closed is written at once,
// so that of a log of any length one segment is held, or a little more. What the rules are is core/live/restarted-log.ts.
import { operatorsWithRows } from '../../core/live/board.ts';
import type { GameState } from '../../core/live/game-state.ts';
import { RestartedLog } from '../../core/live/restarted-log.ts';
import type { QuoteRow } from '../../core/live/types.ts';
import type { ClosedSegment, ServedLog } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { CommittedFiles } from '../worker/start-over.ts';
import { appendRows, type GameChanges } from './changes.ts';
import { closedSegments, planSegment } from './game-plan.ts';

/** Starts the log of `game` over from `log`, the one that is published; answers what the next flush has to publish of it. */
export async function startGameOver(game: GameState, log: ServedLog, files: CommittedFiles): Promise<GameChanges> {
  const segments = [...log.closed.map(fileOfSegment), ...(log.tail === null ? [] : [log.tail.file])];
  // A generation begins above all before it: the highest seq ever used is in the newest.
  const lastSeq = log.tail?.seq ?? log.closed.at(-1)?.seq ?? log.firstSeq - 1;
  const restarted = new RestartedLog(game, { generation: log.generation + 1, firstSeq: lastSeq + 1 });
  const closed: ClosedSegment[] = [];
  const changes: GameChanges = {
    pieces: [],
    boards: new Set(),
    startedOver: { closed, supersedes: [...segments, ...log.boards.map(({ file }) => file)] },
  };
  for (const segment of segments) {
    const openSeq = game.segment?.seq ?? 0;
    const { rows, segmentStarts } = restarted.append(committedRows(await files.rows(segment)));
    appendRows(changes, openSeq, game.firstSeq, rows, segmentStarts);
    const full = changes.pieces
      .splice(0, changes.pieces.length - 1)
      .map((piece) => planSegment(game, piece, null, true));
    if (full.length === 0) continue;
    const written = await files.write(full.map(({ file }) => file));
    const planned = full.map(({ segment: each }) => each);
    closed.push(...closedSegments(planned, written));
  }
  restarted.finish();
  for (const { code } of operatorsWithRows(game)) changes.boards.add(code);
  return changes;
}

function fileOfSegment({ key, size, sha256 }: ClosedSegment): FileRef {
  return { key, offset: 0, size, sha256 };
}

const columns = sportsbookLines.columns.map(({ name }) => name);
const blank: ParquetRow = Object.fromEntries(columns.map((name) => [name, null]));

/** Rows of a file under the columns of this release: null where the file has none. */
function committedRows(rows: readonly ParquetRow[]): QuoteRow[] {
  const held = columns.filter((name) => rows[0]?.[name] !== undefined);
  return rows.map((row) => {
    const values: Record<string, unknown> = { ...blank };
    for (const name of held) values[name] = row[name];
    return values as QuoteRow;
  });
}
