// Adapts a pushed body of MSF that is a list of entries about a game each (docs/revisions.md#elements). Entries are parsed one by one and
// only their texts are kept: as objects, those of a large body would take several times its size.
import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import { bodyProblem, isWellFormed } from '../../core/msf/bodies/bad-body.ts';
import { splittingBody } from '../../core/msf/bodies/body.ts';
import { elementMembers } from '../../core/msf/bodies/element.ts';
import { EntriesByGame, type GameEntries } from '../../core/msf/bodies/entries-by-game.ts';
import { readingReferences } from '../../core/msf/bodies/references.ts';
import type { EntriesForm } from '../../core/msf/feeds/feed.ts';
import { listOf, objectOf, valueAt } from '../../core/msf/values.ts';
import { runToEnd, type Task } from '../../core/scheduling/task.ts';
import { type OpenedBody, openingJsonBody, unlessNotJson } from './json-body.ts';
import { joinedJson, jsonText } from './json-text.ts';
import {
  type AdaptedMsfBody,
  deepBeside,
  type MsfElement,
  type MsfRoute,
  maxDepth,
  mayHaveSurrogates,
  type RefusedPart,
  refusedWhole,
  stampOf,
  writingReferences,
} from './msf-adapted.ts';

/**
 * The part outside the entries is copied into the element of each game. Beyond the first copy, at most this many characters are allowed.
 */
const mostRepeated = 1024 * 1024;

const elementsOfStep = 64;

export function* adaptEntries(bytes: Uint8Array, route: MsfRoute, form: EntriesForm): Task<AdaptedMsfBody> {
  const refuse = (detail: string, pointer = ''): AdaptedMsfBody => refusedWhole(bytes, { pointer, detail });
  const opened = yield* openingJsonBody(bytes, [form.list], { depth: maxDepth, keepsBeside: true });
  if (opened.kind === 'malformed') return refuse(opened.detail);
  const { value: body, outline } = opened;
  const deep = deepBeside(outline, form.list);
  if (deep !== null) return refuse('nests too deep', deep);
  const isUnicode = !mayHaveSurrogates(bytes);
  const problem = bodyProblem(route.feed, route.league, body, isUnicode || isWellFormed(body));
  if (problem !== null) return refuse(problem.detail, problem.pointer);
  const read = yield* readingEntries(opened, form, bytes, isUnicode);
  if (read.kind === 'malformed') return refuse(read.detail);
  const { games, refused } = read;

  const whole = objectOf(body) ?? {};
  const plain = outline.plainNumbers;
  const around = textAround(whole, form.list, plain);
  if ((games.size - 1) * around.length > mostRepeated)
    return refuse(
      `what stands beside the entries goes into the elements of ${games.size} games: ${mostRepeated} characters of copies at most`,
    );
  const isEmpty = games.size === 0 && refused.length === 0;
  const elements: MsfElement[] = isEmpty ? elementsOfNone(whole, route, plain) : [];
  for (const [msfGameId, { game, first, kept }] of games) {
    const text = joinedJson(texts(around, kept));
    elements.push({ msfGameId, game, pointer: `/${form.list}/${first}/${form.game}`, element: null, text });
    // The entries are released as soon as they are in the text.
    games.delete(msfGameId);
    if (elements.length % elementsOfStep === 0) yield;
  }
  const isRefused = elements.length === 0 && refused.length > 0;
  const references = isRefused ? [] : yield* readingReferences(route.league, route.feed, body);
  return {
    body: null,
    lastUpdatedOn: stampOf(body),
    elements,
    refused,
    references: yield* writingReferences(references, plain),
  };
}

type Opened = Extract<OpenedBody, { kind: 'opened' }>;
type ReadEntries = { kind: 'read'; games: EntriesByGame<string>['games']; refused: RefusedPart[] };

/** The entries of a body by game, and the refused ones. */
function* readingEntries(
  { value: body, outline, spans, elements }: Opened,
  form: EntriesForm,
  bytes: Uint8Array,
  isUnicode: boolean,
): Task<ReadEntries | { kind: 'malformed'; detail: string }> {
  const byGame = new EntriesByGame<string>(form);
  const refused: RefusedPart[] = [];
  let isSound = true;
  const read = yield* unlessNotJson(
    elements(listOf(valueAt(body, form.list)), function* (entry, index) {
      isSound = isUnicode || isWellFormed(entry);
      const problem = byGame.add(entry, index, (kept) => jsonText(kept, outline.plainNumbers));
      const { start, end } = spans[index] ?? { start: 0, end: bytes.length };
      if (problem !== null) refused.push({ ...problem, start, end });
      yield;
      return isSound;
    }),
  );
  if (read.kind === 'malformed') return read;
  if (!isSound) return { kind: 'malformed', detail: 'text that is no valid Unicode' };
  return { kind: 'read', games: byGame.games, refused };
}

/** The element of a body without entries, if the route names a game. */
function elementsOfNone(body: JsonObject, route: MsfRoute, plain: boolean): MsfElement[] {
  return runToEnd(splittingBody({ ...route, body, isUnicode: true })).observations.map((each) => ({
    ...each,
    pointer: '',
    element: null,
    text: joinedJson([jsonText(each.element, plain)]),
  }));
}

/** `length`: of the part around the list. */
type Around = { before: string; behind: string; length: number };

/** The text of an element before and after the entries of its list. */
function textAround(body: JsonObject, list: string, plain: boolean): Around {
  const members = elementMembers(body);
  const at = members.findIndex(([name]) => name === list);
  const textOf = ([name, value]: [string, JsonValue]): string => `${JSON.stringify(name)}:${jsonText(value, plain)}`;
  const before = members.slice(0, at).map((member) => `${textOf(member)},`);
  const behind = members.slice(at + 1).map((member) => `,${textOf(member)}`);
  const texts = [...before, ...behind];
  return {
    before: `{${before.join('')}${JSON.stringify(list)}:[`,
    behind: `]${behind.join('')}}`,
    length: texts.reduce((sum, { length }) => sum + length, 0),
  };
}

function* texts({ before, behind }: Around, kept: GameEntries<string>['kept']): Generator<string> {
  yield before;
  for (const [index, text] of kept.entries()) yield index === 0 ? text : `,${text}`;
  yield behind;
}
