// The result of an adapter for a pushed body: elements, each accepted or refused on its own, so that a bad one does not affect the others.
import type { PushGrant } from '../../core/access/feed-grant.ts';
import type { GameLookup } from '../../core/ports/catalog/games.ts';
import type { QuoteRefusal, WarningCode } from '../../core/quotes/types.ts';
import type { Micros } from '../../core/units.ts';
import type { Observation } from '../../schemas/events/quotes.ts';

/** What adapters need to know about a push besides its body. */
export type PushContext = {
  source: string;
  receivedAt: Micros;
  /** The leagues and sportsbooks that the feed key may push. */
  may: PushGrant;
  /** The feed key has the `backfill` scope. */
  mayBackfill: boolean;
  /** `X-Observed-At` as sent; the gateway has refused it from keys without the scope (403). */
  observedAt: string | null;
  idempotencyKey: string | null;
  /** Whether warnings become refusals; left out: they do not. */
  strict?: boolean;
};

/**
 * The position of an element in the body: its index, its bytes [start, end) as received (inflated), and the SHA-256 of its RFC 8785 form
 * (null: the element is refused).
 */
export type ElementFrame = { index: number; start: number; end: number; sha256: string | null };

/**
 * One element of the push. Refused: for one reason, or for the reasons of all its quotes; with `gameId` set, the event names a game by this
 * id and was refused for a later reason, so it becomes `bad-event` if there is no such game (docs/quotes.md#the-native-event). Accepted:
 * the content of its record, with `sha256` and `record_id` set and without the quotes in `refusals`. Pointers are relative to the element.
 */
export type AdaptedElement =
  | (ElementFrame & { kind: 'refused'; refusals: readonly QuoteRefusal[]; gameId: string | null })
  | (ElementFrame & {
      kind: 'accepted';
      observation: Observation;
      game: GameLookup;
      refusals: readonly QuoteRefusal[];
      warnings: readonly Warning[];
    });

/** A probable mistake in an accepted element; the pointer is relative to the element. */
export type Warning = { pointer: string; code: WarningCode; detail: string };

/** Each refusal becomes a dead letter and an entry of the answer; a push with more is refused whole. */
export const mostRefusals = 20_000;

/** Further warnings of a push are only counted. */
export const mostWarnings = 20_000;

/**
 * `elements` stop after more refusals than a push may have. `malformed`: the body is not a push of this format; the detail names the place.
 * `bytes`: what element positions refer to, if not the body itself. `observedAt`: the body's time for all elements. `warningsMore`:
 * warnings that are counted but not kept with an element.
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
