// The ids of one body: a body names the same few teams and players again and again, and each id costs a hash. Knows which two teams play
// in it, so that a team is known by its id first, else by its abbreviation (docs/revisions.md#ids).
import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonValue } from '../../json/value.ts';
import { type MsfTeam, playerUuid, teamUuid, teamUuidIn } from '../ids.ts';
import { teamOf } from '../values.ts';

/** The two teams of a game as its body names them. */
type BodyTeams = { readonly away: MsfTeam; readonly home: MsfTeam };
export type Side = 'away' | 'home';

export class BodyIds {
  readonly league: League;
  /** Null in a body without a game object. */
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

  /** Id of the team that a value names, null when it names none. */
  team(value: JsonValue): string | null {
    const team = teamOf(value);
    if (team === null) return null;
    const key = `${team.id}/${team.abbreviation}`;
    const known = this.#teams.get(key);
    if (known !== undefined) return known;
    const made =
      this.sides === null
        ? teamUuid(this.league, team.abbreviation, team.id)
        : teamUuidIn(this.league, this.sides, team);
    this.#teams.set(key, made);
    return made;
  }

  /** Which side a team of this id is; null for a team that does not play in this game. */
  side(teamId: string | null): Side | null {
    if (teamId === null) return null;
    if (teamId === this.away) return 'away';
    return teamId === this.home ? 'home' : null;
  }

  player(id: number): string {
    const known = this.#players.get(id);
    if (known !== undefined) return known;
    const made = playerUuid(this.league, id);
    this.#players.set(id, made);
    return made;
  }
}
