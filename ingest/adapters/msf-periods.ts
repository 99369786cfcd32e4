// The periods of MySportsFeeds' game lines, which it calls segments (docs/quotes.md#game-lines-of-mysportsfeeds).
import { isMarketName } from '../../core/quotes/name-forms.ts';

/** The ninth inning has two spellings. */
const innings = ['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'FIFTH', 'SIXTH', 'SEVENTH', 'EIGHTH', 'NINTH'];

const periods: ReadonlyMap<string, string> = new Map([
  ['FULL', 'full'],
  ['FIRST_HALF', 'first_half'],
  ['SECOND_HALF', 'second_half'],
  ...['FIRST', 'SECOND', 'THIRD', 'FOURTH'].map((nth, at) => [`${nth}_QUARTER`, `q${at + 1}`] as const),
  ...['FIRST', 'SECOND', 'THIRD'].map((nth, at) => [`${nth}_PERIOD`, `p${at + 1}`] as const),
  ...innings.map((nth, at) => [`${nth}_INNING`, `inning_${at + 1}`] as const),
  ['NINETH_INNING', 'inning_9'],
  ['FIRST_FIVE_INNINGS', 'first_five_innings'],
  ['LAST_FOUR_INNINGS', 'last_four_innings'],
  ['REGULATION_ONLY', 'regulation'],
]);

/** The period of a segment; an unknown segment keeps its name, in lower case. Null: the name cannot be a period. */
export function periodOfSegment(segment: string): string | null {
  const period = periods.get(segment) ?? segment.toLowerCase();
  return isMarketName(period) ? period : null;
}
