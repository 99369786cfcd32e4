// The simulated games: fifteen a day, spread over its hours, so that at any moment some are in play and some are to come. A game's
// identity and start depend on the seed and the day alone; a delayed start is known only shortly before it.
import { referenceTeams } from '../../core/games/teams.ts';
import { type League, leagues } from '../../core/units.ts';
import { chance } from './chance.ts';

export type DemoGame = {
  eventId: string;
  /** Its id at the source of play-by-play. */
  feedId: number;
  league: League;
  home: string;
  away: string;
  /** Seconds since the epoch. */
  scheduled: number;
  /** The start once it was delayed; `scheduled` for most games. */
  actual: number;
};

const secondsPerDay = 86_400;
const gamesPerDay = 15;
export const gameLength = 3 * 3_600;
const quotedBefore = 12 * 3_600;
const quotedAfter = 60;
const delayToldBefore = 900;

const collegeTeams = [
  'Duke Blue Devils',
  'Kansas Jayhawks',
  'UConn Huskies',
  'Gonzaga Bulldogs',
  'Houston Cougars',
  'Purdue Boilermakers',
  'Arizona Wildcats',
  'Baylor Bears',
];

/** Games quoted at `now` (seconds): from twelve hours before their start until a minute after their end. */
export function gamesAt(seed: number, now: number): DemoGame[] {
  const today = Math.floor(now / secondsPerDay);
  return [today - 1, today, today + 1]
    .flatMap((day) => gamesOf(seed, day))
    .filter((game) => now >= game.scheduled - quotedBefore && now <= game.actual + gameLength + quotedAfter);
}

/** The start as a source tells it at `now`: a delay is told a quarter of an hour before. */
export function toldStart(game: DemoGame, now: number): number {
  return now >= game.scheduled - delayToldBefore ? game.actual : game.scheduled;
}

export function isOver(game: DemoGame, now: number): boolean {
  return now > game.actual + gameLength;
}

function gamesOf(seed: number, day: number): DemoGame[] {
  return Array.from({ length: gamesPerDay }, (_, slot) => {
    const league = leagues[slot % leagues.length] ?? 'MLB';
    const teams = teamsOf(league);
    const home = Math.floor(chance(seed, day, slot, 'home') * teams.length);
    const away = (home + 1 + Math.floor(chance(seed, day, slot, 'away') * (teams.length - 1))) % teams.length;
    const scheduled = day * secondsPerDay + Math.round((slot * secondsPerDay) / gamesPerDay / 300) * 300;
    const delayed = chance(seed, day, slot, 'delay') < 0.2;
    return {
      eventId: `demo-${seed}-${day}-${slot}`,
      feedId: (seed % 1_000_000) * 10_000_000 + day * 100 + slot,
      league,
      home: teams[home] ?? '',
      away: teams[away] ?? '',
      scheduled,
      actual: delayed ? scheduled + 1_020 : scheduled,
    };
  });
}

const namesByLeague = new Map<League, readonly string[]>();

/** The names of a league's teams. */
export function teamsOf(league: League): readonly string[] {
  if (league === 'NCAAM') return collegeTeams;
  let names = namesByLeague.get(league);
  if (names === undefined) {
    names = referenceTeams()
      .filter(({ team }) => team.league === league)
      .map(({ team }) => team.name);
    namesByLeague.set(league, names);
  }
  return names;
}
