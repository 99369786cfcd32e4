// MySportsFeeds bodies of a generated game as it is now, complete, for each feed that reports on a game.

export type Json = { [name: string]: unknown };

export type Play = {
  action: string;
  quarter: number;
  second: number | null;
  team: number;
  player: number;
  points: number;
  words: string;
};

export type GameFacts = {
  league: string;
  id: number;
  start: number;
  away: Json;
  home: Json;
  played: string;
  schedule: string;
  plays: readonly Play[];
  statistics: string[];
};

export function gameObject(game: GameFacts): Json {
  return {
    id: game.id,
    startTime: iso(game.start),
    endedTime: null,
    awayTeam: game.away,
    homeTeam: game.home,
    venue: { id: 31, name: 'Small Hall' },
    venueAllegiance: 'HOME',
    scheduleStatus: game.schedule,
    originalStartTime: null,
    delayedOrPostponedReason: null,
    playedStatus: game.played,
    attendance: game.played === 'COMPLETED' ? 12_000 : null,
  };
}

export function player(game: GameFacts, number: number): Json {
  const id = game.id * 10 + number;
  return { id, firstName: `F${number}`, lastName: `L${number}`, position: 'G', jerseyNumber: number };
}

export function playbyplay(game: GameFacts, plays: readonly Play[]): Json {
  const part = game.league === 'NHL' ? 'period' : game.league === 'MLB' ? 'inning' : 'quarter';
  const bodies = plays.map((play) => {
    const status = { [part]: play.quarter, ...(play.second === null ? {} : { secondsElapsed: play.second }) };
    return { description: play.words, [play.action]: actionOf(game, play), playStatus: status };
  });
  if (game.league !== 'MLB') return { game: gameObject(game), plays: bodies };
  const atBats: Json[] = [];
  for (let at = 0; at < bodies.length; at += 3) {
    atBats.push({
      inning: plays[at]?.quarter,
      inningHalf: 'TOP',
      battingTeam: game.away,
      atBatPlay: bodies.slice(at, at + 3),
    });
  }
  return { game: gameObject(game), atBats };
}

function actionOf(game: GameFacts, { action, team, player: number, points }: Play): Json {
  const by = team === 0 ? game.away : game.home;
  if (action !== 'fieldGoalAttempt' && action !== 'freeThrowAttempt') return { team: by, player: player(game, number) };
  const result = points === 0 ? 'MISSED' : 'SCORED';
  return {
    team: by,
    shootingPlayer: player(game, number),
    assistingPlayer: null,
    points: points === 0 ? 2 : points,
    result,
  };
}

export function boxscore(game: GameFacts, boxed: readonly Play[]): Json {
  const side = (team: number): Json => ({
    players: Array.from({ length: 8 }, (_, number) => ({
      player: player(game, number + 8 * team),
      playerStats: [
        statistics(
          game,
          boxed.filter((play) => play.team === team && play.player === number),
        ),
      ],
    })),
    teamStats: [
      statistics(
        game,
        boxed.filter((play) => play.team === team),
      ),
    ],
  });
  return {
    game: gameObject(game),
    scoring: scoreOf({ ...game, plays: boxed }, 'quarter'),
    stats: { away: side(0), home: side(1) },
  };
}

export function gamelogs(game: GameFacts, ofPlayers: boolean): Json[] {
  const named = {
    id: game.id,
    startTime: iso(game.start),
    awayTeamAbbreviation: game.away.abbreviation,
    homeTeamAbbreviation: game.home.abbreviation,
  };
  return [0, 1].flatMap((team) => {
    const own = game.plays.filter((play) => play.team === team);
    const entry = { game: named, team: team === 0 ? game.away : game.home };
    if (!ofPlayers) return [{ ...entry, stats: statistics(game, own) }];
    return [0, 1, 2].map((number) => ({
      ...entry,
      player: player(game, number + 8 * team),
      stats: statistics(
        game,
        own.filter((play) => play.player === number),
      ),
    }));
  });
}

function statistics(game: GameFacts, plays: readonly Play[]): Json {
  const groups: Record<string, Json> = {};
  for (const name of game.statistics) {
    const [group = '', stat = ''] = name.split('.');
    const points = plays.reduce((sum, play) => sum + play.points, 0);
    groups[group] = { ...groups[group], [stat]: stat === 'pts' ? points : points / 8 };
  }
  return groups;
}

export function lineups(game: GameFacts): Json[] {
  return [game.away, game.home].map((team, side) => ({
    team,
    expected: {
      lineupPositions: [
        { position: 'Starter1', player: player(game, 8 * side) },
        { position: 'Bench1', player: null },
      ],
    },
    actual: null,
  }));
}

export function scoreOf(game: GameFacts, part: string): Json {
  const sum = (team: number, quarter?: number): number =>
    game.plays
      .filter((play) => play.team === team && (quarter ?? play.quarter) === play.quarter)
      .reduce((all, play) => all + play.points, 0);
  const last = game.plays.reduce((most, play) => Math.max(most, play.quarter), 0);
  const live = game.played === 'LIVE';
  return {
    currentQuarter: live && last > 0 ? last : null,
    currentQuarterSecondsRemaining: live ? 700 : null,
    currentIntermission: null,
    awayScoreTotal: game.played === 'UNPLAYED' ? null : sum(0),
    homeScoreTotal: game.played === 'UNPLAYED' ? null : sum(1),
    [`${part}s`]: Array.from({ length: last }, (_, index) => ({
      [`${part}Number`]: index + 1,
      awayScore: sum(0, index + 1),
      homeScore: sum(1, index + 1),
    })),
  };
}

export const iso = (at: number): string => new Date(at).toISOString();
