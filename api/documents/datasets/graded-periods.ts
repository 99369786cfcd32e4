// Which part of the game each period is, league by league, in words. What a period takes in is the grader's own rule; only the words are here.
import { type Span, spanOf } from '../../../core/settlement/period-scores.ts';
import { type League, leagues } from '../../../core/units.ts';
import { codes, type Table } from './chapter.ts';

/** Periods that are said in one line, because each is what its number says. */
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

const wordOf: Readonly<Record<League, string>> = {
  NBA: 'quarter',
  NFL: 'quarter',
  NCAAM: 'half',
  NHL: 'period',
  MLB: 'inning',
};

const plurals: Readonly<Record<string, string>> = { half: 'halves' };

export const periodTable: Table = {
  heads: ['Period', ...leagues],
  rows: lines.map((names) => [shownNames(names), ...leagues.map((league) => partOfGame(league, names))]),
};

function shownNames(names: readonly string[]): string {
  if (names[0] === 'inning_1') return `${codes(names)} …`;
  return names.length > 1 ? `\`${names[0]}\` … \`${names.at(-1)}\`` : codes(names);
}

function partOfGame(league: League, names: readonly string[]): string {
  const span = spanOf(league, names[0] as string);
  if (span === null) return '–';
  return names.length > 1 ? `that ${wordOf[league]} alone` : inWords(span, wordOf[league]);
}

function inWords(span: Span, word: string): string {
  if (span === 'full') return 'the final score';
  const { first, last } = span;
  if (first === last) return `${word} ${first}`;
  const words = plurals[word] ?? `${word}s`;
  if (last === Number.POSITIVE_INFINITY) return `from ${word} ${first} on, with overtime`;
  return `${words} ${first} ${last === first + 1 ? 'and' : 'to'} ${last}`;
}
