// Who a play is and where it stands. The source gives a play neither an id nor a number, so both are pure functions of the body: an
// inserted play moves the ordinals of its own second and no other play (docs/revisions.md#plays).
import { hash } from 'node:crypto';
import type { League } from '../../../schemas/reference/leagues.ts';

/** What tells plays apart; `second` is null where the source gives none. */
export type PlayFacts = {
  league: League;
  gameId: number;
  period: number;
  second: number | null;
  action: string;
  /** Source ids, ascending. */
  players: readonly number[];
  description: string;
};

const idLength = 26;
const bitsOfLetter = 5;
const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** What tells a play from all but those alike, open at its end for its occurrence among those. */
export function playName({ league, gameId, period, second, action, players, description }: PlayFacts): string {
  // Of texts and integers JSON.stringify writes what RFC 8785 asks for.
  return JSON.stringify([league, gameId, period, second, action, players, description]).slice(0, -1);
}

/** `p_` and 26 characters of the SHA-256 of the play's facts and its occurrence among those alike. docs/revisions.md#plays. */
export function playIdOf(name: string, occurrence: number): string {
  return `p_${base32(hash('sha256', `${name},${occurrence}]`, 'buffer'))}`;
}

/** Counts the plays of one body that are alike, in body order. */
export class Occurrences {
  readonly #counts = new Map<string, number>();

  /** How many of this name came before. */
  next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }
}

/** Where a play stands in its game. docs/revisions.md#plays. */
export function sequenceOf(place: { period: number; second: number; ordinal: number }): number {
  return place.period * 100_000_000 + place.second * 1_000 + place.ordinal;
}

/** The first characters of RFC 4648 base32, in lower case. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (let at = 0; text.length < idLength; at += 1) {
    held = ((held << 8) | (bytes[at] as number)) & 0xfff;
    for (bits += 8; bits >= bitsOfLetter && text.length < idLength; bits -= bitsOfLetter) {
      text += letters[(held >> (bits - bitsOfLetter)) & 31];
    }
  }
  return text;
}
