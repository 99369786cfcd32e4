// Public game ids (docs/interface.md#game-id): `<LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>` with the Eastern date of the start, and `_2`, `_3` … for
// further games of the same teams and date. Minted once and never changed.
import { leagues } from '../../schemas/reference/leagues.ts';
import { easternDate } from '../time/eastern-date.ts';
import type { Micros } from '../units.ts';

const publicIdForm = new RegExp(
  `^(?:${leagues.join('|')})_[A-Z0-9]{1,12}_[A-Z0-9]{1,12}_[0-9]{8}(?:_(?:[2-9]|[1-9][0-9]{1,3}))?$`,
);

/** Whether `text` has the form of a public game id, upper case. */
export function isPublicId(text: string): boolean {
  return publicIdForm.test(text);
}

/** The id of the first game of these teams (abbreviations) on the Eastern date of `start`. */
export function publicIdBase(league: string, away: string, home: string, start: Micros): string {
  return `${league}_${away}_${home}_${easternDate(start).replaceAll('-', '')}`;
}

/** The id of the `count`th game with this base, counted from 1. */
export function publicIdOf(base: string, count: number): string {
  return count === 1 ? base : `${base}_${count}`;
}

/** The next free id for these teams and date: `base`, `base_2`, `base_3` …, starting behind the `after`th (0: from the beginning). */
export function nextPublicId(
  base: string,
  after: number,
  isTaken: (publicId: string) => boolean,
): { publicId: string; count: number } {
  for (let count = after + 1; ; count += 1) {
    const publicId = publicIdOf(base, count);
    if (!isTaken(publicId)) return { publicId, count };
  }
}
