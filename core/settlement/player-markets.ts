// The player markets of each sport, as a table: the statistics on which each is graded (docs/settlement.md#player-markets), and those that
// show whether its player played (docs/settlement.md#did-not-play). core/settlement/grade-player-market.ts grades them.
import { type League, leagueTable, type Sport } from '../../schemas/reference/leagues.ts';

export type PlayerMarket = {
  readonly value: MarketValue;
  readonly playedBy: PlayedBy;
  /** Whether the value never falls during a game. */
  readonly onlyRises: boolean;
};

/** Which statistics of a player show that a bet counts: seconds played, turns at bat, those of a pitcher, or any at all. */
export type PlayedBy = 'minutes' | 'batting' | 'pitching' | 'any';

/** How a market's value is computed from a player's statistics. */
export type MarketValue =
  /** `plus` minus `minus`, each of which some player of the game must have; plus those of `also` that some player has. */
  | {
      readonly kind: 'sum';
      readonly plus: readonly string[];
      readonly minus: readonly string[];
      readonly also: readonly string[];
    }
  /** 1 if at least `count` of these are ten or more, else 0. */
  | { readonly kind: 'tens'; readonly of: readonly string[]; readonly count: number }
  /** Innings pitched, counted in outs. */
  | { readonly kind: 'outs'; readonly of: string };

const sum = (...plus: readonly string[]): MarketValue => ({ kind: 'sum', plus, minus: [], also: [] });

const points = 'offense.pts';
const rebounds = 'rebounds.reb';
const assists = 'offense.ast';
const steals = 'defense.stl';
const blocks = 'defense.blk';
const fiveOfBasketball = [points, rebounds, assists, steals, blocks];

const basketball: Readonly<Record<string, MarketValue>> = {
  player_points: sum(points),
  player_rebounds: sum(rebounds),
  player_assists: sum(assists),
  player_threes: sum('fieldGoals.fg3PtMade'),
  player_steals: sum(steals),
  player_blocks: sum(blocks),
  player_turnovers: sum('defense.tov'),
  player_points_rebounds_assists: sum(points, rebounds, assists),
  player_points_rebounds: sum(points, rebounds),
  player_points_assists: sum(points, assists),
  player_rebounds_assists: sum(rebounds, assists),
  player_blocks_steals: sum(blocks, steals),
  player_double_double: { kind: 'tens', of: fiveOfBasketball, count: 2 },
  player_triple_double: { kind: 'tens', of: fiveOfBasketball, count: 3 },
};

const passYards = 'passing.passYards';
const rushYards = 'rushing.rushYards';
const receptionYards = 'receiving.recYards';
/** Can be lost again. */
const yards: ReadonlySet<string> = new Set([passYards, rushYards, receptionYards]);
const soloTackles = 'tackles.tackleSolo';

const football: Readonly<Record<string, MarketValue>> = {
  player_pass_yds: sum(passYards),
  player_pass_tds: sum('passing.passTD'),
  player_pass_completions: sum('passing.passCompletions'),
  player_pass_attempts: sum('passing.passAttempts'),
  player_pass_interceptions: sum('passing.passInt'),
  player_pass_longest_completion: sum('passing.passLng'),
  player_rush_yds: sum(rushYards),
  player_rush_attempts: sum('rushing.rushAttempts'),
  player_rush_tds: sum('rushing.rushTD'),
  player_rush_longest: sum('rushing.rushLng'),
  player_reception_yds: sum(receptionYards),
  player_receptions: sum('receiving.receptions'),
  player_reception_tds: sum('receiving.recTD'),
  player_reception_longest: sum('receiving.recLng'),
  player_pass_rush_yds: sum(passYards, rushYards),
  player_rush_reception_yds: sum(rushYards, receptionYards),
  player_pass_rush_reception_yds: sum(passYards, rushYards, receptionYards),
  player_sacks: sum('tackles.sacks'),
  player_solo_tackles: sum(soloTackles),
  player_tackles_assists: sum(soloTackles, 'tackles.tackleAst'),
  player_anytime_td: {
    kind: 'sum',
    plus: ['rushing.rushTD', 'receiving.recTD'],
    minus: [],
    also: ['kickoffReturns.krTD', 'puntReturns.prTD', 'interceptions.intTD', 'fumbles.fumTD'],
  },
};

const hits = 'batting.hits';
const doubles = 'batting.secondBaseHits';
const triples = 'batting.thirdBaseHits';
const homeRuns = 'batting.homeruns';
const runs = 'batting.runs';
const runsBattedIn = 'batting.runsBattedIn';

const batters: Readonly<Record<string, MarketValue>> = {
  batter_hits: sum(hits),
  batter_home_runs: sum(homeRuns),
  batter_total_bases: sum('batting.totalBases'),
  batter_rbis: sum(runsBattedIn),
  batter_runs_scored: sum(runs),
  batter_hits_runs_rbis: sum(hits, runs, runsBattedIn),
  batter_doubles: sum(doubles),
  batter_triples: sum(triples),
  batter_singles: { kind: 'sum', plus: [hits], minus: [doubles, triples, homeRuns], also: [] },
  batter_walks: sum('batting.batterWalks'),
  batter_strikeouts: sum('batting.batterStrikeouts'),
  batter_stolen_bases: sum('batting.stolenBases'),
};

const pitchers: Readonly<Record<string, MarketValue>> = {
  pitcher_strikeouts: sum('pitching.pitcherStrikeouts'),
  pitcher_hits_allowed: sum('pitching.hitsAllowed'),
  pitcher_walks: sum('pitching.pitcherWalks'),
  pitcher_earned_runs: sum('pitching.earnedRunsAllowed'),
  pitcher_outs: { kind: 'outs', of: 'pitching.inningsPitched' },
  pitcher_record_a_win: sum('pitching.wins'),
};

const hockey: Readonly<Record<string, MarketValue>> = {
  player_goals: sum('scoring.goals'),
  player_goal_scorer_anytime: sum('scoring.goals'),
  player_assists: sum('scoring.assists'),
  player_points: sum('scoring.points'),
  player_shots_on_goal: sum('skating.shots'),
  player_blocked_shots: sum('skating.blockedShots'),
  player_total_saves: sum('goaltending.saves'),
};

const markets: Readonly<Record<Sport, ReadonlyMap<string, PlayerMarket>>> = {
  basketball: new Map(marketsOf('minutes', basketball)),
  'american football': new Map(marketsOf('any', football)),
  baseball: new Map([...marketsOf('batting', batters), ...marketsOf('pitching', pitchers)]),
  'ice hockey': new Map(marketsOf('any', hockey)),
};

function marketsOf(playedBy: PlayedBy, values: Readonly<Record<string, MarketValue>>): [string, PlayerMarket][] {
  return Object.entries(values).map(([market, value]) => [
    market,
    { value, playedBy, onlyRises: value.kind !== 'sum' || !value.plus.some((stat) => yards.has(stat)) },
  ]);
}

/** The player markets of a sport, by name. */
export function playerMarketsOf(sport: Sport): ReadonlyMap<string, PlayerMarket> {
  return markets[sport];
}

/** How a market of this league is graded; undefined if the league has no such player market. */
export function playerMarketOf(league: League, market: string): PlayerMarket | undefined {
  return markets[leagueTable[league].sport].get(market);
}

/** The selections of all player markets. */
export const playerSelections: ReadonlySet<string> = new Set(['over', 'under', 'yes', 'no']);
