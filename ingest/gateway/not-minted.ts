// What the log says of games that wait for the name of a team: one line a minute and source, whatever a source invents.
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { Repeats } from '../../core/repeats.ts';
import type { Micros } from '../../core/units.ts';

const said = new WeakMap<Log, Repeats>();

/** Warns of games that were founded without both teams; `passed_over`: how many others had no line since the one before. */
export function sayNotMinted(log: Log, source: string, receivedAt: Micros, games: readonly ResolvedGame[]): void {
  const repeats = said.get(log) ?? new Repeats();
  said.set(log, repeats);
  for (const { gameId, warning } of games) {
    const line = warning === null ? null : repeats.next(source, receivedAt);
    if (line !== null) log.warn('game not minted', { source, game: gameId, reason: warning, passed_over: line.passed });
  }
}
