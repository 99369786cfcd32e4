// Starts one game's log over: reads its committed rows segment by segment, cuts them anew and writes each segment as soon as it is closed, so that
// little more than one segment is in memory, however long the log. The rules are in core/live/restarted-log.ts.
import { operatorsWithRows } from '../../core/live/board.ts';
import type { GameState } from '../../core/live/game-state.ts';
import { RestartedLog } from '../../core/live/restarted-log.ts';
import type { QuoteRow } from '../../core/live/types.ts';
import type { ClosedSegment, ServedLog } from '../../core/ports/catalog/live.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { CommittedFiles } from '../worker/start-over.ts';
import { appendRows, type GameChanges } from './changes.ts';
import { filesOf, segmentFiles, writeFullSegments } from './game-plan.ts';

/** Starts the log of `game` over from `log`, the one that is published; answers what the next flush has to publish of it. */
export async function startGameOver(game: GameState, log: ServedLog, files: CommittedFiles): Promise<GameChanges> {
  const segments = segmentFiles(log);
  // A generation begins above all before it: the highest seq ever used is in the newest.
  const lastSeq = log.tail?.seq ?? log.closed.at(-1)?.seq ?? log.firstSeq - 1;
  const restarted = new RestartedLog(game, { generation: log.generation + 1, firstSeq: lastSeq + 1 });
  const closed: ClosedSegment[] = [];
  const changes: GameChanges = {
    pieces: [],
    boards: new Set(),
    startedOver: { closed, supersedes: filesOf(log) },
  };
  for (const segment of segments) {
    const openSeq = game.segment?.seq ?? 0;
    const { rows, segmentStarts } = restarted.append(committedRows(await files.rows(segment)));
    appendRows(changes, openSeq, game.firstSeq, rows, segmentStarts);
    closed.push(...(await writeFullSegments(game, changes, files)));
  }
  restarted.finish();
  for (const { code } of operatorsWithRows(game)) changes.boards.add(code);
  return changes;
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
