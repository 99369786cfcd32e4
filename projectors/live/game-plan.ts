// One game's part of a flush: which files it needs and, once they are written, what the catalog publishes of the game. The open segment
// grows by a tail file that continues the committed one; a segment that was closed by a cut is written once more as one row group.
// Keeps I1 and I2: a version of a segment always begins with the rows of the versions before it.
import { boardRows } from '../../core/live/board.ts';
import type { GameState } from '../../core/live/game-state.ts';
import { liveFacts } from '../../core/live/manifest.ts';
import { fileMetadata } from '../../core/parquet/file-metadata.ts';
import type { ClosedSegment, GamePublication, PublishedTail, ServedLog } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { CommittedFiles } from '../worker/start-over.ts';
import type { GameChanges, Piece, StartedOver } from './changes.ts';
import type { PublishedGame } from './published.ts';

export type PlannedSegment = { seq: number; rows: number; min: Micros; max: Micros; closed: boolean; file: string };

export type GamePlan = {
  uuid: string;
  files: readonly PlannedFile[];
  segments: readonly PlannedSegment[];
  boards: readonly { operator: string; rows: number; file: string }[];
  /** Files that this commit supersedes. */
  supersedes: readonly FileRef[];
  startedOver: StartedOver | null;
  facts: Omit<GamePublication, 'logVersion' | 'tail' | 'closed' | 'boards' | 'superseded' | 'restarted'>;
};

const segmentFile = { dataset: 'sportsbook-lines', schemaVersion: 'v1', file: 'segment' } as const;
const boardFile = { dataset: 'sportsbook-lines', schemaVersion: 'v1', file: 'board' } as const;

/** What has to be written of `game` for what folding changed. */
export function* planningGame(game: GameState, changes: GameChanges, published: PublishedGame | null): Task<GamePlan> {
  const files: PlannedFile[] = [];
  const supersedes: FileRef[] = [];
  const tail = published?.tail ?? null;
  const pieces =
    tail !== null && changes.pieces.length > 0 && changes.pieces[0]?.seq !== tail.seq
      ? [{ seq: tail.seq, rows: [] }, ...changes.pieces]
      : changes.pieces;
  const segments: PlannedSegment[] = [];
  for (const [index, piece] of pieces.entries()) {
    const closed = index < pieces.length - 1;
    const onto = tail?.seq === piece.seq ? tail : null;
    if (onto !== null) supersedes.push(onto.file);
    const { segment, file } = planSegment(game, piece, onto, closed);
    files.push(file);
    segments.push(segment);
    yield;
  }
  const boards: GamePlan['boards'][number][] = [];
  for (const operator of [...changes.boards].sort()) {
    const rows = boardRows(game, operator);
    const file = `boards/${game.uuid}/${operator}`;
    files.push({
      name: file,
      dataset: 'board',
      rows,
      metadata: fileMetadata({ ...boardFile, gameId: gameIdOf(game, rows), operator }),
      onto: null,
      form: 'shared',
      like: null,
    });
    const before = published?.boards.get(operator);
    if (before !== undefined) supersedes.push(before.file);
    boards.push({ operator, rows: rows.length, file });
    yield;
  }
  const { startedOver } = changes;
  supersedes.push(...(startedOver?.supersedes ?? []));
  return { uuid: game.uuid, files, segments, boards, supersedes, startedOver, facts: liveFacts(game) };
}

/** A segment with new rows, and its file: behind the rows of `onto`, or new. */
export function planSegment(
  game: GameState,
  piece: Piece,
  onto: PublishedTail | null,
  closed: boolean,
): { segment: PlannedSegment; file: PlannedFile } {
  const segment = plannedSegment(piece, onto, closed, game);
  const file: PlannedFile = {
    name: segment.file,
    dataset: 'sportsbook-lines',
    rows: piece.rows,
    metadata: fileMetadata({ ...segmentFile, gameId: gameIdOf(game, piece.rows), seq: piece.seq }),
    onto: onto?.file ?? null,
    form: closed ? 'own' : 'tail',
    like: null,
  };
  return { segment, file };
}

