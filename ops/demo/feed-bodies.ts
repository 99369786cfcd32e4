// The simulated bodies in MySportsFeeds' form: a league's games with statuses and scores; a game's plays, box score and line-up; a league's
// players and injuries. Pure: the same seed and second give the same bodies.
import type { Side } from '../../core/msf/states/body-ids.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../core/units.ts';
import { boxScore, type Groups } from './box-score.ts';
import { chance } from './chance.ts';
import { sportOf } from './demo-leagues.ts';
import { playList, sidesOf } from './feed-plays.ts';
import { type DemoPlayer, type DemoTeam, feedTeam, playersOf } from './rosters.ts';
import { announcedStart, type DemoGame } from './slate.ts';
import { clockAt, endOf, periodOf, playsBy, statusAt } from './timeline.ts';

/** The games of one league. */
export function gamesBody(seed: number, games: readonly DemoGame[], now: number): object {
  const entries = games.map((game) => ({ schedule: gameObject(seed, game, now), score: scoreOf(seed, game, now) }));
  return { lastUpdatedOn: time(now), games: entries, references: null };
}

export function playbyplayBody(seed: number, game: DemoGame, now: number): object {
  const list = playList(game.league, sidesOf(seed, game), playsBy(seed, game, now));
  return { lastUpdatedOn: time(now), game: gameObject(seed, game, now), ...list, references: null };
}

export function boxscoreBody(seed: number, game: DemoGame, now: number): object {
  const sides = sidesOf(seed, game);
  const box = boxScore(sportOf(game.league), playsBy(seed, game, now), clockAt(game, now));
  const side = (of: Side) => ({
    players: sides[of].players.map((player, slot) => ({ player, playerStats: listed(box[of].players[slot]) })),
    teamStats: [box[of].team],
  });
  const stats = { away: side('away'), home: side('home') };
  const scoring = scoreOf(seed, game, now);
  return { lastUpdatedOn: time(now), game: gameObject(seed, game, now), scoring, stats, references: null };
}

export function lineupBody(seed: number, game: DemoGame, now: number): object {
  const { away, home } = sidesOf(seed, game);
  const slots = (players: readonly DemoPlayer[]) =>
    players.map((player, slot) => ({ position: slot < 5 ? `Starter${slot + 1}` : `Bench${slot - 4}`, player }));
  const teamLineups = [away, home].map(({ team, players }) => {
    const lineup = { lineupPositions: slots(players) };
    return { team, expected: lineup, actual: statusAt(game, now) === 'UNPLAYED' ? null : lineup };
  });
  return { lastUpdatedOn: time(now), game: gameObject(seed, game, now), teamLineups, references: null };
}

/** The players of these teams of one league. */
export function playersBody(seed: number, teams: readonly DemoTeam[], now: number): object {
  const players = teams.flatMap((team) => playersOf(seed, team).map((player) => ({ player: describe(player, team) })));
  return { lastUpdatedOn: time(now), players, references: { teamReferences: teams.map(teamReference) } };
}

const injuries = ['ankle', 'knee', 'hamstring', 'illness', 'undisclosed'];
const probabilities = ['OUT', 'DOUBTFUL', 'QUESTIONABLE', 'PROBABLE'];

/** The injured players and how likely they are to play; changes every two hours. */
export function injuriesBody(seed: number, teams: readonly DemoTeam[], now: number): object {
  const spell = Math.floor(now / 7_200);
  const players = teams.flatMap((team) =>
    playersOf(seed, team).flatMap((player) => {
      const roll = (of: string): number => chance(seed, team.name, player.id, spell, of);
      if (roll('hurt') >= 0.12) return [];
      const description = injuries[Math.floor(roll('what') * injuries.length)];
      const playingProbability = probabilities[Math.floor(roll('plays') * probabilities.length)];
      return [{ ...describe(player, team), currentInjury: { description, playingProbability } }];
    }),
  );
  return { lastUpdatedOn: time(now), players, references: { teamReferences: teams.map(teamReference) } };
}

function describe({ position, ...player }: DemoPlayer, team: DemoTeam): object {
  return {
    ...player,
    primaryPosition: position,
    currentTeam: feedTeam(team),
    currentRosterStatus: 'ROSTER',
    currentInjury: null,
  };
}

function teamReference(team: DemoTeam): object {
  const space = team.name.indexOf(' ');
  const [city, name] = [team.name.slice(0, space), team.name.slice(space + 1)];
  return { ...feedTeam(team), city, name, homeVenue: null };
}

function gameObject(seed: number, game: DemoGame, now: number): object {
  const { away, home } = sidesOf(seed, game);
  const playedStatus = statusAt(game, now);
  const delayed = announcedStart(game, now) !== game.scheduled;
  return {
    id: game.feedId,
    startTime: time(announcedStart(game, now)),
    endedTime: now < endOf(game) ? null : time(endOf(game)),
    awayTeam: away.team,
    homeTeam: home.team,
    venue: { id: home.team.id, name: `${game.home} Hall` },
    venueAllegiance: 'HOME',
    scheduleStatus: delayed && playedStatus === 'UNPLAYED' ? 'DELAYED' : 'NORMAL',
    originalStartTime: null,
    delayedOrPostponedReason: null,
    playedStatus,
    attendance: playedStatus === 'COMPLETED' ? 9_000 + Math.floor(chance(seed, game.eventId, 'crowd') * 9_000) : null,
  };
}

function scoreOf(seed: number, game: DemoGame, now: number): object {
  const { part, seconds } = sportOf(game.league);
  const current = `current${part[0]?.toUpperCase()}${part.slice(1)}`;
  const status = statusAt(game, now);
  if (status === 'UNPLAYED') return { [current]: null, awayScoreTotal: null, homeScoreTotal: null, [`${part}s`]: [] };
  const { period, elapsed } = periodOf(game.league, clockAt(game, now));
  const plays = playsBy(seed, game, now);
  const sum = (side: Side, within: (number: number) => boolean): number =>
    plays
      .filter((play) => play.side === side && within(periodOf(game.league, play.at).period))
      .reduce((points, play) => points + play.points, 0);
  const periods = Array.from({ length: period }, (_, index) => index + 1).map((number) => ({
    [`${part}Number`]: number,
    awayScore: sum('away', (each) => each === number),
    homeScore: sum('home', (each) => each === number),
  }));
  const live = status === 'LIVE';
  return {
    [current]: live ? period : null,
    ...(part === 'inning' ? {} : { [`${current}SecondsRemaining`]: live ? seconds - elapsed : null }),
    currentIntermission: null,
    awayScoreTotal: sum('away', () => true),
    homeScoreTotal: sum('home', () => true),
    [`${part}s`]: periods,
  };
}

function listed(groups: Groups | undefined): Groups[] {
  return groups === undefined ? [] : [groups];
}

function time(seconds: number): string {
  return formatMicros(seconds * microsPerSecond);
}
