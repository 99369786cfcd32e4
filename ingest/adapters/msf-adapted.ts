// What is made of a pushed body of MSF, whichever way it is read (docs/revisions.md#observations).
import type { JsonOutline } from '../../core/json/scan.ts';
import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import type { BadBody } from '../../core/msf/bodies/bad-body.ts';
import type { MsfGame } from '../../core/msf/bodies/game-object.ts';
import type { MsfReference } from '../../core/msf/bodies/references.ts';
import type { MsfFeed } from '../../core/msf/types.ts';
import { textOf, valueAt } from '../../core/msf/values.ts';
import type { Steps } from '../../core/steps.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { jsonText, type WrittenJson } from './json-text.ts';

/** What the route says of a body: `game` is its `game=`. */
export type MsfRoute = { league: League; feed: MsfFeed; game: string | null };

/** An element, the game that it names, and where in the body that game's object is. Of a league's scope both ids are null. */
export type MsfElement = {
  msfGameId: number | null;
  game: MsfGame | null;
  pointer: string;
  /** Of a feed that has parts for games, which are made of it; null: of any other, since it takes several times as much as its text. */
  element: JsonObject | null;
  /** JSON text of the element, its numbers as they were written. */
  text: WrittenJson;
};

/** Refused: bytes [start, end) of the body. */
export type RefusedPart = BadBody & { start: number; end: number };

/** A reference with its JSON text instead of its value, which would keep all that was parsed of the body. */
export type WrittenReference = DistributiveOmit<MsfReference, 'value'> & { text: string };
type DistributiveOmit<Union, Name extends string> = Union extends unknown ? Omit<Union, Name> : never;

export type AdaptedMsfBody = {
  /** Of a body of lines, which goes the quotes' way; null: of any other. */
  body: JsonValue;
  /** The body's own stamp as it was written; null where it is no text that a time could be. */
  lastUpdatedOn: string | null;
  elements: readonly MsfElement[];
  refused: readonly RefusedPart[];
  /** None where nothing of the body is acceptable. They may be taken out of it. */
  references: WrittenReference[];
};

const referencesOfStep = 64;

/** `plain`: as `jsonText` has it. */
export function* writingReferences(references: readonly MsfReference[], plain: boolean): Steps<WrittenReference[]> {
  const written: WrittenReference[] = [];
  for (const { value, ...reference } of references) {
    written.push({ ...reference, text: jsonText(value, plain) });
    if (written.length % referencesOfStep === 0) yield;
  }
  return written;
}

/** No time is longer. */
const longestStamp = 128;

export function stampOf(body: JsonValue): string | null {
  const stamp = textOf(valueAt(body, 'lastUpdatedOn'));
  return stamp !== null && stamp.length <= longestStamp ? stamp : null;
}

export function refusedWhole(bytes: Uint8Array, refused: BadBody): AdaptedMsfBody {
  const part = { ...refused, start: 0, end: bytes.length };
  return { body: null, lastUpdatedOn: null, elements: [], refused: [part], references: [] };
}

/** Whether a body in UTF-8 could say half of a character: by an escape alone. */
export function mayHaveSurrogates(bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return body.includes('\\ud') || body.includes('\\uD');
}

/** The place of an element that nests too deep, of the lists beside `ownList`; null: there is none. */
export function deepBeside({ members }: Pick<JsonOutline, 'members'>, ownList: string | null): string | null {
  for (const [list, spans] of members) {
    const deep = spans.findIndex(({ tooDeep }) => tooDeep);
    if (deep >= 0 && list !== ownList) return `/${escaped(list)}/${deep}`;
  }
  return null;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The fold reads elements of 32 levels; two are around the entry of a list. */
export const maxDepth = 30;
