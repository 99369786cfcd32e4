// Identifies the subject of an element of reference data: one pure function over the catalog's contents. A team is found by the source's
// id, its name, its abbreviation or another name — in this order —; otherwise it is new. A player or venue is the source's own, unless the
// element names a canonical player. Ignores the facts about them.
import type { TeamFacts } from '../../schemas/events/games.ts';
import { TeamDirectory } from '../games/team-directory.ts';
import { appearingTeam, crowdedOut } from '../games/teams.ts';
import { isCanonicalUuid, serviceUuid } from '../games/uuid.ts';
import { teamsAppear } from '../league-code.ts';
import { msfSource } from '../msf/ids.ts';
import type { CatalogTeam } from '../ports/catalog/games.ts';
import type { ReferenceElement, ReferenceKind, ReferenceRefusal, TeamLookup } from './types.ts';

/**
 * What a push needs from the catalog: the teams of its leagues; by `nameOf`, the canonical ids of what the source has named before; and for
 * the canonical player ids in the push, those that exist, with their leagues.
 */
export type KnownReference = {
  teams: TeamDirectory;
  ids: ReadonlyMap<string, string>;
  playerLeagues: ReadonlyMap<string, string>;
};

/** `newTeam` must be stored first. `currentTeamId`: a player's. */
export type ReferenceIdentity =
  | { kind: 'identified'; id: string; newTeam: CatalogTeam | null; currentTeamId: string | null }
  | { kind: 'refused'; refusal: ReferenceRefusal };

/** A source's name for something, as one key. */
export function nameOf(kind: ReferenceKind, league: string, sourceId: string): string {
  return `${kind}/${league}/${sourceId}`;
}

/** The id of something that `source` named first. docs/revisions.md#ids: `msf/player/<LEAGUE>/<id>`. */
export function ownId(source: string, kind: ReferenceKind, league: string, sourceId: string): string {
  return serviceUuid(source, kind, league, sourceId);
}

/** Identifies the elements of one push in order; each can refer to the earlier ones. */
export function identifyElements(
  source: string,
  elements: readonly ReferenceElement[],
  known: KnownReference,
): ReferenceIdentity[] {
  const ids = new Map(known.ids);
  const teams = new TeamDirectory(known.teams);
  return elements.map((element) => {
    const name = nameOf(element.kind, element.league, element.sourceId);
    const identity = identify(source, element, ids.get(name) ?? null, { ...known, ids, teams });
    if (identity.kind === 'refused') return identity;
    ids.set(name, identity.id);
    if (identity.newTeam !== null) addNewTeam(teams, identity.newTeam, element);
    return identity;
  });
}

function addNewTeam(teams: TeamDirectory, team: CatalogTeam, element: ReferenceElement): void {
  if (teamsAppear(team.league)) {
    teams.addAppeared(team);
    return;
  }
  teams.addFounded(team);
  if (element.kind === 'team') for (const name of namesOf(team.league, element.facts)) teams.addReported(name, team);
}

function identify(
  source: string,
  element: ReferenceElement,
  bound: string | null,
  known: KnownReference,
): ReferenceIdentity {
  const { kind, league, sourceId } = element;
  switch (kind) {
    case 'team':
      return identifyTeam(source, element, bound, known);
    case 'venue':
      return identified(knownId(source, element, bound) ?? ownId(source, kind, league, sourceId));
    case 'player': {
      const team = teamOf(league, element.team, known);
      if (team === undefined) {
        return refused('unknown-team', element.team?.by === 'id' ? '/team_id' : '/team', `${league} has no such team`);
      }
      const { playerId } = element;
      const named = knownId(source, element, bound);
      if (playerId !== null && known.playerLeagues.get(playerId) !== league) {
        return refused('unknown-player', '/player_id', `${league} has no player of this id`);
      }
      if (playerId !== null && named !== null && named !== playerId) {
        return refused('id-conflict', '/player_id', `this id already names the player ${named}`);
      }
      return { ...identified(named ?? playerId ?? ownId(source, kind, league, sourceId)), currentTeamId: team };
    }
  }
}

