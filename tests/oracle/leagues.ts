// A second table of the leagues of docs/interface.md#leagues, for the oracles and generators, without imports from the
// product. tests/schemas/reference/leagues.unit.test.ts compares the two tables.

export type OracleLeague = {
  sport: 'baseball' | 'basketball' | 'football' | 'hockey';
  part: 'quarter' | 'half' | 'period' | 'inning';
  regular: number;
  seconds: number | null;
  overtime: number | null;
  /** Its teams are created when they are first named. */
  appear: boolean;
  sportKey: string;
};

const quarters = { part: 'quarter', regular: 4, appear: false } as const;

export const leaguesSaid: Readonly<Record<string, OracleLeague>> = {
  MLB: {
    sport: 'baseball',
    part: 'inning',
    regular: 9,
    seconds: null,
    overtime: null,
    appear: false,
    sportKey: 'baseball_mlb',
  },
  NBA: { ...quarters, sport: 'basketball', seconds: 720, overtime: 300, sportKey: 'basketball_nba' },
  NHL: {
    sport: 'hockey',
    part: 'period',
    regular: 3,
    seconds: 1_200,
    overtime: null,
    appear: false,
    sportKey: 'icehockey_nhl',
  },
  NFL: { ...quarters, sport: 'football', seconds: 900, overtime: null, sportKey: 'americanfootball_nfl' },
  NCAAM: {
    sport: 'basketball',
    part: 'half',
    regular: 2,
    seconds: 1_200,
    overtime: 300,
    appear: true,
    sportKey: 'basketball_ncaab',
  },
};

/** The entry of an existing league. */
export function saidOf(league: string): OracleLeague {
  return leaguesSaid[league] as OracleLeague;
}
