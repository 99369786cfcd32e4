// The simulated games: fifteen a day, spread over the hours, so that some are always in play and some upcoming. A game's identity and start
// depend only on the seed and the day; a delay becomes known shortly before the start.
import { referenceTeams } from '../../core/games/teams.ts';
import { type League, leagues } from '../../schemas/reference/leagues.ts';
import { chance } from './chance.ts';
import { demoLeagues } from './demo-leagues.ts';

export type DemoGame = {
  eventId: string;
  /** Its id at the play-by-play source. */
  feedId: number;
  league: League;
  home: string;
  away: string;
  /** Seconds since the epoch. */
  scheduled: number;
  /** The delayed start; equals `scheduled` for most games. */
  actual: number;
  /** Seconds from its start to its end. */
  length: number;
};

const secondsPerDay = 86_400;
const gamesPerDay = 15;
const listedBefore = 12 * 3_600;
/** Games may have ended while the demo was stopped: a start reports those of the last day. */
const listedAfter = secondsPerDay;
const quotedAfter = 60;
const delayAnnouncedBefore = 900;

/** Games reported at `now` (seconds): from twelve hours before their start until a day after their end. */
export function gamesAt(seed: number, now: number): DemoGame[] {
  const today = Math.floor(now / secondsPerDay);
  return [today - 2, today - 1, today, today + 1]
    .flatMap((day) => gamesOf(seed, day))
    .filter((game) => now >= game.scheduled - listedBefore && now <= game.actual + game.length + listedAfter);
}

/** Whether books still push it: until a minute after its end, so that every source withdraws its quotes. */
export function isQuoted(game: DemoGame, now: number): boolean {
  return now <= game.actual + game.length + quotedAfter;
}

/** The start as reported at `now`: a delay is announced a quarter of an hour before. */
export function announcedStart(game: DemoGame, now: number): number {
  return now >= game.scheduled - delayAnnouncedBefore ? game.actual : game.scheduled;
}

function gamesOf(seed: number, day: number): DemoGame[] {
  return Array.from({ length: gamesPerDay }, (_, slot) => {
    const league = leagues[slot % leagues.length] ?? leagues[0];
    const scheduled = day * secondsPerDay + Math.round((slot * secondsPerDay) / gamesPerDay / 300) * 300;
    const delayed = chance(seed, day, slot, 'delay') < 0.2;
    return {
      eventId: `demo-${seed}-${day}-${slot}`,
      feedId: (seed % 1_000_000) * 10_000_000 + day * 100 + slot,
      league,
      ...pairing(league, chance(seed, day, slot, 'home'), chance(seed, day, slot, 'away')),
      scheduled,
      actual: delayed ? scheduled + 1_020 : scheduled,
      length: demoLeagues[league].length,
    };
  });
}

/**
 * Two opponents, from two numbers in [0, 1). Every second team of a league always plays at home, the others away: the service refuses a
 * game if the same teams meet the other way round on the same day.
 */
export function pairing(league: League, home: number, away: number): { home: string; away: string } {
  const teams = teamsOf(league);
  const pick = (from: number, of: number): string => {
    const half = teams.filter((_, index) => index % 2 === from);
    return half[Math.floor(of * half.length)] ?? '';
  };
  return { home: pick(0, home), away: pick(1, away) };
}

const namesByLeague = new Map<League, readonly string[]>();

/** The names of a league's teams. */
export function teamsOf(league: League): readonly string[] {
  let names = namesByLeague.get(league);
  if (names === undefined) {
    const listed = referenceTeams().filter(({ team }) => team.league === league);
    names = demoLeagues[league].teams ?? listed.map(({ team }) => team.name);
    namesByLeague.set(league, names);
  }
  return names;
}
