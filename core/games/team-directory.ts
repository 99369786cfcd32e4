// Finds teams by name (docs/quotes.md#resolving-the-game), case-insensitively, for one source. Names and abbreviations of teams.csv win,
// then aliases that apply to all sources, then names that this source has reported, then teams created from a name. So what one source
// reports never changes what the names of another mean. A directory is filled from the reference table or the catalog; a push adds its own
// names in a directory on top.
import type { CatalogTeam } from '../ports/catalog/games.ts';
import { serviceUuid } from './uuid.ts';

/** The form in which names are compared. */
export function foldTeamName(name: string): string {
  return name.toLowerCase();
}

/** Id of a team: UUIDv5(N, `team/<LEAGUE>/<abbreviation>`). docs/revisions.md#ids. */
export function teamId(league: string, abbreviation: string): string {
  return serviceUuid('team', league, abbreviation);
}

/** Where a name comes from, strongest first. */
const origins = ['table', 'alias', 'reported', 'appeared'] as const;
type Origin = (typeof origins)[number];

export class TeamDirectory {
  readonly #base: TeamDirectory | null;
  /** Null: the source uses the name for several teams, so it identifies none. */
  readonly #named: { readonly [From in Origin]: Map<string, CatalogTeam | null> };
  readonly #abbreviations = new Set<string>();
  readonly #ids = new Map<string, CatalogTeam>();

  /** An empty directory, or one on top of `base`, which it does not change. */
  constructor(base: TeamDirectory | null = null) {
    this.#base = base;
    this.#named = { table: new Map(), alias: new Map(), reported: new Map(), appeared: new Map() };
  }

  /** Adds a team of the reference table under its name and abbreviation. */
  add(team: CatalogTeam): void {
    this.#nameOwn('table', team);
  }

  /** Adds a team that was created from a name, under its name and abbreviation. */
  addAppeared(team: CatalogTeam): void {
    this.#nameOwn('appeared', team);
  }

  /** Adds a team that one source has founded. Its own names do not find it; only the names that the source reported do. */
  addFounded(team: CatalogTeam): void {
    this.#abbreviations.add(`${team.league}/${team.abbreviation}`);
    this.#ids.set(team.id, team);
  }

  /** Adds another name of a team, for all sources. */
  addAlias(alias: string, team: CatalogTeam): void {
    this.#named.alias.set(keyOf(team.league, alias), team);
  }

  /** Adds a name that the directory's source has reported. */
  addReported(name: string, team: CatalogTeam): void {
    const key = keyOf(team.league, name);
    const before = this.#named.reported.get(key);
    this.#named.reported.set(key, before === undefined || before?.id === team.id ? team : null);
  }

  /** Notes that this abbreviation is taken. */
  addAbbreviation(league: string, abbreviation: string): void {
    this.#abbreviations.add(`${league}/${abbreviation}`);
  }

  /** The team of `league` called `name`, or null. */
  find(league: string, name: string): CatalogTeam | null {
    const key = keyOf(league, name);
    for (const origin of origins) {
      const team = this.#from(origin, key);
      if (team !== null) return team;
    }
    return null;
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

  #from(origin: Origin, key: string): CatalogTeam | null {
    const team = this.#named[origin].get(key) ?? null;
    return team !== null || this.#base === null ? team : this.#base.#from(origin, key);
  }

  #nameOwn(origin: Origin, team: CatalogTeam): void {
    this.addFounded(team);
    this.#named[origin].set(keyOf(team.league, team.name), team);
    this.#named[origin].set(keyOf(team.league, team.abbreviation), team);
  }
}

function keyOf(league: string, name: string): string {
  return `${league}/${foldTeamName(name)}`;
}
