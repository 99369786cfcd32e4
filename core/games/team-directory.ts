// Teams as names find them (docs/quotes.md#resolving-the-game), case-insensitively, for one source: a name or abbreviation of teams.csv first,
// then an alias that holds for all, then a name that this source has told itself, then a team that came into being by its name. So what one
// source tells of a team, or calls one, never changes what the names of another mean. A directory is filled from the reference table or from
// the catalog; what a push adds goes into one of its own.
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

/** Where a name comes from, the strongest first. */
const origins = ['table', 'alias', 'told', 'appeared'] as const;
type Origin = (typeof origins)[number];

export class TeamDirectory {
  readonly #base: TeamDirectory | null;
  /** Null: a name that its source gives to several teams, so it names none. */
  readonly #named: { readonly [From in Origin]: Map<string, CatalogTeam | null> };
  readonly #abbreviations = new Set<string>();
  readonly #ids = new Map<string, CatalogTeam>();

  /** An empty directory, or one that adds to `base` without changing it. */
  constructor(base: TeamDirectory | null = null) {
    this.#base = base;
    this.#named = { table: new Map(), alias: new Map(), told: new Map(), appeared: new Map() };
  }

  /** Adds a team of the reference table under its name and abbreviation. */
  add(team: CatalogTeam): void {
    this.#nameOwn('table', team);
  }

  /** Adds a team that came into being by its name, under its name and abbreviation. */
  addAppeared(team: CatalogTeam): void {
    this.#nameOwn('appeared', team);
  }

  /** Adds a team that no name of its own finds: one source has founded it, and has told its names. */
  addFounded(team: CatalogTeam): void {
    this.#abbreviations.add(`${team.league}/${team.abbreviation}`);
    this.#ids.set(team.id, team);
  }

  /** Adds another name of a team, for all sources. */
  addAlias(alias: string, team: CatalogTeam): void {
    this.#named.alias.set(keyOf(team.league, alias), team);
  }

  /** Adds a name that the directory's source has told. */
  addTold(name: string, team: CatalogTeam): void {
    const key = keyOf(team.league, name);
    const before = this.#named.told.get(key);
    this.#named.told.set(key, before === undefined || before?.id === team.id ? team : null);
  }

  /** Notes that a team has this abbreviation. */
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
