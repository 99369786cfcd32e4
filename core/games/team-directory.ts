// The teams of the leagues as names find them (quotes.md, "Resolving the game"): case-insensitively, a name or abbreviation
// before an alias. A directory is filled from the reference table or from the catalog; what a push adds goes into one of its own.
import type { CatalogTeam } from '../ports/catalog/games.ts';
import { serviceUuid } from './uuid.ts';

/** The form in which names are compared. */
export function foldTeamName(name: string): string {
  return name.toLowerCase();
}

/** Id of a team: UUIDv5(N, `team/<LEAGUE>/<abbreviation>`). msf.md, "Ids". */
export function teamId(league: string, abbreviation: string): string {
  return serviceUuid('team', league, abbreviation);
}

export class TeamDirectory {
  readonly #base: TeamDirectory | null;
  readonly #named = new Map<string, CatalogTeam>();
  readonly #aliased = new Map<string, CatalogTeam>();
  readonly #abbreviations = new Set<string>();
  readonly #ids = new Map<string, CatalogTeam>();

  /** An empty directory, or one that adds to `base` without changing it. */
  constructor(base: TeamDirectory | null = null) {
    this.#base = base;
  }

  /** Adds a team under its name and abbreviation. */
  add(team: CatalogTeam): void {
    this.#named.set(keyOf(team.league, team.name), team);
    this.#named.set(keyOf(team.league, team.abbreviation), team);
    this.#abbreviations.add(`${team.league}/${team.abbreviation}`);
    this.#ids.set(team.id, team);
  }

  /** Adds another name of a team. */
  addAlias(alias: string, team: CatalogTeam): void {
    this.#aliased.set(keyOf(team.league, alias), team);
  }

  /** The team of `league` called `name`, or null. */
  find(league: string, name: string): CatalogTeam | null {
    const key = keyOf(league, name);
    return this.#byName(key) ?? this.#byAlias(key);
  }

  /** The team of this id, or null. */
  ofId(id: string): CatalogTeam | null {
    return this.#ids.get(id) ?? this.#base?.ofId(id) ?? null;
  }

  hasAbbreviation(league: string, abbreviation: string): boolean {
    return (
      this.#abbreviations.has(`${league}/${abbreviation}`) || this.#base?.hasAbbreviation(league, abbreviation) === true
    );
  }

  #byName(key: string): CatalogTeam | null {
    const team = this.#named.get(key);
    if (team !== undefined || this.#base === null) return team ?? null;
    return this.#base.#byName(key);
  }

  #byAlias(key: string): CatalogTeam | null {
    const team = this.#aliased.get(key);
    if (team !== undefined || this.#base === null) return team ?? null;
    return this.#base.#byAlias(key);
  }
}

function keyOf(league: string, name: string): string {
  return `${league}/${foldTeamName(name)}`;
}
