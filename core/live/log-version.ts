// The version of a live log: its columns, and the rules that make and cut its rows. A log keeps one version for life; when a release has
// another, its projectors rebuild the logs of open games (docs/quotes.md#cutting-segments).
import { createHash } from 'node:crypto';
import { board } from '../../schemas/datasets/board.ts';
import type { Column } from '../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';

/**
 * Raise it with any change after which the same records would give other rows, other cuts or another state. Otherwise a projector that
 * folds again cannot reproduce the committed digest.
 */
const foldRules = 2;

/** The version of a log with these rules and columns. */
export function logVersion(rules: number, ...files: readonly (readonly Column[])[]): string {
  const columns = files.map((each) => each.map(({ name, type, nullable }) => [name, type, nullable]));
  const hash = createHash('sha256').update(JSON.stringify(columns)).digest('hex').slice(0, 12);
  return `rules ${rules}, columns ${hash}`;
}

/** The version of the logs that this release writes. */
export const liveLogVersion = logVersion(foldRules, sportsbookLines.columns, board.columns);
