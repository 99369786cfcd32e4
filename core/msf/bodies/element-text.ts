// The text of an element: its canonical form, put together from those of its entries (plays, players of a box score, gamelogs). Most entries
// of an observation are those of the one before, and are met again as they were: neither their canonical form nor what was read in them is made
// again. What is remembered is no part of any state: without it all is read once more, and says the same.
import type { League } from '../../../schemas/reference/leagues.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { JsonComparer } from '../../json/same.ts';
import { type Hashed, hashTexts } from '../../json/text-hash.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { listsOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { isWellFormed } from './bad-body.ts';
import { elementOf } from './element.ts';

/** An entry of a list; the same one as long as the list holds this value. */
export class Entry {
  readonly value: JsonValue;
  readonly canonical: string;
  readonly isWellFormed: boolean;
  /** It was looked through, and all its statistics give rows. */
  givesRows = false;
  #about: object | null = null;
  #read: unknown = null;

  constructor(value: JsonValue) {
    this.value = value;
    this.canonical = canonicalJson(value);
    this.isWellFormed = !this.canonical.includes(loneSurrogate);
  }

  /** What `read` makes of the entry, once for each `about`: it may follow from nothing but that and the value. */
  read<T>(about: object, read: () => T): T {
    if (this.#about !== about) {
      this.#read = read();
      this.#about = about;
    }
    return this.#read as T;
  }
}

/** The entries of each list, by its path. `key`: all that `about` stands for. */
type Remembered = { lists: ReadonlyMap<string, readonly Entry[]>; text: Hashed<string>; key: string; about: object };

/** What was read to make a content, whatever that is. */
const remembered = new WeakMap<object, Remembered>();

/** As far a list is looked through for a value: so many entries in a row may be gone. */
const farthest = 16;

export type ElementText = {
  /** `sha256:` and the hash of the element's RFC 8785 form, in which `lastUpdatedOn` and `references` have no part. */
  readonly sourceRevision: string;
  readonly isWellFormed: boolean;
  /** The entries of a list of the element, in its order. */
  entriesOf(list: JsonValue): readonly Entry[];
  /** What stands for `key`, a text of all that entries are read by beside their values: the same object as long as it is the same. */
  aboutOf(key: string): object;
  /** Has the next text know these entries, once `content` is what they say. */
  remember(content: object): void;
};

/** Reads an element that JSON.parse made; `before`: the newest content of its feed. */
export function readText(feed: MsfFeed, league: League, element: JsonObject, before: object | null): ElementText {
  const known = before === null ? undefined : remembered.get(before);
  const lists = new Map<string, readonly Entry[]>();
  const comparer = new JsonComparer();
  const ofList = new Map<JsonValue, readonly Entry[]>();
  const pieces: string[] = [];
  let isSound = !hasMore(element);
  writeAround(elementOf(element), listsOf(feed, league), '', {
    text(piece) {
      pieces.push(piece);
      isSound &&= !piece.includes(loneSurrogate);
    },
    list(list, path) {
      const entries = readEntries(list, known?.lists.get(path) ?? [], comparer);
      lists.set(path, entries);
      ofList.set(list, entries);
      for (const [index, entry] of entries.entries()) {
        pieces.push(index === 0 ? '[' : ',', entry.canonical);
        isSound &&= entry.isWellFormed;
      }
      pieces.push(entries.length === 0 ? '[]' : ']');
    },
  });
  const text = hashTexts(pieces, { textOf: (piece) => piece, inLines: false }, known?.text ?? null);
  let key = known?.key ?? '';
  let about = known?.about ?? {};
  return {
    sourceRevision: `sha256:${text.sha256}`,
    isWellFormed: isSound || isWellFormed(element),
    entriesOf: (list) => ofList.get(list) ?? [],
    aboutOf(now) {
      if (key !== now) about = {};
      key = now;
      return about;
    },
    remember(content) {
      remembered.set(content, { lists, text, key, about });
    },
  };
}

/** The entries of a list: those of the list before are met again in its order. */
function readEntries(list: readonly JsonValue[], before: readonly Entry[], comparer: JsonComparer): readonly Entry[] {
  let at = 0;
  return list.map((value) => {
    const last = Math.min(before.length, at + farthest);
    for (let next = at; next < last; next += 1) {
      const entry = before[next] as Entry;
      if (!comparer.isSame(entry.value, value)) continue;
      at = next + 1;
      return entry;
    }
    return new Entry(value);
  });
}

type Writing = { text(piece: string): void; list(list: readonly JsonValue[], path: string): void };

/** Writes the canonical text of `value`, but for the lists at `paths`, which lie at `walked` and below. */
function writeAround(value: JsonValue, paths: readonly (readonly string[])[], walked: string, writing: Writing): void {
  if (isJsonArray(value) && paths.some((path) => path.length === 0)) writing.list(value, walked);
  else if (isJsonObject(value) && paths.length > 0) {
    let before = '{';
    for (const name of Object.keys(value).sort()) {
      writing.text(`${before}${JSON.stringify(name)}:`);
      const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      writeAround(memberOf(value, name), inside, `${walked}/${name}`, writing);
      before = ',';
    }
    writing.text(before === '{' ? '{}' : '}');
  } else writing.text(canonicalJson(value));
}

/** Canonical text escapes a surrogate that stands alone, and has this else only where a backslash stands before those letters. */
const loneSurrogate = '\\ud';

/** What the canonical text of an element leaves out. */
function hasMore(element: JsonObject): boolean {
  return Object.hasOwn(element, 'references') || Object.hasOwn(element, 'lastUpdatedOn');
}
