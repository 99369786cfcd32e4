// Logs games that wait for the name of a team: one line per source and minute, however many games a source invents.
import { LogThrottle } from '../../core/limits/log-throttle.ts';
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Micros } from '../../core/units.ts';

const throttles = new WeakMap<Log, LogThrottle>();

/** Warns about games without a public id; `passed_over`: how many were skipped since the previous line. */
export function logNotMinted(log: Log, source: string, receivedAt: Micros, games: readonly ResolvedGame[]): void {
  const throttle = throttles.get(log) ?? new LogThrottle();
  throttles.set(log, throttle);
  for (const { gameId, warning } of games) {
    if (warning?.code !== 'unknown-team') continue;
    const line = throttle.next(source, receivedAt);
    const reason = warning.detail;
    if (line !== null) log.warn('game not minted', { source, game: gameId, reason, passed_over: line.skipped });
  }
}
