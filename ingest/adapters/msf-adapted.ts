// The result of adapting a pushed body of MSF (docs/revisions.md#observations).
import type { JsonOutline } from '../../core/json/scan.ts';
import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import type { BadBody } from '../../core/msf/bodies/bad-body.ts';
import type { MsfGame } from '../../core/msf/bodies/game-object.ts';
import type { MsfReference } from '../../core/msf/bodies/references.ts';
import type { MsfFeed } from '../../core/msf/types.ts';
import { textOf, valueAt } from '../../core/msf/values.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { jsonText, type WrittenJson } from './json-text.ts';

/** What the route says about a body: `game` is its `game=` parameter. */
export type MsfRoute = { league: League; feed: MsfFeed; game: string | null };

/** An element, the game that it names, and where in the body that game's object is. For a league's scope both ids are null. */
export type MsfElement = {
  msfGameId: number | null;
  game: MsfGame | null;
  pointer: string;
  /**
   * Only for a feed from whose elements those of games are made; null for any other, because an object takes several times the memory of
   * its text.
   */
  element: JsonObject | null;
  /** JSON text of the element, with its numbers as they were written. */
  text: WrittenJson;
};

/** A refused part: bytes [start, end) of the body. */
export type RefusedPart = BadBody & { start: number; end: number };

/** A reference with its JSON text instead of its value, which would keep the whole parsed body in memory. */
export type WrittenReference = DistributiveOmit<MsfReference, 'value'> & { text: string };
type DistributiveOmit<Union, Name extends string> = Union extends unknown ? Omit<Union, Name> : never;

export type AdaptedMsfBody = {
  /** For a body of game lines, which are handled as quotes; null for any other. */
  body: JsonValue;
  /** The body's own stamp as it was written; null if it cannot be a time. */
  lastUpdatedOn: string | null;
  elements: readonly MsfElement[];
  refused: readonly RefusedPart[];
  /** Empty if nothing of the body is acceptable. The caller may take them out. */
  references: WrittenReference[];
};

const referencesOfStep = 64;

/** `plain`: see `jsonText`. */
export function* writingReferences(references: readonly MsfReference[], plain: boolean): Task<WrittenReference[]> {
  const written: WrittenReference[] = [];
  for (const { value, ...reference } of references) {
    written.push({ ...reference, text: jsonText(value, plain) });
    if (written.length % referencesOfStep === 0) yield;
  }
  return written;
}

/** Longer than any time. */
const longestStamp = 128;

export function stampOf(body: JsonValue): string | null {
  const stamp = textOf(valueAt(body, 'lastUpdatedOn'));
  return stamp !== null && stamp.length <= longestStamp ? stamp : null;
}

export function refusedWhole(bytes: Uint8Array, refused: BadBody): AdaptedMsfBody {
  const part = { ...refused, start: 0, end: bytes.length };
  return { body: null, lastUpdatedOn: null, elements: [], refused: [part], references: [] };
}

/** Whether a body in UTF-8 could contain a lone surrogate: only an escape can express one. */
export function mayHaveSurrogates(bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return body.includes('\\ud') || body.includes('\\uD');
}

/** The place of an element that nests too deep, in a list other than `ownList`; null: there is none. */
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

/** The fold reads elements with 32 levels; two of them surround the entry of a list. */
export const maxDepth = 30;
