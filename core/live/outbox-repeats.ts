// Recognises a record that a forwarder has published twice. A forwarder that was frozen past its lease republishes what another one has
// published meanwhile, perhaps followed by something newer of the same game: folded again, the older start or status would win. The record
// carries its outbox id; the order of ids decides nothing, because two commits may reach the log in either order
// (docs/quotes.md#repeats-of-the-outbox).
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { Micros } from '../units.ts';

/** A record of the outbox. Includes the time, because a restored catalog may use an id again. */
export type OutboxRecord = { id: number; receivedAt: Micros | null };

/** A game has a few of them; a forwarder publishes at most half as many at once. */
const mostKept = 1_000;

/** Whether the game has already had this record of the outbox; if not, remembers it. */
export function isOutboxRepeat(game: { fromOutbox: OutboxRecord[] }, record: QuotesRecord): boolean {
  const { outbox_id: id = null, received_at: receivedAt, observation } = record;
  if (id === null || observation !== null) return false;
  if (game.fromOutbox.some((known) => known.id === id && known.receivedAt === receivedAt)) return true;
  game.fromOutbox.push({ id, receivedAt });
  if (game.fromOutbox.length > mostKept) game.fromOutbox.shift();
  return false;
}
