// Adapts pushed reference data (docs/operations.md#push-gateway): `{"teams":[…]}`, `{"players":[…]}` or `{"venues":[…]}`. Each element is
// accepted or refused on its own. The newest element about a subject replaces all earlier ones of its source, so a member that is left out
// becomes null.
import { type PushGrant, whyNotLeague } from '../../core/access/feed-grant.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { ElementSpan } from '../../core/json/scan.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  numberText,
} from '../../core/json/value.ts';
import { isLeague } from '../../core/league-code.ts';
import { isKeepableName, mostAliases } from '../../core/reference/judge.ts';
import type { ReferenceElement, ReferenceKind, ReferenceRefusal, TeamLookup } from '../../core/reference/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { mostRefusals } from './adapted.ts';
import { openingJsonBody, unlessNotJson } from './json-body.ts';

/** The position of an element in the body, and what it says or why it is refused. */
export type AdaptedReference = { index: number; start: number; end: number } & (
  | { kind: 'read'; element: ReferenceElement }
  | { kind: 'refused'; refusal: ReferenceRefusal }
);

type AdaptedReferencePush =
  | { kind: 'elements'; elements: readonly AdaptedReference[] }
  | { kind: 'malformed'; detail: string };

const lists = { teams: 'team', players: 'player', venues: 'venue' } as const;
type ListName = keyof typeof lists;
const listNames = Object.keys(lists) as ListName[];

/** Most bytes of an element: longer than any team, player or venue. */
const maxElementBytes = 16 * 1024;

export function* adaptReferencePush(body: Uint8Array, may: PushGrant): Task<AdaptedReferencePush> {
  const opened = yield* openingJsonBody(body, listNames, { bytes: maxElementBytes });
  if (opened.kind === 'malformed') return opened;
  const given = isJsonObject(opened.value) ? opened.value : {};
  const names = listNames.filter((name) => isJsonArray(memberOf(given, name)));
  const [name] = names;
  // A later member of the same name replaces the list that was opened, and its elements are elsewhere in the body.
  if (name === undefined || names.length > 1 || name !== opened.name) {
    return { kind: 'malformed', detail: 'the body has exactly one of the arrays "teams", "players" and "venues"' };
  }
  const list = memberOf(given, name) as readonly JsonValue[];
  const adapted: AdaptedReference[] = [];
  let refused = 0;
  const read = yield* unlessNotJson(
    opened.elements(list, function* (element, index) {
      const each = readElement(lists[name], may, element, { index, ...(opened.spans[index] as ElementSpan) });
      adapted.push(each);
      if (each.kind === 'refused') refused += 1;
      yield;
      return refused <= mostRefusals;
    }),
  );
  return read.kind === 'malformed' ? read : { kind: 'elements', elements: adapted };
}

function readElement(
  kind: ReferenceKind,
  may: PushGrant,
  element: JsonValue,
  { index, start, end }: { index: number; start: number; end: number },
): AdaptedReference {
  const frame = { index, start, end };
  if (end - start > maxElementBytes) {
    const detail = `more than ${maxElementBytes} bytes`;
    return { ...frame, kind: 'refused', refusal: { code: 'too-large', pointer: '', detail } };
  }
  const read = new Reading(kind, element).read();
  if ('code' in read) return { ...frame, kind: 'refused', refusal: read };
  const forbidden = whyNotLeague(may, read.league);
  if (forbidden === null) return { ...frame, kind: 'read', element: read };
  return { ...frame, kind: 'refused', refusal: { code: 'forbidden-league', pointer: '/league', detail: forbidden } };
}

/** Reads one element; it is refused for its first fault. */
class Reading {
  readonly #kind: ReferenceKind;
  readonly #object: JsonObject | null;
  #wrong: ReferenceRefusal | null = null;

