// Examples of quarter lines with both halves, for bettors to check (docs/settlement.md#team-markets).
import type { Table } from './chapter.ts';

type QuarterLine = {
  readonly market: 'spread' | 'total';
  readonly selection: string;
  /** As a decimal. */
  readonly line: string;
  readonly home: number;
  readonly away: number;
  /** The two half stakes. */
  readonly halves: readonly [string, string];
  readonly result: string;
};

export const quarterLines: readonly QuarterLine[] = [
  {
    market: 'spread',
    selection: 'home',
    line: '-1.25',
    home: 3,
    away: 1,
    halves: ['−1: win', '−1.5: win'],
    result: 'win',
  },
  {
    market: 'spread',
    selection: 'home',
    line: '-1.25',
    home: 2,
    away: 1,
    halves: ['−1: push', '−1.5: loss'],
    result: 'half_loss',
  },
  {
    market: 'spread',
    selection: 'home',
    line: '-0.75',
    home: 2,
    away: 1,
    halves: ['−0.5: win', '−1: push'],
    result: 'half_win',
  },
  {
    market: 'total',
    selection: 'over',
    line: '6.25',
    home: 4,
    away: 2,
    halves: ['6: push', '6.5: loss'],
    result: 'half_loss',
  },
  {
    market: 'total',
    selection: 'under',
    line: '6.25',
    home: 4,
    away: 2,
    halves: ['6: push', '6.5: win'],
    result: 'half_win',
  },
  {
    market: 'total',
    selection: 'over',
    line: '6.25',
    home: 3,
    away: 2,
    halves: ['6: loss', '6.5: loss'],
    result: 'loss',
  },
];

export const quarterLineTable: Table = {
  headings: ['Bet', 'Score home : away', 'Half on …', 'and half on …', '`result`'],
  rows: quarterLines.map(({ market, selection, line, home, away, halves, result }) => [
    `\`${market}\` \`${selection}\` ${line.replace('-', '−')}`,
    `${home} : ${away}`,
    ...halves,
    `\`${result}\``,
  ]),
};
