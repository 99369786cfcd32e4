// Who a play is and where it stands. The source gives a play neither an id nor a number, so both are pure functions of the body: an
// inserted play moves the ordinals of its own second and no other play (msf.md, State, plays).
import { hash } from 'node:crypto';
import type { League } from '../units.ts';

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

/** Gives the plays of one body their ids, in body order. */
export class PlayIds {
  readonly #occurrences = new Map<string, number>();

  /** `p_` and 26 characters of the SHA-256 of the play's facts and its occurrence among those alike. msf.md, State, plays. */
  next({ league, gameId, period, second, action, players, description }: PlayFacts): string {
    // Of texts and integers JSON.stringify writes what RFC 8785 asks for.
    const open = JSON.stringify([league, gameId, period, second, action, players, description]).slice(0, -1);
    const occurrence = this.#occurrences.get(open) ?? 0;
    this.#occurrences.set(open, occurrence + 1);
    return `p_${base32(hash('sha256', `${open},${occurrence}]`, 'buffer'))}`;
  }
}

/** Where a play stands in its game. msf.md, State, plays. */
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
