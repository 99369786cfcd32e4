// Describes which part of a game each period is, by league. The grader decides what a period covers; this file only has the words.
import { type PeriodSpan, spanOf } from '../../../core/settlement/period-scores.ts';
import { type GamePart, inWords, type League, leagues, leagueTable } from '../../../schemas/reference/leagues.ts';
import { codes, type Table } from './chapter.ts';

/** Periods described together in one line, because each is what its number says. */
const lines: readonly (readonly string[])[] = [
  ['full'],
  ['regulation'],
  ['first_half'],
  ['second_half'],
  ['q1', 'q2', 'q3', 'q4'],
  ['p1', 'p2', 'p3'],
  ['inning_1', 'inning_2', 'inning_3'],
  ['first_five_innings'],
  ['last_four_innings'],
];

const plurals: Readonly<Record<GamePart, string>> = {
  quarter: 'quarters',
  half: 'halves',
  period: 'periods',
  inning: 'innings',
};

export const periodTable: Table = {
  headings: ['Period', ...leagues],
  rows: lines.map((names) => [shownNames(names), ...leagues.map((league) => partOfGame(league, names))]),
};

function shownNames(names: readonly string[]): string {
  if (names[0] === 'inning_1') return `${codes(names)} …`;
  return names.length > 1 ? `\`${names[0]}\` … \`${names.at(-1)}\`` : codes(names);
}

function partOfGame(league: League, names: readonly string[]): string {
  const span = spanOf(league, names[0] as string);
  if (span === null) return '–';
  const { part } = leagueTable[league].regulation;
  return names.length > 1 ? `that ${part} alone` : spanInWords(span, part);
}

function spanInWords(span: PeriodSpan, part: GamePart): string {
  if (span === 'full') return 'the final score';
  const { first, last } = span;
  if (first === last) return `${part} ${first}`;
  if (last === Number.POSITIVE_INFINITY) return `from ${part} ${first} on, with overtime`;
  return `${plurals[part]} ${first} ${last === first + 1 ? 'and' : 'to'} ${last}`;
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The number of regular parts of a game: `three periods in NHL, …`. */
export function regularParts(): string {
  const byParts = Map.groupBy(leagues, (league) => {
    const { part, parts } = leagueTable[league].regulation;
    return `${numbers[parts] ?? parts} ${plurals[part]}`;
  });
  return [...byParts].map(([parts, own]) => `${parts} in ${inWords(own, 'and')}`).join(', ');
}
