// The words of an element: its canonical text, put together from those of its entries (plays, players of a box score, gamelogs). Most entries
// of an observation are those of the one before, word for word: they are known by their words, and neither their canonical text nor what was
// read in them is made again. What is remembered is no part of any state: without it all is read once more, and says the same.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../json/value.ts';
import type { League } from '../units.ts';
import { isWellFormed, listsOf } from './bad-body.ts';
import { elementOf } from './element.ts';
import type { FeedContent } from './feed-content.ts';
import type { MsfFeed } from './types.ts';

/** An entry of a list; the same one as long as the list holds these words. */
export class Entry {
  readonly words: string;
  readonly canonical: string;
  #about: object | null = null;
  #read: unknown = null;

  constructor(words: string, canonical: string) {
    this.words = words;
    this.canonical = canonical;
  }

  /** What `read` makes of the entry, once for each `about`: it may follow from nothing but that and the words. */
  read<T>(about: object, read: () => T): T {
    if (this.#about !== about) {
      this.#read = read();
      this.#about = about;
    }
    return this.#read as T;
  }
}

/** The entries of each list, by its path. `key`: all that `about` stands for. */
type Remembered = { lists: ReadonlyMap<string, readonly Entry[]>; key: string; about: object };

/** What was read to make a content, for as long as the content is the newest of its feed. */
const remembered = new WeakMap<FeedContent, Remembered>();

/** As far a list is looked through for the words of an entry: so many in a row may be gone. */
const farthest = 16;

export type ElementText = {
  /** As `sourceRevision` of element.ts has it. */
  readonly sourceRevision: string;
  readonly isWellFormed: boolean;
  /** The entries of a list of the element, in its order. */
  entriesOf(list: JsonValue): readonly Entry[];
  /** What stands for `key`, a text of all that entries are read by beside their words: the same object as long as it is the same. */
  aboutOf(key: string): object;
  /** Has the next text know these entries, once `content` is what they say. */
  remember(content: FeedContent): void;
};

/** Reads an element that JSON.parse made; `before`: the newest content of its feed. */
export function readText(feed: MsfFeed, league: League, element: JsonObject, before: FeedContent | null): ElementText {
  const known = before === null ? undefined : remembered.get(before);
  const lists = new Map<string, readonly Entry[]>();
  const ofList = new Map<JsonValue, readonly Entry[]>();
  const textOf = (list: readonly JsonValue[], path: string): string => {
    const entries = readEntries(list, known?.lists.get(path) ?? []);
    lists.set(path, entries);
    ofList.set(list, entries);
    return entries.map(({ canonical }) => canonical).join(',');
  };
  const digest = createHash('sha256');
  let hasLone = false;
  for (const piece of textAround(elementOf(element), listsOf(feed, league), textOf)) {
    digest.update(piece, 'utf8');
    hasLone ||= piece.includes(loneSurrogate);
  }
  let key = known?.key ?? '';
  let about = known?.about ?? {};
  return {
    sourceRevision: `sha256:${digest.digest('hex')}`,
    isWellFormed: (!hasLone && !hasMore(element)) || isWellFormed(element),
    entriesOf: (list) => ofList.get(list) ?? [],
    aboutOf(now) {
      if (key !== now) about = {};
      key = now;
      return about;
    },
    remember(content) {
      if (before !== null) remembered.delete(before);
      remembered.set(content, { lists, key, about });
    },
  };
}

/** The entries of a list: those of the list before are met again in its order. */
function readEntries(list: readonly JsonValue[], before: readonly Entry[]): readonly Entry[] {
  let at = 0;
  return list.map((value) => {
    const words = JSON.stringify(value);
    const last = Math.min(before.length, at + farthest);
    for (let next = at; next < last; next += 1) {
      const entry = before[next] as Entry;
      if (entry.words !== words) continue;
      at = next + 1;
      return entry;
    }
    return new Entry(words, canonicalJson(value));
  });
}

/** The canonical text of `value` in pieces, with what `textOf` makes of the lists at these paths between their brackets. */
function* textAround(
  value: JsonValue,
  paths: readonly (readonly string[])[],
  textOf: (list: readonly JsonValue[], path: string) => string,
  walked = '',
): Iterable<string> {
  if (isJsonArray(value) && paths.some((path) => path.length === 0)) {
    yield '[';
    yield textOf(value, walked);
    yield ']';
  } else if (isJsonObject(value) && paths.length > 0) {
    let before = '{';
    for (const name of Object.keys(value).sort()) {
      yield `${before}${JSON.stringify(name)}:`;
      const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      yield* textAround(memberOf(value, name), inside, textOf, `${walked}/${name}`);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield canonicalJson(value);
}

/** Canonical text escapes a surrogate that stands alone, and has this else only where a backslash stands before those letters. */
const loneSurrogate = '\\ud';

/** What the canonical text of an element leaves out. */
function hasMore(element: JsonObject): boolean {
  return Object.hasOwn(element, 'references') || Object.hasOwn(element, 'lastUpdatedOn');
}
