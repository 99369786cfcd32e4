// Single elements of the generated pushes, as JSON text: native events and elements of The Odds API, with every spelling
// of a number, every code of a refusal, and the borders of the rules.
import type { Team } from './games.ts';
import type { Random } from './random.ts';
import type { TextTree } from './text-tree.ts';
import { hour, minute, second, writeTime } from './times.ts';

export interface World {
  games: number;
  sources: string[];
  /** How often something is wrong. */
  hostility: number;
  firstStart: bigint;
  teams: Team[];
  now: bigint;
  /** The few words of this sequence, so that the same selections come again. */
  operators: string[];
  markets: string[];
  oddsMarkets: string[];
}

export const allOperators = ['aa', 'bb', 'cc_2'];
export const allMarkets = ['moneyline', 'moneyline', 'spread', 'total', 'team_total', 'player_points', 'x_wide'];
export const allOddsMarkets = [
  'h2h',
  'h2h',
  'h2h',
  'spreads',
  'spreads',
  'totals',
  'alternate_spreads',
  'spreads_alternate',
  'team_totals',
  'totals_q1',
  'totals_1st_5_innings',
  'alternate_totals_q1',
  'player_points',
  'player_points_alternate',
  'h2h_lay',
  'btts',
  'BTTS',
  'spreads_h3',
];

const leagues = [
  { league: 'NFL', sport: 'americanfootball_nfl', home: 'Philadelphia Eagles', away: 'Detroit Lions' },
  { league: 'MLB', sport: 'baseball_mlb', home: 'New York Mets', away: 'Chicago Cubs' },
  { league: 'NBA', sport: 'basketball_nba', home: 'Detroit Pistons', away: 'Philadelphia 76ers' },
  { league: 'NCAAM', sport: 'basketball_ncaab', home: "St. John's", away: 'San José State' },
];

const usualShifts = [0n, 0n, 0n, 0n, 10n * minute, -30n * minute];
const farShifts = [
  3n * hour,
  3n * hour + 1n,
  11n * hour,
  12n * hour,
  12n * hour + 1n,
  -12n * hour,
  26n * hour,
  -7n * hour,
];

interface GameWords {
  league: string;
  sport: string;
  home: string;
  away: string;
  eventId: string;
  start: string;
}

/** A reference to one of the world's games: mostly the source's usual event, sometimes a second one, moved or turned. */
function gameWords(random: Random, world: World, source: string): GameWords {
  const number = random.integer(world.games);
  const base = leagues[number % leagues.length]!;
  const words: GameWords = { ...base, eventId: `${number}-${source}`, start: writeTime(world.firstStart) };
  const shift = random.chance(0.08) ? random.pick(farShifts) : random.pick(usualShifts);
  words.start = writeTime(world.firstStart + shift);
  if (random.chance(0.06)) words.eventId = `${number}-${source}-b`;
  if (random.chance(0.03)) [words.home, words.away] = [words.away, words.home];
  if (random.chance(0.02)) words.away = 'London Monarchs';
  if (random.chance(0.05)) Object.assign(words, leagues[3], { eventId: `n-${source}` });
  return words;
}

/** The team under another of its names. */
function spelled(random: Random, world: World, league: string, name: string): string {
  const team = world.teams.find((other) => other.league === league && other.name === name);
  if (team === undefined || random.chance(0.8)) return name;
  return random.pick([team.abbreviation, name.toUpperCase(), name.toLowerCase(), ...team.aliases.slice(0, 1)]);
}

const instead = (random: Random, world: World, usual: string, wrong: readonly string[]): string =>
  random.chance(world.hostility / 4) ? random.pick(wrong) : usual;

function operatorText(random: Random, world: World): string {
  const code = random.pick(world.operators);
  return `"${random.chance(0.15) ? code.toUpperCase() : code}"`;
}

