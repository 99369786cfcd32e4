// The missing parts of a history that is sent again, as the gaps that its revisions name (docs/revisions.md#epochs;
// docs/revisions.md#revision-rules). Consecutive missing observations form one gap; its ends are the oldest and the newest stamp in it,
// because stamps need not ascend with the log.
import { formatMicros } from '../../time/rfc3339.ts';
import type { Micros } from '../../units.ts';
import { mostHoles } from './coverage.ts';

type Run = { from: Micros; to: Micros; observations: number };

export class Holes {
  readonly #runs: Run[] = [];
  #before: string[] = [];
  /** Whether the previous observation was missing too, so that the gap continues. */
  #gapContinues = false;

  /** The history began at `since`, and its first available observation has the stamp `first` (null: none is available). */
  missingBefore(since: Micros, first: Micros | null): void {
    const from = Math.min(since, first ?? since);
    const to = first === null ? '..' : formatMicros(Math.max(since, first));
    this.#before = [`${formatMicros(from)}/${to} observations-missing`];
  }

  /** The next observation of the log is missing. */
  missing(updatedAt: Micros): void {
    const last = this.#runs.at(-1);
    // More gaps than a reset may name: the last one is widened.
    if (last !== undefined && (this.#gapContinues || this.#runs.length === mostHoles - 1)) {
      last.from = Math.min(last.from, updatedAt);
      last.to = Math.max(last.to, updatedAt);
      last.observations += 1;
    } else {
      this.#runs.push({ from: updatedAt, to: updatedAt, observations: 1 });
    }
    this.#gapContinues = true;
  }

  /** The next observation of the log is there. */
  present(): void {
    this.#gapContinues = false;
  }

  /** The gaps in log order, at most as many as a reset may name. */
  gaps(): string[] {
    const named = this.#runs.map(({ from, to, observations }) => {
      return `${formatMicros(from)}/${formatMicros(to)} ${observations === 1 ? 'observation' : 'observations'}-missing`;
    });
    return [...this.#before, ...named];
  }
}
