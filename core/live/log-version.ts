// Which release's log a live log is: by its columns, and by the rules that make and cut its rows. A log keeps one list of columns and one set of
// rules; where a release has others, its projectors start the logs of open games over (docs/quotes.md#cutting-segments).
import { createHash } from 'node:crypto';
import { board } from '../../schemas/datasets/board.ts';
import type { Column } from '../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';

/**
 * To be raised with any change after which the records of a log would give other rows, other cuts, or another state behind them: then an owner
 * that folds again would not come to the digest that was committed.
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
