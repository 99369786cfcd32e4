// The ids of one body, computed once each: a body repeats the same few teams and players, and each id costs a hash. Matches a team to the
// game's two teams by id first, then by abbreviation (docs/revisions.md#ids).
import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonValue } from '../../json/value.ts';
import { type MsfTeam, playerUuid, teamUuid, teamUuidIn } from '../ids.ts';
import { teamOf } from '../values.ts';

/** The two teams of a game as its body names them. */
type BodyTeams = { readonly away: MsfTeam; readonly home: MsfTeam };
export type Side = 'away' | 'home';

export class BodyIds {
  readonly league: League;
  /** Null if the body has no game object. */
  readonly sides: BodyTeams | null;
  readonly away: string | null;
  readonly home: string | null;
  readonly #teams = new Map<string, string | null>();
  readonly #players = new Map<number, string>();

  constructor(league: League, sides: BodyTeams | null) {
    this.league = league;
    this.sides = sides;
    this.away = sides === null ? null : teamUuidIn(league, sides, sides.away);
    this.home = sides === null ? null : teamUuidIn(league, sides, sides.home);
  }

  /** The id of the team that a value names; null if it names none. */
  team(value: JsonValue): string | null {
    const team = teamOf(value);
    if (team === null) return null;
    const key = `${team.id}/${team.abbreviation}`;
    const known = this.#teams.get(key);
    if (known !== undefined) return known;
    const uuid =
      this.sides === null
        ? teamUuid(this.league, team.abbreviation, team.id)
        : teamUuidIn(this.league, this.sides, team);
    this.#teams.set(key, uuid);
    return uuid;
  }

  /** The side of the team with this id; null for a team that does not play in this game. */
  side(teamId: string | null): Side | null {
    if (teamId === null) return null;
    if (teamId === this.away) return 'away';
    return teamId === this.home ? 'home' : null;
  }

  player(id: number): string {
    const known = this.#players.get(id);
    if (known !== undefined) return known;
    const uuid = playerUuid(this.league, id);
    this.#players.set(id, uuid);
    return uuid;
  }
}
