// The leagues by the sport keys of The Odds API, for clients of the gateway (docs/quotes.md#sport-keys).
import type { League } from '../../core/units.ts';

export const sportKeys: Readonly<Record<League, string>> = {
  MLB: 'baseball_mlb',
  NBA: 'basketball_nba',
  NHL: 'icehockey_nhl',
  NFL: 'americanfootball_nfl',
  NCAAM: 'basketball_ncaab',
};
