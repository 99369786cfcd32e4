// What the tests add to the 26 games of the recorded evening of baseball, which has odds only: invented scores, what
// MSF says about each game and when, and when play therefore begins (docs/settlement.md#start-of-play). MSF reports
// some games from the day's schedule on, others late or only when they are over. Two games are called off during play,
// one of them while sportsbooks continue; one never begins.
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Micros } from '../../../core/units.ts';

/** What one body says about a game; `start` is the start that MSF gives. */
export type EveningFacts = { at: Micros; status: 'SCHEDULED' | 'DELAYED' | 'STARTED' | 'COMPLETED'; start: Micros };

export type EveningGame = {
  id: string;
  msfGameId: number;
  /** Runs by inning. The home team need not bat in the last one. */
  away: readonly number[];
  home: readonly number[];
  facts: readonly EveningFacts[];
  /** One of the two is null. */
  completedAt: Micros | null;
  cancelledAt: Micros | null;
  /** T0, its basis, and the start that was planned when play began. */
  t0: Micros;
  basis: 'status' | 'in_play' | 'scheduled';
  scheduledStart: Micros;
};

/** `facts`: day, time, the game's status and, if it is new, its start. `play`: the case of T0, T0, the planned start. */
type Stated = { id: string; away: string; home: string; facts: string; play: string };

const stated: readonly Stated[] = [
  {
    id: 'TOR_HOU_20260805',
    away: '000210001',
    home: '10200020',
    facts: '05T18:00 SCHEDULED 05T18:10, 05T18:12 STARTED, 05T21:18 COMPLETED',
    play: 'a 05T18:12 05T18:10',
  },
  {
    id: 'LAD_CHC_20260805',
    away: '310000020',
    home: '000101000',
    facts: '05T18:00 SCHEDULED 05T18:20, 05T18:23 STARTED, 05T21:38 COMPLETED',
    play: 'a 05T18:23 05T18:20',
  },
  {
    id: 'SF_TEX_20260805',
    away: '000000000',
    home: '00000001',
    facts: '05T21:28 COMPLETED 05T18:35',
    play: 'c 05T18:35 05T18:35',
  },
  {
    id: 'TB_COL_20260805',
    away: '2010300002',
    home: '0042000001',
    facts: '05T18:00 SCHEDULED 05T19:10, 05T19:12 STARTED, 05T22:03 COMPLETED',
    play: 'a 05T19:12 05T19:10',
  },
  {
    id: 'LAA_BAL_20260805',
    away: '000030000',
    home: '010100100',
    facts: '05T18:00 SCHEDULED 05T22:35, 05T22:38 STARTED, 06T01:18 COMPLETED',
    play: 'a 05T22:38 05T22:35',
  },
  // Play begins by a record of `house`. The start is that of the odds, which had moved a few minutes before.
  {
    id: 'ATH_CIN_20260805',
    away: '001101000',
    home: '00020101',
    facts: '06T01:18 COMPLETED 05T22:40',
    play: 'b 05T22:43:10 05T22:45',
  },
  {
    id: 'NYM_CLE_20260805',
    away: '100000020',
    home: '000110100',
    facts: '05T22:43:20 STARTED 05T22:41, 06T02:13 COMPLETED',
    play: 'a 05T22:43:20 05T22:41',
  },
  {
    id: 'WSH_PHI_20260805',
    away: '000010000',
    home: '23000150',
    facts: '05T18:00 SCHEDULED 05T22:40, 05T22:24 DELAYED 05T23:05, 05T23:08 STARTED, 06T02:58 COMPLETED',
    play: 'a 05T23:08 05T23:05',
  },
  {
    id: 'STL_NYY_20260805',
    away: '001020001',
    home: '31000010',
    facts:
      '05T18:00 SCHEDULED 05T23:05, 05T23:02 DELAYED 05T23:35, 06T00:04 DELAYED 06T00:15, 06T00:16 STARTED, 06T03:53 COMPLETED',
    play: 'a 06T00:16 06T00:15',
  },
  {
    id: 'CWS_BOS_20260805',
    away: '000000200',
    home: '100000010',
    facts: '05T18:00 SCHEDULED 05T23:10, 05T23:12:30 STARTED, 06T02:03 COMPLETED',
    play: 'a 05T23:12:30 05T23:10',
  },
  {
    id: 'MIA_ATL_20260805',
    away: '400010000',
    home: '000003000',
    facts: '05T18:00 SCHEDULED 05T23:15, 05T23:17 STARTED, 06T01:53 COMPLETED',
    play: 'a 05T23:17 05T23:15',
  },
  // Called off for rain; sportsbooks continue until half past two.
  {
    id: 'PIT_MIL_20260805',
    away: '010200',
    home: '00311',
    facts: '05T18:00 SCHEDULED 05T23:40, 05T23:42 STARTED, 06T01:31 COMPLETED',
    play: 'a 05T23:42 05T23:40',
  },
  {
    id: 'MIN_KC_20260805',
    away: '020000000',
    home: '000010020',
    facts: '05T18:00 SCHEDULED 05T23:40, 06T02:08 COMPLETED',
    play: 'c 05T23:40 05T23:40',
  },
  {
    id: 'SD_ARI_20260805',
    away: '000401000',
    home: '110000012',
    facts: '06T03:58 COMPLETED 06T01:40',
    play: 'c 06T01:40 06T01:40',
  },
  {
    id: 'DET_SEA_20260805',
    away: '100030000',
    home: '000000000',
    facts: '05T18:00 SCHEDULED 06T01:40, 06T01:42 STARTED, 06T03:58 COMPLETED',
    play: 'a 06T01:42 06T01:40',
  },
  {
    id: 'LAA_BAL_20260806',
    away: '000000100',
    home: '000002000',
    facts: '06T10:00 SCHEDULED 06T16:35, 06T16:45 STARTED, 06T20:00 COMPLETED',
    play: 'a 06T16:45 06T16:35',
  },
  {
    id: 'ATH_CIN_20260806',
    away: '501000000',
    home: '000100300',
    facts: '06T10:00 SCHEDULED 06T16:40, 06T16:45 STARTED, 06T20:00 COMPLETED',
    play: 'a 06T16:45 06T16:40',
  },
  {
    id: 'NYM_CLE_20260806',
    away: '00000000000',
    home: '00000000001',
    facts: '06T10:00 SCHEDULED 06T17:10, 06T17:15 STARTED, 06T20:00 COMPLETED',
    play: 'a 06T17:15 06T17:10',
  },
  // Called off before it counts as a game.
  {
    id: 'PIT_MIL_20260806',
    away: '2100',
    home: '0300',
    facts: '06T10:00 SCHEDULED 06T18:10, 06T18:25 STARTED, 06T20:00 COMPLETED',
    play: 'a 06T18:25 06T18:10',
  },
  {
    id: 'TOR_CHC_20260806',
    away: '000111000',
    home: '200010000',
    facts: '06T10:00 SCHEDULED 06T18:20, 06T18:25 STARTED, 06T21:45 COMPLETED',
    play: 'a 06T18:25 06T18:20',
  },
  {
    id: 'DET_SEA_20260806',
    away: '010000000',
    home: '020100400',
    facts: '06T10:00 SCHEDULED 06T20:10, 06T20:15 STARTED, 06T23:30 COMPLETED',
    play: 'a 06T20:15 06T20:10',
  },
  {
    id: 'WSH_PHI_20260806',
    away: '000000005',
    home: '100200001',
    facts: '06T10:00 SCHEDULED 06T22:05, 06T22:10 STARTED, 07T02:30 COMPLETED',
    play: 'a 06T22:10 06T22:05',
  },
  {
    id: 'CWS_BOS_20260806',
    away: '300000000',
    home: '000201100',
    facts: '06T10:00 SCHEDULED 06T23:10, 06T23:45 STARTED, 07T02:30 COMPLETED',
    play: 'a 06T23:45 06T23:10',
  },
  // Cancelled on the evening before, by a record on the topic: MSF has no status for it.
  { id: 'MIA_ATL_20260806', away: '', home: '', facts: '', play: 'c 06T23:16 06T23:16' },
  {
    id: 'MIN_KC_20260806',
    away: '000020010',
    home: '000000200',
    facts: '06T10:00 SCHEDULED 06T23:40, 06T23:45 STARTED, 07T02:30 COMPLETED',
    play: 'a 06T23:45 06T23:40',
  },
  {
    id: 'SD_ARI_20260806',
    away: '002000000',
    home: '100000100',
    facts: '06T10:00 SCHEDULED 07T01:40, 07T01:45 STARTED, 07T04:30 COMPLETED',
    play: 'a 07T01:45 07T01:40',
  },
];

