// Bodies in the form of MySportsFeeds, of invented games: whole ones, for a test to break in one place.
import type { JsonObject, JsonValue } from '../../core/json/value.ts';

export function msfTeam(id: number, abbreviation: string): JsonObject {
  return { id, abbreviation };
}

/** The object that a body names its game with. */
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

/** A play of no consequence. */
export function play(playStatus: JsonValue, given: JsonObject = {}): JsonObject {
  return { description: 'Timeout', timeout: {}, playStatus, ...given };
}

/** A body as it is pushed: with a stamp and references. */
export function bodyOf(content: JsonObject): JsonObject {
  return { lastUpdatedOn: '2026-01-10T01:00:08.000Z', ...content, references: { teamReferences: [] } };
}
