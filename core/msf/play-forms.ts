// The form of MySportsFeeds' play-by-play bodies in each sport (docs/revisions.md#plays).
import { type League, leagueTable, type Sport } from '../../schemas/reference/leagues.ts';

/** `list`: the member with the plays; `period`: the member with a play's period; `isSeen`: whether this was checked against a real body. */
type PlayForm = {
  readonly list: 'plays' | 'atBats';
  readonly period: 'quarter' | 'period' | 'inning';
  readonly isSeen: boolean;
};

const forms: Readonly<Record<Sport, PlayForm>> = {
  basketball: { list: 'plays', period: 'quarter', isSeen: true },
  'american football': { list: 'plays', period: 'quarter', isSeen: true },
  baseball: { list: 'atBats', period: 'inning', isSeen: false },
  'ice hockey': { list: 'plays', period: 'period', isSeen: false },
};

export function playFormOf(league: League): PlayForm {
  return forms[leagueTable[league].sport];
}