const bases = { a: 'status', b: 'in_play', c: 'scheduled' } as const;

export const eveningGames: readonly EveningGame[] = stated.map(({ id, away, home, facts, play }, index) => {
  const [ofPlay, t0, scheduled] = play.split(' ') as [keyof typeof bases, string, string];
  let start: Micros = 0;
  const steps = facts.split(', ').flatMap((each): EveningFacts[] => {
    const [at, status, newStart] = each.split(' ');
    if (status === undefined) return [];
    if (newStart !== undefined) start = eveningTime(newStart);
    return [{ at: eveningTime(at ?? ''), status: status as EveningFacts['status'], start }];
  });
  return {
    id: `MLB_${id}`,
    msfGameId: 600_000 + index,
    away: [...away].map(Number),
    home: [...home].map(Number),
    facts: steps,
    completedAt: steps.at(-1)?.at ?? null,
    cancelledAt: steps.length === 0 ? eveningTime('06T03:00') : null,
    t0: eveningTime(t0),
    basis: bases[ofPlay],
    scheduledStart: eveningTime(scheduled),
  };
});

/** A time in August 2026, such as `05T18:10`; seconds are optional. */
export function eveningTime(text: string): Micros {
  const time = parseRfc3339(`2026-08-${text.length === 8 ? `${text}:00` : text}Z`);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}
