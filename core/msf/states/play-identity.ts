// The id of a play and its place in the game. The source gives neither, so both are pure functions of the body: an inserted play changes
// the ordinals of its own second and no other play (docs/revisions.md#plays).
import { hash } from 'node:crypto';
import type { League } from '../../../schemas/reference/leagues.ts';

/** The facts that distinguish plays; `second` is null if the source gives none. */
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

/** The same text for plays with the same facts. Left open at its end for the occurrence among them. */
export function playName({ league, gameId, period, second, action, players, description }: PlayFacts): string {
  // For strings and integers, JSON.stringify writes what RFC 8785 requires.
  return JSON.stringify([league, gameId, period, second, action, players, description]).slice(0, -1);
}

/**
 * `p_` and 26 characters of the SHA-256 of the play's facts and its occurrence among plays with the same facts. docs/revisions.md#plays.
 */
export function playIdOf(name: string, occurrence: number): string {
  return `p_${base32(hash('sha256', `${name},${occurrence}]`, 'buffer'))}`;
}

/** Counts the plays of one body that have the same facts, in body order. */
export class Occurrences {
  readonly #counts = new Map<string, number>();

  /** How many of this name came before. */
  next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }
}

/** The place of a play in its game, as a number. docs/revisions.md#plays. */
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
