// By how much the clock of a process differs from the database's, as far as one question can tell.
import { type Micros, microsPerSecond } from '../units.ts';

/** Beyond it receive times, and the start of a minute or month, are visibly wrong. */
export const mostSkew: Micros = 2 * microsPerSecond;

/** The least difference that explains that the database read its clock at `database`, between `before` and `after` of ours. Ahead: positive. */
export function clockSkew(before: Micros, database: Micros, after: Micros): Micros {
  if (database < before) return before - database;
  return database > after ? after - database : 0;
}
