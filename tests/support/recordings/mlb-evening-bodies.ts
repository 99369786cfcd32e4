// The evening's games as a feed operator would push them: MSF `games` bodies, and native quotes of one more sportsbook,
// `HOUSE`, on markets that the recording lacks (parts of games, quarter lines, players). Its quotes are suspended and
// withdrawn before play, and say when play begins.
import type { JsonObject } from '../../../core/json/value.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import type { Micros } from '../../../core/units.ts';
import { bodyOf, gameObject, msfTeam } from '../builders/msf-bodies.ts';
import { type EveningFacts, type EveningGame, eveningTime } from './mlb-evening.ts';

const words = {
  SCHEDULED: { playedStatus: 'UNPLAYED', scheduleStatus: 'NORMAL' },
  DELAYED: { playedStatus: 'UNPLAYED', scheduleStatus: 'DELAYED' },
  STARTED: { playedStatus: 'LIVE', scheduleStatus: 'NORMAL' },
  COMPLETED: { playedStatus: 'COMPLETED', scheduleStatus: 'NORMAL' },
} as const;

/** A `games` body about these games. */
export function gamesBody(at: Micros, games: readonly { game: EveningGame; facts: EveningFacts }[]): JsonObject {
  return {
    ...bodyOf({
      games: games.map(({ game, facts }) => ({ schedule: scheduleOf(game, facts), score: scoreOf(game, facts) })),
    }),
    lastUpdatedOn: formatMicros(at),
  };
}

function scheduleOf({ id, msfGameId }: EveningGame, { status, start }: EveningFacts): JsonObject {
  const [, away, home] = id.split('_') as [string, string, string];
  const teams = { awayTeam: msfTeam(2 * msfGameId, away), homeTeam: msfTeam(2 * msfGameId + 1, home) };
  return gameObject({ id: msfGameId, startTime: formatMicros(start), ...teams, ...words[status] });
}

function scoreOf({ away, home }: EveningGame, { status }: EveningFacts): JsonObject {
  const nothing = {
    currentInning: null,
    currentInningHalf: null,
    awayScoreTotal: null,
    homeScoreTotal: null,
    innings: [],
  };
  if (status === 'STARTED')
    return { ...nothing, currentInning: 1, currentInningHalf: 'TOP', awayScoreTotal: 0, homeScoreTotal: 0 };
  if (status !== 'COMPLETED') return nothing;
  return {
    ...nothing,
    awayScoreTotal: sum(away),
    homeScoreTotal: sum(home),
    innings: away.map((runs, index) => ({ inningNumber: index + 1, awayScore: runs, homeScore: home[index] ?? null })),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

type Quote = { market: string; period?: string; selection: string; line?: number; player?: string; alternate?: true };

const houseQuotes: readonly Quote[] = [
  { market: 'moneyline', selection: 'home' },
  { market: 'moneyline', selection: 'away' },
  { market: 'moneyline', period: 'first_five_innings', selection: 'home' },
  { market: 'moneyline', period: 'first_five_innings', selection: 'away' },
  { market: 'moneyline', period: 'first_five_innings', selection: 'draw' },
  { market: 'moneyline', period: 'inning_1', selection: 'home' },
  { market: 'spread', selection: 'home', line: -0.75, alternate: true },
  { market: 'spread', selection: 'away', line: 0.75, alternate: true },
  { market: 'total', selection: 'over', line: 7.25, alternate: true },
  { market: 'total', selection: 'under', line: 7.25, alternate: true },
  { market: 'total', period: 'first_five_innings', selection: 'over', line: 4.5 },
  { market: 'total', period: 'first_five_innings', selection: 'under', line: 4.5 },
  { market: 'total', period: 'inning_1', selection: 'over', line: 0.5 },
  { market: 'total', period: 'inning_10', selection: 'over', line: 0.5 },
  { market: 'total', period: 'q1', selection: 'over', line: 0.5 },
  { market: 'total', period: 'last_four_innings', selection: 'under', line: 3 },
  { market: 'team_total', selection: 'home_over', line: 2.5 },
  { market: 'team_total', selection: 'away_under', line: 3.5 },
  { market: 'team_total', selection: 'away_even', line: 3.5 },
  { market: 'batter_hits', selection: 'over', line: 0.5, player: 'Pat Doe' },
  { market: 'pitcher_record_a_win', selection: 'yes', player: 'Pat Doe' },
  { market: 'x_first_to_score', selection: 'The visitors' },
];

/** A push of `house` with the native events of one game. */
export type HousePush = { at: Micros; body: { events: JsonObject[] } };

const price = (american: number) => (quote: Quote) => ({ ...quote, price: { american }, state: 'open' });
const named = (period: string | undefined, selection: string) => (quote: Quote) =>
  quote.period === period && quote.selection === selection;

function push(at: string, id: string, event: JsonObject): HousePush {
  return { at: eveningTime(at), body: { events: [{ operator: 'house', game: { game_id: `MLB_${id}` }, ...event }] } };
}

function image(quotes: readonly JsonObject[], inPlay = false): JsonObject {
  return { kind: 'image', in_play: inPlay, quotes: [...quotes] };
}

const inningOver = houseQuotes.filter(named('inning_1', 'over'));
const homeOver = houseQuotes.filter(named(undefined, 'home_over'));

export const housePushes: readonly HousePush[] = [
  push('05T22:30', 'ATH_CIN_20260805', image(houseQuotes.map(price(-110)))),
  // A suspended quote keeps its line and price.
  push(
    '05T22:41',
    'ATH_CIN_20260805',
    image(
      houseQuotes.map((quote) => ({ ...price(-110)(quote), state: inningOver.includes(quote) ? 'suspended' : 'open' })),
    ),
  ),
  push('05T22:43:10', 'ATH_CIN_20260805', image(houseQuotes.map(price(-125)), true)),
  push('05T23:30', 'PIT_MIL_20260805', image(houseQuotes.map(price(105)))),
  push('06T01:10', 'DET_SEA_20260805', image(houseQuotes.map(price(-102)))),
  // 22 and 7 minutes before play.
  push('06T01:20', 'DET_SEA_20260805', {
    kind: 'delta',
    quotes: homeOver.map((quote) => ({ ...quote, state: 'withdrawn' })),
  }),
  push('06T01:35', 'DET_SEA_20260805', {
    kind: 'delta',
    quotes: inningOver.map((quote) => ({ ...quote, state: 'withdrawn' })),
  }),
];
