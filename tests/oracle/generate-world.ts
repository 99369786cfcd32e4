// The small world of a generated sequence: its games, words and numbers, valid and invalid, and the limits of the
// rules.
import type { Team } from './games.ts';
import type { Random } from './random.ts';
import { hour, minute, writeTime } from './times.ts';

export interface World {
  games: number;
  sources: string[];
  /** How often something is invalid. */
  hostility: number;
  firstStart: bigint;
  teams: Team[];
  now: bigint;
  /** Events of the same teams lie at every distance that the resolving rules distinguish. */
  crowded: boolean;
  /** Few words, so that the same selections come again. */
  operators: string[];
  markets: string[];
  oddsMarkets: string[];
}

/** Valid RFC 3339 times that no game and no price has. */
export const placeholders = ['"0001-01-01T00:00:00Z"', '"1969-12-31T23:59:59.999999Z"', '"2200-01-01T00:00:00Z"'];

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
  'player_points_alternate_q1',
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

const crowdedShifts = [
  0n,
  1n,
  3n * hour,
  3n * hour + 1n,
  6n * hour,
  9n * hour,
  12n * hour,
  12n * hour + 1n,
  15n * hour,
  24n * hour,
];

export interface GameWords {
  league: string;
  sport: string;
  home: string;
  away: string;
  eventId: string;
  start: string;
}

/**
 * A reference to one of the world's games: usually the source's own event, sometimes a second event, one with another
 * start or one with swapped teams.
 */
export function gameWords(random: Random, world: World, source: string): GameWords {
  const number = random.integer(world.games);
  const base = leagues[number % leagues.length]!;
  const words: GameWords = { ...base, eventId: `${number}-${source}`, start: writeTime(world.firstStart) };
  const shift = random.chance(0.08) ? random.pick(farShifts) : random.pick(usualShifts);
  words.start = writeTime(world.firstStart + shift);
  if (world.crowded) {
    words.start = writeTime(world.firstStart + random.pick(crowdedShifts));
    words.eventId = `${number}-${source}-${random.integer(3)}`;
    if (random.chance(0.1)) turn(words);
    return words;
  }
  if (random.chance(0.06)) words.eventId = `${number}-${source}-b`;
  if (random.chance(0.03)) turn(words);
  if (random.chance(0.02)) words.away = 'London Monarchs';
  if (random.chance(0.05)) Object.assign(words, leagues[3], { eventId: `n-${source}` });
  return words;
}

/**
 * Swaps the teams and gives the event another id: the page does not say what an event with swapped teams and the same
 * id would be.
 */
function turn(words: GameWords): void {
  [words.home, words.away] = [words.away, words.home];
  words.eventId += '-turned';
}

/** The team under one of its other names. */
export function spelled(random: Random, world: World, league: string, name: string): string {
  const team = world.teams.find((other) => other.league === league && other.name === name);
  if (team === undefined || random.chance(0.8)) return name;
  return random.pick([team.abbreviation, name.toUpperCase(), name.toLowerCase(), ...team.aliases.slice(0, 1)]);
}

export const instead = (random: Random, world: World, usual: string, wrong: readonly string[]): string =>
  random.chance(world.hostility / 4) ? random.pick(wrong) : usual;

export function operatorText(random: Random, world: World): string {
  const code = random.pick(world.operators);
  return `"${random.chance(0.15) ? code.toUpperCase() : code}"`;
}

export const goodAmericans = [
  '-110',
  '-110',
  '-110.0',
  '-1.1e2',
  '-115',
  '100',
  '-100',
  '150',
  '1000000',
  '-101',
  '-640',
  '-3200',
  '-128',
  '-80000',
];
export const badAmericans = [
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
export const goodDecimals = [
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
  '2.005',
  '2.015',
  '1.32',
  '1.064',
];
export const badDecimals = ['1', '1.00005', '0', '-1.5', '10001.00006', '"1.91"', '[]', '1e5'];
export const goodFractions = [
  '"10/11"',
  '"3/2"',
  '"05/04"',
  '"1/1"',
  '"5/4"',
  '"10000/1"',
  '"1/3"',
  '"1/16"',
  '"8/25"',
  '"1/20000"',
];
export const badFractions = ['"5/0"', '"0/1"', '"evens"', '"5.0/4"', '" 5/4"', '1.5', '"10001/1"', '"-5/4"'];

export const goodLines = ['2.5', '2.50', '-2.5', '0', '-0.0', '3', '3.0', '21.5', '0.125', '25e-1', '99999.999'];
export const badLines = ['"2.5"', '0.1234', '100000', '-100000', '[2.5]', 'true', '1e300'];
