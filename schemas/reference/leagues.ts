// The one table of leagues (docs/interface.md#leagues): all facts about each, except its teams (teams.ts) and how the demo plays it
// (ops/demo/demo-leagues.ts). Types, lists, forms and prose are derived from it. Rules about sports or parts of games are written where
// they apply, in terms of `sport` or `part`, so that another league of a known sport needs no new rule.

/** In the order in which the documents describe them. */
export const sports = ['basketball', 'american football', 'baseball', 'ice hockey'] as const;
export type Sport = (typeof sports)[number];

export type GamePart = 'quarter' | 'half' | 'period' | 'inning';

/** The regular parts of a game. `seconds`: the length of one, and of an overtime; null if it is not timed by a clock. */
type Regulation = {
  readonly part: GamePart;
  readonly parts: number;
  readonly seconds: number | null;
  readonly overtimeSeconds: number | null;
};

export type LeagueFacts = {
  readonly name: string;
  readonly sport: Sport;
  readonly regulation: Regulation;
  /** `listed`: the teams of teams.ts; `appearing`: a team is created when a source first names it. */
  readonly teams: 'listed' | 'appearing';
  /** Its `sport_key` in The Odds API. */
  readonly oddsApi: string;
  /** Its name in paths of MySportsFeeds; null if the poller has nothing to request for it. */
  readonly mySportsFeeds: string | null;
};

/** By league code. The order is that of every list of leagues but `GET /v1/leagues`, which is by code. */
export const leagueTable = {
  MLB: {
    name: 'Major League Baseball',
    sport: 'baseball',
    regulation: { part: 'inning', parts: 9, seconds: null, overtimeSeconds: null },
    teams: 'listed',
    oddsApi: 'baseball_mlb',
    mySportsFeeds: 'mlb',
  },
  NBA: {
    name: 'National Basketball Association',
    sport: 'basketball',
    regulation: { part: 'quarter', parts: 4, seconds: 720, overtimeSeconds: 300 },
    teams: 'listed',
    oddsApi: 'basketball_nba',
    mySportsFeeds: 'nba',
  },
  NHL: {
    name: 'National Hockey League',
    sport: 'ice hockey',
    regulation: { part: 'period', parts: 3, seconds: 1_200, overtimeSeconds: null },
    teams: 'listed',
    oddsApi: 'icehockey_nhl',
    mySportsFeeds: 'nhl',
  },
  NFL: {
    name: 'National Football League',
    sport: 'american football',
    regulation: { part: 'quarter', parts: 4, seconds: 900, overtimeSeconds: null },
    teams: 'listed',
    oddsApi: 'americanfootball_nfl',
    mySportsFeeds: 'nfl',
  },
  NCAAM: {
    name: "NCAA Division I Men's Basketball",
    sport: 'basketball',
    regulation: { part: 'half', parts: 2, seconds: 1_200, overtimeSeconds: 300 },
    teams: 'appearing',
    oddsApi: 'basketball_ncaab',
    mySportsFeeds: null,
  },
} as const satisfies Readonly<Record<Uppercase<string>, LeagueFacts>>;

export type League = keyof typeof leagueTable;

/** The leagues whose `Fact` has this `Value`. */
export type LeagueWith<Fact extends keyof LeagueFacts, Value> = {
  [Code in League]: (typeof leagueTable)[Code][Fact] extends Value ? Code : never;
}[League];

export const leagues = Object.keys(leagueTable) as [League, ...League[]];

export function leaguesOf(sport: Sport): League[] {
  return leagues.filter((league) => leagueTable[league].sport === sport);
}

const lengths = leagues.map(({ length }) => length);

/** The form of a league code in any case, as part of a regular expression. */
export const anyCaseCode = `[A-Za-z]{${Math.min(...lengths)},${Math.max(...lengths)}}`;

/** `NBA`; `NBA and NFL`; `MLB, NBA and NFL`. */
export function inWords(codes: readonly string[], last: 'and' | 'or'): string {
  return codes.length < 2 ? codes.join() : `${codes.slice(0, -1).join(', ')} ${last} ${codes.at(-1)}`;
}
