// What is missing from a history that a feed sends again, as the gaps that its revisions name (docs/revisions.md#epochs;
// docs/revisions.md#revision-rules). Those that are missing one after another are one gap; a gap's ends are the oldest and the newest stamp of
// what lies in it, for stamps need not ascend with the log.
import { formatMicros } from '../../time/rfc3339.ts';
import type { Micros } from '../../units.ts';
import { mostHoles } from './coverage.ts';

type Run = { from: Micros; to: Micros; observations: number };

export class Holes {
  readonly #runs: Run[] = [];
  #before: string[] = [];
  /** Whether what is missing next lies beside what was missing last. */
  #goesOn = false;

  /** The history began with `since`, and the first observation that is there is the one of `first`; null: there is none. */
  missingBefore(since: Micros, first: Micros | null): void {
    const from = Math.min(since, first ?? since);
    const to = first === null ? '..' : formatMicros(Math.max(since, first));
    this.#before = [`${formatMicros(from)}/${to} observations-missing`];
  }

  /** The next observation of the log is missing. */
  missing(updatedAt: Micros): void {
    const last = this.#runs.at(-1);
    // More gaps than a reset may name: the last of them is wider than what is missing.
    if (last !== undefined && (this.#goesOn || this.#runs.length === mostHoles - 1)) {
      last.from = Math.min(last.from, updatedAt);
      last.to = Math.max(last.to, updatedAt);
      last.observations += 1;
    } else {
      this.#runs.push({ from: updatedAt, to: updatedAt, observations: 1 });
    }
    this.#goesOn = true;
  }

  /** The next observation of the log is there. */
  present(): void {
    this.#goesOn = false;
  }

  /** In the order of the log, as many as a reset may name at most. */
  gaps(): string[] {
    const named = this.#runs.map(({ from, to, observations }) => {
      return `${formatMicros(from)}/${formatMicros(to)} ${observations === 1 ? 'observation' : 'observations'}-missing`;
    });
    return [...this.#before, ...named];
  }
}