/**
 * The canonical id that a source's id already has. Ids of MSF are computed, so what other sources report cannot change them
 * (docs/revisions.md#ids).
 */
function knownId(source: string, { kind, league, sourceId }: ReferenceElement, bound: string | null): string | null {
  return source === msfSource ? ownId(source, kind, league, sourceId) : bound;
}

function identified(id: string): Extract<ReferenceIdentity, { kind: 'identified' }> {
  return { kind: 'identified', id, newTeam: null, currentTeamId: null };
}

function identifyTeam(
  source: string,
  { league, sourceId, facts }: Extract<ReferenceElement, { kind: 'team' }>,
  bound: string | null,
  { teams }: KnownReference,
): ReferenceIdentity {
  const ofMsf = source === msfSource ? msfTeam(league, facts, teams) : null;
  if (ofMsf !== null) return ofMsf;
  const { name } = facts;
  const named = namesOf(league, facts);
  const found = bound ?? first(named, (text) => teams.find(league, text)?.id ?? null);
  if (found !== null) return identified(found);
  if (teamsAppear(league)) {
    const appearance = appearingTeam(league, name, teams);
    if (appearance.kind === 'team') return withNew(appearance.team);
    const detail =
      appearance.kind === 'crowded' ? crowdedOut(league, name) : 'no abbreviation can be made from the name';
    return refused('bad-team', '/name', detail);
  }
  const abbreviation = facts.abbreviation?.toUpperCase() ?? '';
  if (!/^[A-Z0-9]{1,12}$/.test(abbreviation)) {
    const detail = 'a team that the service does not know needs an abbreviation of [A-Z0-9]{1,12}';
    return refused('bad-team', '/abbreviation', detail);
  }
  if (teams.hasAbbreviation(league, abbreviation)) {
    const alias = `./sds teams alias ${league} ${JSON.stringify(name)} ${abbreviation}`;
    const detail = `another team of ${league} has the abbreviation ${abbreviation}; where it is this one, the administrator says so: ${alias}`;
    return refused('bad-team', '/abbreviation', detail);
  }
  const { city, nickname, conference, division } = facts;
  const id = ownId(source, 'team', league, sourceId);
  const is_active = facts.is_active ?? true;
  return withNew({ id, league, name, abbreviation, city, nickname, conference, division, is_active });
}

function withNew(team: CatalogTeam): ReferenceIdentity {
  return { ...identified(team.id), newTeam: team };
}

/**
 * A team of MSF is found by its abbreviation first, even a college's (docs/revisions.md#ids); null: the abbreviation does not identify it.
 */
function msfTeam(league: string, facts: TeamFacts, teams: TeamDirectory): ReferenceIdentity | null {
  const { name, abbreviation } = facts;
  const found = abbreviation === null ? null : teams.find(league, abbreviation);
  if (found !== null) return identified(found.id);
  if (!teamsAppear(league) || abbreviation === null) return null;
  const appearance = appearingTeam(league, abbreviation, teams);
  return appearance.kind === 'team' ? withNew({ ...appearance.team, name }) : null;
}

/**
 * The names that a source gives a team. They include its abbreviation if a reference table assigns it; colleges share abbreviations, and
 * each source has its own.
 */
export function namesOf(league: string, { name, abbreviation, aliases }: TeamFacts): string[] {
  return [name, ...(abbreviation === null || teamsAppear(league) ? [] : [abbreviation]), ...aliases];
}

/** The canonical id of a player's team; null: no team; undefined: the team is unknown. */
function teamOf(league: string, lookup: TeamLookup, known: KnownReference): string | null | undefined {
  if (lookup === null) return null;
  if (lookup.by === 'name') return known.teams.find(league, lookup.name)?.id;
  const bound = known.ids.get(nameOf('team', league, lookup.id));
  if (bound !== undefined) return bound;
  const canonical = lookup.id.toLowerCase();
  return isCanonicalUuid(canonical) && known.teams.ofId(canonical)?.league === league ? canonical : undefined;
}

function first<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function refused(code: ReferenceRefusal['code'], pointer: string, detail: string): ReferenceIdentity {
  return { kind: 'refused', refusal: { code, pointer, detail } };
}