function plannedSegment(piece: Piece, onto: PublishedTail | null, closed: boolean, game: GameState): PlannedSegment {
  let min = onto?.min_timestamp ?? Number.MAX_SAFE_INTEGER;
  let max = onto?.max_timestamp ?? 0;
  for (const row of piece.rows) {
    if (row.timestamp < min) min = row.timestamp;
    if (row.timestamp > max) max = row.timestamp;
  }
  const rows = (onto?.rows ?? 0) + piece.rows.length;
  return {
    seq: piece.seq,
    rows,
    min,
    max,
    closed,
    file: `segments/${game.uuid}/${game.generation}/${piece.seq}/${rows}`,
  };
}

/** What the catalog publishes of the game once the planned files are where `written` says. */
export function publicationOf(
  plan: GamePlan,
  published: PublishedGame | null,
  written: ReadonlyMap<string, WrittenFile>,
  logVersion: string,
): GamePublication {
  const before = published?.tail ?? null;
  const open = plan.segments.at(-1);
  const tail = open === undefined ? before : tailOf(open, placeOfFile(written, open.file));
  return {
    ...plan.facts,
    logVersion,
    tail,
    closed: [...(plan.startedOver?.closed ?? []), ...closedSegments(plan.segments, written)],
    boards: plan.boards.map(({ operator, rows, file }) => ({ operator, rows, file: placeOfFile(written, file) })),
    superseded:
      before !== null && open !== undefined ? { seq: before.seq, rows: before.rows, file: before.file } : null,
    restarted: plan.startedOver !== null,
  };
}

function tailOf(segment: PlannedSegment, file: FileRef): PublishedTail {
  return { seq: segment.seq, rows: segment.rows, min_timestamp: segment.min, max_timestamp: segment.max, file };
}

/** Those of `segments` that are closed, where they were written. */
export function closedSegments(
  segments: readonly PlannedSegment[],
  written: ReadonlyMap<string, WrittenFile>,
): ClosedSegment[] {
  const closed = segments.filter((segment) => segment.closed);
  return closed.map((segment) => closedOf(segment, placeOfFile(written, segment.file)));
}

/** Writes the segments of `changes` behind which another has begun, and takes them out of it; `files` writes ahead of the next flush. */
export async function writeFullSegments(
  game: GameState,
  changes: GameChanges,
  files: Pick<CommittedFiles, 'write'>,
): Promise<ClosedSegment[]> {
  const full = changes.pieces.splice(0, changes.pieces.length - 1).map((piece) => planSegment(game, piece, null, true));
  if (full.length === 0) return [];
  const written = await files.write(full.map(({ file }) => file));
  return closedSegments(
    full.map(({ segment }) => segment),
    written,
  );
}

/** The files of a log's segments, in order. */
export function segmentFiles({ closed, tail }: Pick<ServedLog, 'closed' | 'tail'>): FileRef[] {
  const files = closed.map(({ key, size, sha256 }) => ({ key, offset: 0, size, sha256 }));
  return tail === null ? files : [...files, tail.file];
}

/** All files of a log. */
export function filesOf(log: ServedLog | null): FileRef[] {
  return log === null ? [] : [...segmentFiles(log), ...log.boards.map(({ file }) => file)];
}

function closedOf(segment: PlannedSegment, file: FileRef): ClosedSegment {
  return {
    seq: segment.seq,
    rows: segment.rows,
    min_timestamp: segment.min,
    max_timestamp: segment.max,
    key: file.key,
    size: file.size,
    sha256: file.sha256,
  };
}

function placeOfFile(written: ReadonlyMap<string, WrittenFile>, name: string): FileRef {
  const file = written.get(name);
  if (file === undefined) throw new Error(`planned file ${name} was not written`);
  return file.ref;
}

/** The id the newest of these rows carries; the UUID for a file without rows. */
function gameIdOf(game: GameState, rows: readonly { game_id: string }[]): string {
  return rows.at(-1)?.game_id ?? game.uuid;
}
