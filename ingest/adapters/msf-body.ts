// A pushed body of MSF (docs/revisions.md#observations): its bytes read without losing a digit, split into elements by the rules of core/msf,
// and what is refused of it found again in the bytes. Total: whatever the bytes are, they cost their body at most. Unaware of who sent them
// and of games.
import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import type { BadBody } from '../../core/msf/bodies/bad-body.ts';
import { splittingBody } from '../../core/msf/bodies/body.ts';
import type { MsfGame } from '../../core/msf/bodies/game-object.ts';
import { type MsfReference, readingReferences } from '../../core/msf/bodies/references.ts';
import { descriptorOf, gamePartsOf } from '../../core/msf/feeds/feeds.ts';
import type { MsfFeed } from '../../core/msf/types.ts';
import { int64Of, listOf, textOf, valueAt } from '../../core/msf/values.ts';
import type { Steps } from '../../core/steps.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { parsingJsonBody } from './json-body.ts';
import { type WrittenJson, writingJson } from './json-text.ts';

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
type RefusedPart = BadBody & { start: number; end: number };

export type AdaptedMsfBody = {
  /** Of a body of lines, which goes the quotes' way; null: of any other. */
  body: JsonValue;
  /** The body's own stamp as it was written; null where it is no text that a time could be. */
  lastUpdatedOn: string | null;
  elements: readonly MsfElement[];
  refused: readonly RefusedPart[];
  /** None where nothing of the body is acceptable. */
  references: readonly MsfReference[];
};

/** The fold reads elements of 32 levels; two are around the entry of a list. */
const maxDepth = 30;
/** No time is longer. */
const longestStamp = 128;

/** The elements of a body, and what of it is `bad-body`. A whole body of `odds_gamelines` has neither. */
export function* adaptMsfBody(bytes: Uint8Array, route: MsfRoute): Steps<AdaptedMsfBody> {
  const parsed = yield* parsingJsonBody(bytes, { depth: maxDepth });
  const whole = { start: 0, end: bytes.length };
  if (parsed.kind === 'malformed') return refusedWhole(null, { pointer: '', detail: parsed.detail, ...whole });
  const { value: body, outline } = parsed;
  const { form } = descriptorOf(route.feed);
  const ownList = form.kind === 'entries' || form.kind === 'game-lines' ? form.list : null;
  for (const [list, spans] of outline.members) {
    const deep = spans.findIndex(({ tooDeep }) => tooDeep);
    if (deep >= 0 && list !== ownList) {
      return refusedWhole(body, { pointer: `/${escaped(list)}/${deep}`, detail: 'nests too deep', ...whole });
    }
  }
  const isUnicode = mayHaveSurrogates(bytes) ? {} : { isUnicode: true };
  const { observations, refusals } = yield* splittingBody({ ...route, body, ...isUnicode });
  const spans = ownList === null ? [] : (outline.members.get(ownList) ?? []);
  const refused: RefusedPart[] = [];
  for (const { pointer, detail } of refusals) {
    const { start, end } = spans[indexIn(pointer, ownList)] ?? whole;
    refused.push({ pointer, detail, start, end });
    if (refused.length % partsOfStep === 0) yield;
  }
  const isRefused = observations.length === 0 && refused.length > 0;
  const places = gamePlaces(route.feed, body);
  const stamp = textOf(valueAt(body, 'lastUpdatedOn'));
  const elements: MsfElement[] = [];
  for (const each of observations) {
    const text = yield* writingJson(each.element, outline.plainNumbers);
    const element = gamePartsOf(route.feed) === null ? null : each.element;
    elements.push({ ...each, element, pointer: each.game === null ? '' : places(each.game.id), text });
  }
  return {
    body: form.kind === 'game-lines' ? body : null,
    lastUpdatedOn: stamp !== null && stamp.length <= longestStamp ? stamp : null,
    elements,
    refused,
    references: isRefused ? [] : yield* readingReferences(route.league, route.feed, body),
  };
}

const partsOfStep = 256;

/** Whether a body in UTF-8 could say half of a character: by an escape alone. */
function mayHaveSurrogates(bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return body.includes('\\ud') || body.includes('\\uD');
}

function refusedWhole(body: JsonValue, refused: RefusedPart): AdaptedMsfBody {
  return { body, lastUpdatedOn: null, elements: [], refused: [refused], references: [] };
}

/** The place in `list` that a pointer names, or goes through; -1 for one of another place. */
function indexIn(pointer: string, list: string | null): number {
  const [, name, index = ''] = pointer.split('/');
  return name === list && /^[0-9]+$/.test(index) ? Number(index) : -1;
}

/** Where the body names a game: of several entries of one game, the first. */
function gamePlaces(feed: MsfFeed, body: JsonValue): (id: number) => string {
  const { form } = descriptorOf(feed);
  if (form.kind !== 'entries') return () => '/game';
  const first = new Map<number | null, number>();
  for (const [index, entry] of listOf(valueAt(body, form.list)).entries()) {
    const id = int64Of(valueAt(entry, form.game, 'id'));
    if (!first.has(id)) first.set(id, index);
  }
  return (id) => `/${form.list}/${first.get(id) ?? 0}/${form.game}`;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
