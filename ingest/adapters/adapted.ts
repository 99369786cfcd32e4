// What an adapter makes of a pushed body: elements, each accepted or refused on its own, so that none costs its neighbours.
import type { PushGrant } from '../../core/access/feed-grant.ts';
import type { GameReference } from '../../core/ports/catalog/games.ts';
import type { QuoteRefusal, WarningCode } from '../../core/quotes/types.ts';
import type { Micros } from '../../core/units.ts';
import type { Observation } from '../../schemas/events/quotes.ts';

/** What the adapters have to know of a push beside its body. */
export type PushContext = {
  source: string;
  receivedAt: Micros;
  /** Of what the feed key may speak. */
  may: PushGrant;
  /** The feed key has the `backfill` scope. */
  mayBackfill: boolean;
  /** `X-Observed-At` as it was sent; the gateway has refused it from keys without the scope (403). */
  observedAt: string | null;
  idempotencyKey: string | null;
  /** Whether what would be a warning is a refusal; left out: it is a warning. */
  strict?: boolean;
};

/**
 * Where an element stands in the body: its index, its bytes [start, end) as received (inflated), and the SHA-256 of its
 * RFC 8785 form (null: it is refused).
 */
export type ElementFrame = { index: number; start: number; end: number; sha256: string | null };

/**
 * One element of the push. Refused: for one reason, or for those of all its quotes; `gameId` set: the event names a game by this id and was
 * refused for something that comes after it, so it is `bad-event` instead where there is no such game (docs/quotes.md#the-native-event).
 * Accepted: what goes into the record, `sha256` and `record_id` set, the quotes in `refusals` left out of it. Pointers start at the element.
 */
export type AdaptedElement =
  | (ElementFrame & { kind: 'refused'; refusals: readonly QuoteRefusal[]; gameId: string | null })
  | (ElementFrame & {
      kind: 'accepted';
      observation: Observation;
      game: GameReference;
      refusals: readonly QuoteRefusal[];
      warnings: readonly Warning[];
    });

/** What is probably a mistake in an accepted element; the pointer starts at the element. */
export type Warning = { pointer: string; code: WarningCode; detail: string };

/** Each is a dead letter and an entry of the answer: a push with more is refused whole. */
export const mostRefusals = 20_000;

/** More warnings of one push are only counted. */
export const mostWarnings = 20_000;

/**
 * `elements` end where there are more refusals than a push may have. `malformed`: the body is no push of this format at all; the detail names the place. `bytes`: what the elements stand in, where they are
 * no parts of the body as they are. `observedAt`: the time that the body says of all of them. `warningsMore`: warnings that no element has any more.
 */
export type AdaptedPush =
  | {
      kind: 'elements';
      elements: readonly AdaptedElement[];
      warningsMore: number;
      bytes?: Uint8Array;
      observedAt?: string;
    }
  | { kind: 'malformed'; detail: string };

/** Query of the-odds-api-v4, as sent; null: absent. */
export type OddsApiQuery = { oddsFormat: string | null; markets: string | null; bookmakers: string | null };