export function nativeElement(random: Random, world: World, source: string, at: bigint, alone: boolean): TextTree {
  if (random.chance(world.hostility / 8)) return random.pick(['7', '"x"', '[]', '{}', '{"kind":"image"}']);
  const kind = random.pick(['image', 'image', 'image', 'delta', 'delta', 'heartbeat']);
  const members = [`"kind":${instead(random, world, `"${kind}"`, ['"picture"', '7', 'null'])}`];
  const operator = operatorText(random, world);
  members.push(
    `"operator":${instead(random, world, operator, ['"a-a"', '""', 'null', '5', '"ﬂ"', `"${'a'.repeat(33)}"`])}`,
  );
  members.push(`"game":${nativeGame(random, world, source, alone)}`);
  if (random.chance(0.15))
    members.push(`"in_play":${instead(random, world, random.pick(['true', 'false', 'null']), ['"no"', '0'])}`);
  if (random.chance(0.25)) {
    const markets = random.pick(['["moneyline"]', '["spread","total"]', '["x_wide"]', '[]', 'null']);
    members.push(`"markets":${instead(random, world, markets, ['"moneyline"', '{}', '[7]'])}`);
  }
  if (random.chance(0.12)) {
    const time = writeTime(at - random.pick([0n, 1n, second, 30n * second, minute, 12n * minute]));
    const wrong = [
      '"1999-12-31T23:59:59.999999Z"',
      '"noon"',
      `"${writeTime(at + 5n * second + 1n)}"`,
      '12',
      '"2025-11-16T20:00:00"',
    ];
    members.push(
      `"observed_at":${instead(random, world, random.pick([`"${time}"`, `"${writeTime(at + 5n * second)}"`, 'null']), wrong)}`,
    );
  }
  if (random.chance(0.1)) members.push('"note":{"ignored":[1.50,"é",null]}');
  if (kind === 'heartbeat') {
    const quotes = instead(random, world, random.pick(['', '"quotes":[]']), [
      '"quotes":{}',
      '"quotes":[{"market":"x"}]',
    ]);
    return `{${[...members, quotes].filter((part) => part !== '').join(',')}}`;
  }
  if (random.chance(world.hostility / 8)) return `{${members.join(',')},"quotes":${random.pick(['null', '{}', '7'])}}`;
  const quotes: TextTree[] = [];
  const count = random.pick([0, 1, 2, 3, 4, 5, 8]);
  for (let index = 0; index < count; index += 1) quotes.push(nativeQuote(random, world, kind === 'delta'));
  return { open: `{${members.join(',')},"quotes":[`, items: quotes, close: ']}' };
}

function nativeGame(random: Random, world: World, source: string, alone: boolean): string {
  if (random.chance(world.hostility / 4)) {
    return random.pick([
      'null',
      '"e1"',
      '{"league":"NFL","event_id":"e"}',
      '{"game_id":"NFL_NO_GAME_20200101"}',
      '{"game_id":5}',
    ]);
  }
  const words = gameWords(random, world, source);
  // Alone in its push: whether a game that the same push creates is known yet, the page leaves open.
  if (alone && random.chance(0.15)) {
    return random.pick(['{"game_id":"NFL_DET_PHI_20251116"}', '{"game_id":"MLB_CHC_NYM_20251116","league":null}']);
  }
  const members = [
    `"league":${instead(random, world, `"${words.league}"`, ['"XFL"', '""', '7'])}`,
    `"event_id":${instead(random, world, `"${words.eventId}"`, ['""', 'null'])}`,
    `"home_team":${instead(random, world, JSON.stringify(spelled(random, world, words.league, words.home)), ['""', 'null', '5'])}`,
    `"away_team":${JSON.stringify(spelled(random, world, words.league, words.away))}`,
    `"commence_time":${instead(random, world, `"${words.start}"`, ['"soon"', 'null', '"2025-02-30T00:00:00Z"'])}`,
  ];
  return `{${members.join(',')}}`;
}

const goodAmericans = ['-110', '-110', '-110.0', '-1.1e2', '-115', '100', '-100', '150', '1000000', '-101'];
const badAmericans = [
  '99',
  '-99',
  '0',
  '110.5',
  '1000001',
  '"-110"',
  'true',
  '-1000001',
  '1e-3',
  '-110.00000000000000000001',
];
const goodDecimals = [
  '1.91',
  '1.9100',
  '2',
  '2.5',
  '2.50',
  '1.95005',
  '1.00015',
  '10001.00005',
  '2.00005000000000000000001',
  '1.9091',
];
const badDecimals = ['1', '1.00005', '0', '-1.5', '10001.00006', '"1.91"', '[]', '1e5'];
const goodFractions = ['"10/11"', '"3/2"', '"05/04"', '"1/1"', '"5/4"', '"10000/1"'];
const badFractions = ['"5/0"', '"0/1"', '"evens"', '"5.0/4"', '" 5/4"', '1.5', '"10001/1"', '"-5/4"'];

