// Recognises a record that a forwarder tells again. One that was frozen past its lease tells what another has told meanwhile, and perhaps
// something newer of the same game: folded again, the older start or status would win. Known by what the record says of itself, not by an
// order of numbers: two commits may reach the log the other way round (docs/quotes.md#repeats-of-the-outbox).
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { Micros } from '../units.ts';

/** A record of the outbox. With the time, because a restored catalog may give a number again. */
export type ToldRecord = { id: number; receivedAt: Micros | null };

/** A game has a few of them; a forwarder tells at most half as many at once. */
const mostKept = 1_000;

/** Whether the game has had this record of the outbox; remembers it otherwise. */
export function isToldAgain(game: { told: ToldRecord[] }, record: QuotesRecord): boolean {
  const { outbox_id: id = null, received_at: receivedAt, observation } = record;
  if (id === null || observation !== null) return false;
  if (game.told.some((known) => known.id === id && known.receivedAt === receivedAt)) return true;
  game.told.push({ id, receivedAt });
  if (game.told.length > mostKept) game.told.shift();
  return false;
}
