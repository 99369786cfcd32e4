// The reference data in bodies: `references` of any feed, and the players of `players` and `injuries`
// (docs/revisions.md#feeds-and-datasets). Each team, venue or player is read once per body, from the body's own list before `references`.
// An optional member of the wrong type counts as absent.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonValue } from '../../json/value.ts';
import { isKeepableName } from '../../reference/judge.ts';
import type { ReferenceElement, ReferenceKind, ReferenceRefusal, TeamLookup } from '../../reference/types.ts';
import type { Task } from '../../scheduling/task.ts';
import { descriptorOf } from '../feeds/feeds.ts';
import { isInTable } from '../ids.ts';
import type { MsfFeed } from '../types.ts';
import { int64Of, integerOf, listOf, objectOf, teamOf, textOf, valueAt } from '../values.ts';

/** A team, venue or player that a body describes: where, and with which values. The pointer of a refusal is relative to `value`. */
export type MsfReference = { pointer: string; value: JsonValue } & (
  | { kind: 'read'; element: ReferenceElement }
  | { kind: 'refused'; refusal: ReferenceRefusal }
);

/** Teams, venues and players of a body; teams come first, because a player may belong to a team of the same body. */
export function* readingReferences(league: League, feed: MsfFeed, body: JsonValue): Task<MsfReference[]> {
  const reading = new Reading(league);
  yield* reading.readAll('team', '/references/teamReferences', referenceList(body, 'teamReferences'));
  yield* reading.readAll('venue', '/references/venueReferences', referenceList(body, 'venueReferences'));
  const { playersIn } = descriptorOf(feed);
  if (playersIn !== null) yield* reading.readAll('player', `/${playersIn}`, listOf(valueAt(body, playersIn)));
  yield* reading.readAll('player', '/references/playerReferences', referenceList(body, 'playerReferences'));
  return reading.references;
}

/** References read in one step. */
const referencesOfStep = 64;

function referenceList(body: JsonValue, name: string): readonly JsonValue[] {
  return listOf(valueAt(body, 'references', name));
}

class Reading {
  readonly references: MsfReference[] = [];
  readonly #league: League;
  readonly #seen = new Set<string>();

  constructor(league: League) {
    this.#league = league;
  }

  *readAll(kind: ReferenceKind, pointer: string, list: readonly JsonValue[]): Task<void> {
    for (const [index, value] of list.entries()) {
      if (index % referencesOfStep === referencesOfStep - 1) yield;
      const at = { pointer: `${pointer}/${index}`, value };
      const described = kind === 'player' ? (objectOf(valueAt(value, 'player')) ?? value) : value;
      const id = int64Of(valueAt(described, 'id'));
      if (id === null) {
        this.references.push({ ...at, kind: 'refused', refusal: refusal(kind, '/id', 'no integer') });
        continue;
      }
      if (this.#seen.has(`${kind} ${id}`)) continue;
      const read = this.#read(kind, { league: this.#league, sourceId: String(id) }, described);
      if ('code' in read) {
        this.references.push({ ...at, kind: 'refused', refusal: read });
        continue;
      }
      this.#seen.add(`${kind} ${id}`);
      this.references.push({ ...at, kind: 'read', element: read });
    }
  }

  #read(kind: ReferenceKind, frame: Frame, value: JsonValue): ReferenceElement | ReferenceRefusal {
    switch (kind) {
      case 'team':
        return readTeam(frame, value);
      case 'venue':
        return readVenue(frame, value);
      case 'player': {
        const player = readPlayer(frame, value);
        return 'code' in player ? player : { ...player, team: this.#teamOf(value) };
      }
    }
  }

  /**
   * The player's team: by a name that the service knows, otherwise by the id of a team described in this body, otherwise none. A player of
   * an unknown team is kept.
   */
  #teamOf(player: JsonValue): TeamLookup {
    const team = teamOf(valueAt(player, 'currentTeam'));
    if (team === null) return null;
    const { id, abbreviation } = team;
    if (abbreviation !== null && isInTable(this.#league, abbreviation)) return { by: 'name', name: abbreviation };
    return id !== null && this.#seen.has(`team ${id}`) ? { by: 'id', id: String(id) } : null;
  }
}

type Frame = { league: League; sourceId: string };
type PlayerElement = Extract<ReferenceElement, { kind: 'player' }>;

/** MSF's `name` is the nickname, so the full name of Boston's Celtics is `Boston Celtics`. */
function readTeam(frame: Frame, value: JsonValue): ReferenceElement | ReferenceRefusal {
  const [nickname, city] = [nameAt(value, 'name'), nameAt(value, 'city')];
  const name = keepable([city, nickname].filter((part) => part !== null).join(' '));
  if (nickname === null || name === null) return refusal('team', '/name', 'no name');
  const other = { aliases: [], conference: null, division: null, is_active: null };
  return {
    ...frame,
    kind: 'team',
    facts: { name, abbreviation: nameAt(value, 'abbreviation'), city, nickname, ...other },
  };
}

function readVenue(frame: Frame, value: JsonValue): ReferenceElement | ReferenceRefusal {
  const name = nameAt(value, 'name');
  if (name === null) return refusal('venue', '/name', 'no name');
  return { ...frame, kind: 'venue', facts: { name, city: nameAt(value, 'city'), country: nameAt(value, 'country') } };
}

/** A player with one name has it as the last name. */
function readPlayer(frame: Frame, value: JsonValue): PlayerElement | ReferenceRefusal {
  const [first, last] = [nameAt(value, 'firstName'), nameAt(value, 'lastName')];
  const lastName = last ?? first;
  if (lastName === null) return refusal('player', '/lastName', 'no name');
  const facts = {
    first_name: last === null ? '' : (first ?? ''),
    last_name: lastName,
    position: nameAt(value, 'primaryPosition') ?? nameAt(value, 'position'),
    jersey_number: integerOf(valueAt(value, 'jerseyNumber'), 0, 999),
    is_active: valueAt(value, 'currentRosterStatus') !== 'RETIRED',
  };
  return { ...frame, kind: 'player', facts, team: null, playerId: null };
}

/** A string that can be stored as a name. */
function nameAt(value: JsonValue, member: string): string | null {
  return keepable(textOf(valueAt(value, member)) ?? '');
}

function keepable(text: string): string | null {
  return isKeepableName(text) ? text : null;
}

function refusal(kind: ReferenceKind, pointer: string, detail: string): ReferenceRefusal {
  return { code: `bad-${kind}`, pointer, detail };
}