function priceText(random: Random, world: World): string {
  if (random.chance(world.hostility / 3)) {
    return random.pick([
      `{"american":${random.pick(badAmericans)},"decimal":1.91}`,
      `{"decimal":${random.pick(badDecimals)}}`,
      `{"fractional":${random.pick(badFractions)}}`,
      '{}',
      'null',
      '"-110"',
    ]);
  }
  return random.pick([
    `{"american":${random.pick(goodAmericans)}}`,
    `{"american":${random.pick(goodAmericans)}}`,
    `{"american":${random.pick(goodAmericans)},"decimal":3,"fractional":"x"}`,
    `{"american":null,"decimal":${random.pick(goodDecimals)}}`,
    `{"decimal":${random.pick(goodDecimals)},"fractional":"9/1"}`,
    `{"fractional":${random.pick(goodFractions)}}`,
  ]);
}

const goodLines = ['2.5', '2.50', '-2.5', '0', '-0.0', '3', '3.0', '21.5', '0.125', '25e-1', '99999.999'];
const badLines = ['"2.5"', '0.1234', '100000', '-100000', '[2.5]', 'true', '1e300'];

function nativeQuote(random: Random, world: World, delta: boolean): string {
  if (random.chance(world.hostility / 12)) return random.pick(['7', '"x"', '{}', '[]']);
  const market = random.pick(world.markets);
  const selection = random.pick(['"home"', '"away"', '"draw"', '"a/b %"', '"é\\u007f\\t"']);
  const members = [
    `"market":${instead(random, world, `"${market}"`, ['"Moneyline"', 'null', '7', '"x-a"', `"${'m'.repeat(65)}"`])}`,
    `"selection":${instead(random, world, random.chance(0.93) ? random.pick(['"home"', '"away"']) : selection, ['""', 'null', '5'])}`,
  ];
  if (random.chance(0.15))
    members.push(`"period":${instead(random, world, random.pick(['"q1"', '"full"', 'null']), ['"H 1"', '""', '1'])}`);
  const needsLine = market !== 'moneyline' && market !== 'x_wide';
  if (needsLine ? !random.chance(0.1) : random.chance(0.05)) {
    members.push(`"line":${instead(random, world, random.pick(goodLines), badLines)}`);
  }
  if (random.chance(needsLine ? 0.25 : 0.03))
    members.push(`"alternate":${instead(random, world, random.pick(['true', 'true', 'false', 'null']), ['"yes"'])}`);
  if (market === 'player_points' ? !random.chance(0.1) : random.chance(0.03)) {
    members.push(`"player":${instead(random, world, random.pick(['"Jalen Hurts"', '"A/B"', 'null']), ['""', '5'])}`);
  }
  if (random.chance(0.08)) {
    members.push(
      `"player_id":${random.pick(['"0f8fad5b-d9cb-469f-a165-70867728950e"', '"7c9e6679-7425-40de-944b-e07fc1f90ae7"', 'null'])}`,
    );
  }
  if (random.chance(delta ? 0.35 : 0.15)) {
    const states = delta ? ['"withdrawn"', '"suspended"', '"open"'] : ['"suspended"', '"open"', 'null'];
    members.push(`"state":${instead(random, world, random.pick(states), ['"closed"', '5', '"withdrawn"'])}`);
  }
  if (!random.chance(0.08)) members.push(`"price":${priceText(random, world)}`);
  if (random.chance(0.2)) {
    const stamp = `"${writeTime(world.now - random.pick([0n, second, minute]))}"`;
    members.push(`"source_timestamp":${instead(random, world, stamp, ['"noon"', '12', '"2025-13-01T00:00:00Z"'])}`);
  }
  return `{${members.join(',')}}`;
}

export function oddsApiElement(random: Random, world: World, source: string, decimal: boolean): TextTree {
  if (random.chance(world.hostility / 8)) return random.pick(['7', '{}', '{"id":"a","sport_key":"baseball_mlb"}']);
  const words = gameWords(random, world, source);
  const home = spelled(random, world, words.league, words.home);
  const away = spelled(random, world, words.league, words.away);
  const head = [
    `"id":${instead(random, world, `"${words.eventId}"`, ['""', 'null', '7'])}`,
    `"sport_key":${instead(random, world, `"${words.sport}"`, ['"cricket"', 'null'])}`,
    `"commence_time":${instead(random, world, `"${words.start}"`, ['"soon"', 'null'])}`,
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
  return `,"last_update":${instead(random, world, stamp, ['"noon"', '5', 'null'])}`;
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
