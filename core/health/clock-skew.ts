// How much the clock of a process differs from the database's, as far as one query can tell.
import { type Micros, microsPerSecond } from '../units.ts';

/** Beyond this difference, receive times and the start of a minute or month are visibly wrong. */
export const mostSkew: Micros = 2 * microsPerSecond;

/**
 * The smallest difference consistent with the database reading its clock at `database`, between our `before` and `after`. Positive: this
 * process is ahead.
 */
export function clockSkew(before: Micros, database: Micros, after: Micros): Micros {
  if (database < before) return before - database;
  return database > after ? after - database : 0;
}
