// The canonical text of an element, joined from the texts of its entries (plays, players of a box score, gamelogs). Most entries repeat
// those of the previous observation; their canonical text and what was read from them are reused. This is a cache and no part of any state:
// without it everything is read again with the same result.
import type { League } from '../../../schemas/reference/leagues.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { JsonComparer } from '../../json/same.ts';
import { type Hashed, hashTexts } from '../../json/text-hash.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { listsOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { isWellFormed } from './bad-body.ts';
import { elementOf } from './element.ts';

/** An entry of a list. The same object is reused as long as the list contains this value. */
export class Entry {
  readonly value: JsonValue;
  readonly canonical: string;
  readonly isWellFormed: boolean;
  /** All its statistics have been checked and give rows. */
  givesRows = false;
  #about: object | null = null;
  #read: unknown = null;

  constructor(value: JsonValue) {
    this.value = value;
    this.canonical = canonicalJson(value);
    this.isWellFormed = !this.canonical.includes(loneSurrogate);
  }

  /** The result of `read`, computed once per `about`; it must depend only on `about` and the value. */
  read<T>(about: object, read: () => T): T {
    if (this.#about !== about) {
      this.#read = read();
      this.#about = about;
    }
    return this.#read as T;
  }
}

/** The entries of each list, by its path. `key`: the inputs that `about` stands for. */
type Remembered = { lists: ReadonlyMap<string, readonly Entry[]>; text: Hashed<string>; key: string; about: object };

/** What was read to make a content, by the content object. */
const remembered = new WeakMap<object, Remembered>();

/** How far to search the previous list for a value: so many entries in a row may have disappeared. */
const farthest = 16;

export type ElementText = {
  /** `sha256:` and the hash of the element's RFC 8785 form without `lastUpdatedOn` and `references`. */
  readonly sourceRevision: string;
  readonly isWellFormed: boolean;
  /** The entries of a list of the element, in order. */
  entriesOf(list: JsonValue): readonly Entry[];
  /**
   * The object that stands for `key`, the inputs besides their values that entries are read with. The same object while `key` is the same.
   */
  aboutOf(key: string): object;
  /** Lets the next text reuse these entries; `content` is what was read from them. */
  remember(content: object): void;
};

/** Reads an element made by JSON.parse; `before`: the newest content of its feed. */
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

/** The entries of a list. Entries of the previous list are reused, in its order. */
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

/** Writes the canonical text of `value`, but hands the lists at `paths` to the caller; `paths` are relative to `walked`. */
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

/** Canonical text escapes a lone surrogate like this; elsewhere it has these letters only after a backslash. */
const loneSurrogate = '\\ud';

/** Whether the element has members that its canonical text leaves out. */
function hasMore(element: JsonObject): boolean {
  return Object.hasOwn(element, 'references') || Object.hasOwn(element, 'lastUpdatedOn');
}