  constructor(kind: ReferenceKind, element: JsonValue) {
    this.#kind = kind;
    this.#object = isJsonObject(element) ? element : null;
    if (this.#object === null) this.#refuse('', `the ${kind} is no object, or nests too deep`);
  }

  read(): ReferenceElement | ReferenceRefusal {
    const sourceId = this.#id('id') ?? '';
    if (sourceId === '') this.#refuse('/id', 'id is missing');
    const league = this.#text('league') ?? '';
    if (!isLeague(league.toUpperCase())) this.#refuse('/league', 'league is no league of ours');
    const frame = { league: league.toUpperCase(), sourceId };
    const element = this.#facts(frame);
    return this.#wrong ?? element;
  }

  #facts(frame: { league: string; sourceId: string }): ReferenceElement {
    switch (this.#kind) {
      case 'team': {
        const [name, abbreviation] = [this.#required('name'), this.#text('abbreviation')];
        const [city, nickname] = [this.#text('city'), this.#text('nickname')];
        const [conference, division] = [this.#text('conference'), this.#text('division')];
        const names = { name, abbreviation, aliases: this.#aliases() };
        const is_active = this.#flag('is_active');
        return { ...frame, kind: 'team', facts: { ...names, city, nickname, conference, division, is_active } };
      }
      case 'player': {
        const names = { first_name: this.#text('first_name') ?? '', last_name: this.#required('last_name') };
        const facts = { ...names, position: this.#text('position'), jersey_number: this.#jersey() };
        const is_active = this.#flag('is_active') ?? true;
        return {
          ...frame,
          kind: 'player',
          facts: { ...facts, is_active },
          team: this.#team(),
          playerId: this.#player(),
        };
      }
      case 'venue': {
        const facts = { name: this.#required('name'), city: this.#text('city'), country: this.#text('country') };
        return { ...frame, kind: 'venue', facts };
      }
    }
  }

  #refuse(pointer: string, detail: string): void {
    this.#wrong ??= { code: `bad-${this.#kind}`, pointer, detail };
  }

  #member(name: string): JsonValue {
    return this.#object === null ? null : memberOf(this.#object, name);
  }

  #text(name: string): string | null {
    const value = this.#member(name);
    if (value === null) return null;
    if (typeof value === 'string' && isKeepableName(value)) return value;
    this.#refuse(`/${name}`, `${name} is no name`);
    return null;
  }

  #required(name: string): string {
    const text = this.#text(name);
    if (text === null) this.#refuse(`/${name}`, `${name} is missing`);
    return text ?? '';
  }

  /** An id of the source: a string, or a number as written. */
  #id(name: string): string | null {
    return numberText(this.#member(name)) ?? this.#text(name);
  }

  #flag(name: string): boolean | null {
    const value = this.#member(name);
    if (value === null || typeof value === 'boolean') return value;
    this.#refuse(`/${name}`, `${name} is no boolean`);
    return null;
  }

  #aliases(): string[] {
    const value = this.#member('aliases') ?? [];
    if (!isJsonArray(value) || value.length > mostAliases) {
      this.#refuse('/aliases', `aliases is no array of at most ${mostAliases} names`);
      return [];
    }
    const wrong = value.findIndex((alias) => typeof alias !== 'string' || !isKeepableName(alias));
    if (wrong >= 0) this.#refuse(`/aliases/${wrong}`, 'an alias is no name');
    return wrong >= 0 ? [] : (value as string[]);
  }

  #jersey(): number | null {
    const value = this.#member('jersey_number');
    if (value === null) return null;
    const text = numberText(value) ?? value;
    if (typeof text === 'string' && /^[0-9]{1,3}$/.test(text)) return Number(text);
    this.#refuse('/jersey_number', 'jersey_number is not 0 to 999');
    return null;
  }

  #team(): TeamLookup {
    const id = this.#id('team_id');
    if (id !== null) return { by: 'id', id };
    const name = this.#text('team');
    return name === null ? null : { by: 'name', name };
  }

  #player(): string | null {
    const text = this.#text('player_id')?.toLowerCase() ?? null;
    if (text !== null && !isCanonicalUuid(text)) this.#refuse('/player_id', 'player_id is no UUID');
    return text;
  }
}
