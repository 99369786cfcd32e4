// Elements of The Odds API v4 as JSON text, valid and invalid.
import {
  badAmericans,
  badDecimals,
  badLines,
  gameWords,
  goodAmericans,
  goodDecimals,
  goodLines,
  instead,
  operatorText,
  placeholders,
  spelled,
  type World,
} from './generate-world.ts';
import type { Random } from './random.ts';
import type { TextTree } from './text-tree.ts';
import { second, writeTime } from './times.ts';

export function oddsApiElement(random: Random, world: World, source: string, decimal: boolean): TextTree {
  if (random.chance(world.hostility / 8)) return random.pick(['7', '{}', '{"id":"a","sport_key":"baseball_mlb"}']);
  const words = gameWords(random, world, source);
  const home = spelled(random, world, words.league, words.home);
  const away = spelled(random, world, words.league, words.away);
  const head = [
    `"id":${instead(random, world, `"${words.eventId}"`, ['""', 'null', '7'])}`,
    `"sport_key":${instead(random, world, `"${words.sport}"`, ['"cricket"', 'null'])}`,
    `"commence_time":${instead(random, world, `"${words.start}"`, ['"soon"', 'null', ...placeholders])}`,
    `"home_team":${instead(random, world, JSON.stringify(home), ['null', '""'])}`,
    `"away_team":${JSON.stringify(away)}`,
  ];
  if (random.chance(world.hostility / 8)) return `{${head.join(',')}}`;
  const bookmakers: TextTree[] = [];
  const count = random.pick([0, 1, 1, 2, 3]);
  for (let index = 0; index < count; index += 1) bookmakers.push(bookmaker(random, world, home, away, decimal));
  return { open: `{${head.join(',')},"bookmakers":[`, items: bookmakers, close: ']}' };
}

function bookmaker(random: Random, world: World, home: string, away: string, decimal: boolean): TextTree {
  if (random.chance(world.hostility / 16)) return random.pick(['7', '{"key":"aa"}', '{"key":"aa","markets":{}}']);
  const key = instead(random, world, operatorText(random, world), ['"b.b"', '""', 'null', '5']);
  const markets: TextTree[] = [];
  const count = random.pick([0, 1, 1, 2, 3]);
  for (let index = 0; index < count; index += 1) markets.push(oddsMarket(random, world, home, away, decimal));
  return { open: `{"key":${key}${lastUpdate(random, world)},"markets":[`, items: markets, close: ']}' };
}

function oddsMarket(random: Random, world: World, home: string, away: string, decimal: boolean): TextTree {
  if (random.chance(world.hostility / 16)) return random.pick(['{"key":"h2h"}', '{"key":"h2h","outcomes":null}']);
  const key = random.pick(world.oddsMarkets);
  const outcomes: TextTree[] = [];
  const count = random.pick([1, 2, 2, 3]);
  for (let index = 0; index < count; index += 1) {
    outcomes.push(outcome(random, world, { key, home, away, decimal }));
  }
  const keyText = instead(random, world, `"${key}"`, ['"x-y"', '"é"', `"${'k'.repeat(63)}"`]);
  return { open: `{"key":${keyText}${lastUpdate(random, world)},"outcomes":[`, items: outcomes, close: ']}' };
}

function lastUpdate(random: Random, world: World): string {
  if (random.chance(0.5)) return '';
  const stamp = `"${writeTime(world.now - random.pick([second, 20n * second]))}"`;
  return `,"last_update":${instead(random, world, stamp, ['"noon"', '5', 'null', ...placeholders])}`;
}

function outcome(
  random: Random,
  world: World,
  market: { key: string; home: string; away: string; decimal: boolean },
): string {
  if (random.chance(world.hostility / 16)) return random.pick(['7', '{}']);
  const names = [
    market.home,
    market.away,
    ...(market.key.startsWith('h2h') ? ['Draw'] : ['Over', 'Under', 'Yes', 'by 1-6']),
  ];
  const members = [`"name":${instead(random, world, JSON.stringify(random.pick(names)), ['""', 'null', '5'])}`];
  if (/team_totals|player|btts/.test(market.key)) {
    const description = random.pick([market.home, market.away, 'Jalen Hurts', 'A/B']);
    members.push(`"description":${instead(random, world, JSON.stringify(description), ['""', 'null', '5'])}`);
  }
  const good = market.decimal ? goodDecimals : goodAmericans;
  const bad = market.decimal ? badDecimals : badAmericans;
  members.push(`"price":${instead(random, world, random.pick(good), [...bad, 'null'])}`);
  if (!market.key.startsWith('h2h') && !random.chance(0.05)) {
    members.push(`"point":${instead(random, world, random.pick(goodLines), badLines)}`);
  }
  return `{${members.join(',')}}`;
}
