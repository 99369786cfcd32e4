// Limits how often an address may send a wrong secret for the console. Beyond the limit the console refuses the right secret too: otherwise
// a guesser could go on guessing. Memory is bounded, and the log has one line a minute.
import { addressSubject } from '../../core/limits/address-subject.ts';
import { WindowTable } from '../../core/limits/window-table.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';

export type ConsoleGuesses = {
  /** The refusal of an address that has guessed too often; null: it may try. */
  refusal(address: string | undefined): Refusal | null;
  /** A secret of this address was wrong. */
  wrong(address: string | undefined): void;
};

/** An administrator mistypes less often; a guesser needs more than the age of the universe. Of one address in a window. */
export const mostWrong = 10;
const mostAddresses = 10_000;

export function openConsoleGuesses(clock: Pick<Clock, 'now' | 'elapsed'>, log: Pick<Log, 'warn'>): ConsoleGuesses {
  const windows = new WindowTable({ mostSubjects: mostAddresses });
  const elapsed = (): Micros => clock.elapsed?.() ?? clock.now();
  let unlogged = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    refusal(address) {
      const { admitted, resetMs, window } = windows.admit(addressSubject(address), mostWrong, elapsed() / 1_000, 0);
      if (admitted) return null;
      const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
      return refuse('rate-limited', {
        detail: `This address has sent ${mostWrong} wrong secrets within ${window.inWords}; try again in ${seconds} s.`,
        headers: ['Retry-After', String(seconds)],
      });
    },
    wrong(address) {
      windows.admit(addressSubject(address), mostWrong, elapsed() / 1_000);
      unlogged += 1;
      if (elapsed() - loggedAt < microsPerMinute) return;
      log.warn('wrong secrets for the console', { secrets: unlogged, last_from: addressSubject(address) });
      [unlogged, loggedAt] = [0, elapsed()];
    },
  };
}
