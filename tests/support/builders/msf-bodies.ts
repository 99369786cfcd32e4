// Complete MySportsFeeds bodies of invented games, for a test to break in one place.
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';

export function msfTeam(id: number, abbreviation: string): JsonObject {
  return { id, abbreviation };
}

/** The object with which a body names its game. */
export function gameObject(given: JsonObject = {}): JsonObject {
  return {
    id: 900001,
    startTime: '2026-01-10T00:30:00.000Z',
    endedTime: null,
    awayTeam: msfTeam(501, 'BOS'),
    homeTeam: msfTeam(502, 'CLE'),
    venue: { id: 31, name: 'Small Hall' },
    scheduleStatus: 'NORMAL',
    playedStatus: 'LIVE',
    ...given,
  };
}

/** The game of a gamelog. */
export function gamelogGame(given: JsonObject = {}): JsonObject {
  return {
    id: 900001,
    startTime: '2026-01-10T00:30:00.000Z',
    awayTeamAbbreviation: 'BOS',
    homeTeamAbbreviation: 'CLE',
    ...given,
  };
}

/** A play that changes nothing. */
export function play(playStatus: JsonValue, given: JsonObject = {}): JsonObject {
  return { description: 'Timeout', timeout: {}, playStatus, ...given };
}

/** A body as it is pushed: with a stamp and references. */
export function bodyOf(content: JsonObject): JsonObject {
  return { lastUpdatedOn: '2026-01-10T01:00:08.000Z', ...content, references: { teamReferences: [] } };
}

/** A player's or a team's log. */
export const log = (given: JsonObject = {}) => ({
  game: gamelogGame(),
  team: msfTeam(501, 'BOS'),
  stats: { offense: { pts: 2 } },
  ...given,
});
/** A player, as bodies name one. */
export const player = { id: 71, firstName: 'F71', lastName: 'L71' };
/** The statistics of a box score in which no player has any. */
export const noStats = { away: { players: [] }, home: { players: [] } };

/** A complete body of each feed of a game. */
export const wholeBodies: { [Feed in MsfFeed]: JsonObject } = {
  games: { games: [{ schedule: gameObject(), score: {} }] },
  boxscore: { game: gameObject(), scoring: {}, stats: noStats },
  playbyplay: { game: gameObject(), plays: [play({ quarter: 1, secondsElapsed: 0 })] },
  lineup: { game: gameObject(), teamLineups: [] },
  player_gamelogs: { gamelogs: [log({ player })] },
  team_gamelogs: { gamelogs: [log()] },
  injuries: { players: [] },
  players: { players: [] },
  odds_gamelines: { gameLines: [] },
};
