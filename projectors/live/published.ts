// What the catalog holds of a partition's games, as the live projector remembers it between flushes: which files are current, so that
// the next plan can append to them and the next commit can release them.
import type { PublishedBoard, PublishedLog, PublishedTail } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';

export type PublishedGame = {
  generation: number;
  logVersion: string | null;
  tail: PublishedTail | null;
  boards: Map<string, PublishedBoard>;
};

/** From the catalog's logs, the newest generation of each game. */
export function publishedGames(logs: readonly PublishedLog[]): Map<string, PublishedGame> {
  const games = new Map<string, PublishedGame>();
  for (const log of logs) {
    const known = games.get(log.gameUuid);
    if (known !== undefined && known.generation >= log.generation) continue;
    games.set(log.gameUuid, {
      generation: log.generation,
      logVersion: log.logVersion,
      tail: log.tail,
      boards: new Map(log.boards.map((board) => [board.operator, board])),
    });
  }
  return games;
}

/** Counts files per object: the catalog keeps an object while any of its files is current. */
export function countByObject(files: readonly FileRef[]): { key: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file.key, (counts.get(file.key) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, files: count }));
}
