// The leagues of the service (docs/interface.md#what-the-service-does): their codes, names and sports.

/** code, name, sport */
export type LeagueRow = readonly [code: string, name: string, sport: string];

export const leagueRows = [
  ['MLB', 'Major League Baseball', 'baseball'],
  ['NBA', 'National Basketball Association', 'basketball'],
  ['NCAAM', "NCAA Division I Men's Basketball", 'basketball'],
  ['NFL', 'National Football League', 'american football'],
  ['NHL', 'National Hockey League', 'ice hockey'],
] as const satisfies readonly LeagueRow[];
