// Verifies the logs and final files of games, one game after another.
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { counted, type OpenProgress, openProgress } from '../session/progress.ts';
import { type FinalsProof, verifyFinals } from './verify-finals.ts';
import { type ServedTools, verifyServed } from './verify-log.ts';

/** `all`: how many games there are, about. */
export async function verifyGames(
  tools: ServedTools & FinalsProof,
  games: AsyncIterable<CatalogGame> | Iterable<CatalogGame>,
  all: number,
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<void> {
  using progress = open({ unit: 'games', all });
  for await (const game of counted(progress, games)) {
    interrupted.throwIfAborted();
    await verifyServed(tools, game);
    await verifyFinals(tools, game);
  }
}
