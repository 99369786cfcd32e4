// Public game ids (decisions.md 1): `<LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>`, the Eastern date of the start, `_2`, `_3` … for
// further games of the same teams and date. Minted once; nothing here ever changes an id.
import { easternDate } from '../time/eastern-date.ts';
import type { Micros } from '../units.ts';

const publicIdForm = /^(MLB|NBA|NHL|NFL|NCAAM)_[A-Z0-9]{1,12}_[A-Z0-9]{1,12}_[0-9]{8}(?:_(?:[2-9]|[1-9][0-9]{1,3}))?$/;

/** Whether `text` has the form of a public game id, upper case. */
export function isPublicId(text: string): boolean {
  return publicIdForm.test(text);
}

/** The id of the first game of these teams (abbreviations) on the Eastern date of `start`. */
export function publicIdBase(league: string, away: string, home: string, start: Micros): string {
  return `${league}_${away}_${home}_${easternDate(start).replaceAll('-', '')}`;
}

/** `base`, or the first of `base_2`, `base_3` … that is not taken. */
export function nextPublicId(base: string, isTaken: (publicId: string) => boolean): string {
  if (!isTaken(base)) return base;
  let count = 2;
  while (isTaken(`${base}_${count}`)) count += 1;
  return `${base}_${count}`;
}
