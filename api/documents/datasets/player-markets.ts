// What each player market counts, by sport, generated from the grader's table (core/settlement/player-markets.ts).
import { type MarketValue, playerMarketsOf } from '../../../core/settlement/player-markets.ts';
import { inWords, leaguesOf, sports } from '../../../schemas/reference/leagues.ts';
import type { Block } from './chapter.ts';
import { statisticWords } from './statistic-words.ts';

/** A table per sport, with the market in the first column. */
export const playerMarketTables: readonly Block[] = sports.map((sport) => ({
  headings: [inWords(leaguesOf(sport), 'and'), 'Counts', 'Statistics of `player-stats`'],
  rows: [...playerMarketsOf(sport)].map(([market, { value }]) => [`\`${market}\``, counted(value), statistics(value)]),
}));

function counted(market: MarketValue): string {
  switch (market.kind) {
    case 'sum': {
      const also = market.also.length === 0 ? '' : `, and where the game has them ${words(market.also, ' + ')}`;
      const less = market.minus.map((stat) => ` − ${wordOf(stat)}`).join('');
      return `${words(market.plus, ' + ')}${less}${also}`;
    }
    case 'tens':
      return `1 where at least ${market.count} of these are 10 or more, else 0: ${words(market.of, ', ')}`;
    case 'outs':
      return 'innings pitched, counted in outs: 6.2 innings are 20';
  }
}

function statistics(market: MarketValue): string {
  const names = market.kind === 'sum' ? [...market.plus, ...market.minus, ...market.also] : [market.of].flat();
  return names.map((name) => `\`${name}\``).join(', ');
}

function words(stats: readonly string[], between: string): string {
  return stats.map(wordOf).join(between);
}

function wordOf(stat: string): string {
  return statisticWords[stat] ?? stat;
}
