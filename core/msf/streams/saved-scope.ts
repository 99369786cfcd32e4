// A scope's state as plain data, for checkpoints; after a round trip the fold continues as if it had not happened (I21). States are
// recomputed from the feeds, not saved. If a recomputed state differs from the committed one — by its digest or its columns — its stream
// starts over (docs/revisions.md#epochs). Content that several places share is saved once.
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import type { GivenStatus } from '../../../schemas/events/observations.ts';
import { canonicalLine } from '../canonical-row.ts';
import type { FeedContent } from '../states/feed-content.ts';
import { stateOf } from '../states/state.ts';
import type { ChangedRow, MsfDataset, Scope } from '../types.ts';
import type {
  AcceptedObservation,
  HeldFeed,
  HeldFeeds,
  ScopeState,
  Shadow,
  ShadowRevision,
  StreamState,
} from './scope-state.ts';
import { digestOf } from './state-digest.ts';

const savedForm = 1;

/** The number of a content in the table. */
type ContentNumber = number;
type Saved<T extends { content: FeedContent }> = Omit<T, 'content'> & { content: ContentNumber };
type SavedFeed = Saved<HeldFeed>;
/** `columns`: the names of the dataset's columns in its files. */
type SavedStream = Omit<StreamState, 'state'> & { columns: string };
type SavedRevision = Omit<ShadowRevision, 'change'> & { change: Pick<ChangedRow, 'op' | 'row'>[] };

type SavedShadow = Omit<Shadow, 'feeds' | 'stream' | 'revisions' | 'waiting' | 'waitingLength'> & {
  feeds: SavedFeed[];
  stream: SavedStream;
  revisions: SavedRevision[];
  waiting: Saved<AcceptedObservation>[];
  /** Absent in resets saved by earlier releases: what waited by then counts by number alone. */
  waitingLength?: number;
};

type SavedScope = Omit<ScopeState, 'feeds' | 'streams' | 'shadows' | 'hands'> & {
  form: typeof savedForm;
  /** Absent in scopes saved by earlier releases. */
  hands?: readonly GivenStatus[];
  contents: FeedContent[];
  feeds: SavedFeed[];
  streams: SavedStream[];
  shadows: SavedShadow[];
};

/** The state as data that JSON represents exactly. Shares no mutable data with the scope, so folding may continue. */
export function saveScope(state: ScopeState): unknown {
  const contents = new ContentTable();
  const saved: SavedScope = {
    ...state,
    form: savedForm,
    feeds: contents.saveAll(state.feeds.values()),
    streams: Array.from(state.streams.values(), saveStream),
    shadows: Array.from(state.shadows.values(), (shadow) => saveShadow(shadow, contents)),
    contents: contents.contents,
  };
  return saved;
}

/** The state that `saveScope` saved. Any other form is the caller's bug. */
export function loadScope(data: unknown): ScopeState {
  const { form, contents, ...saved } = data as SavedScope;
  if (form !== savedForm) throw new Error(`a saved scope of form ${String(form)} is not known`);
  const feeds = loadFeeds(saved.feeds, contents);
  return {
    ...saved,
    hands: saved.hands ?? [],
    feeds,
    streams: byDataset(saved.streams.map((stream) => loadStream(stream, saved.scope, feeds))),
    shadows: new Map(
      saved.shadows
        .map((shadow) => loadShadow(shadow, saved.scope, contents))
        // A reset that was in progress when the rules of its rows changed is dropped, and run again.
        .filter((shadow) => !shadow.stream.suspect)
        .map((shadow) => [shadow.stream.dataset, shadow]),
    ),
  };
}

function saveStream({ state: _, ...stream }: StreamState): SavedStream {
  return { ...stream, columns: columnsOf(stream.dataset) };
}

function loadStream({ columns, ...saved }: SavedStream, scope: Scope, feeds: HeldFeeds): StreamState {
  const state = saved.head === 0 ? [] : stateOf(saved.dataset, scope, feeds, []);
  const isCommitted = saved.head === 0 || (columns === columnsOf(saved.dataset) && digestOf(state) === saved.digest);
  return { ...saved, state, suspect: saved.suspect || !isCommitted };
}

function columnsOf(dataset: MsfDataset): string {
  return datasetNamed(dataset)
    .columns.map(({ name }) => name)
    .join(' ');
}

function byDataset(streams: readonly StreamState[]): Map<MsfDataset, StreamState> {
  return new Map(streams.map((stream) => [stream.dataset, stream]));
}

function saveShadow(shadow: Shadow, contents: ContentTable): SavedShadow {
  return {
    ...shadow,
    feeds: contents.saveAll(shadow.feeds.values()),
    stream: saveStream(shadow.stream),
    revisions: shadow.revisions.map((revision) => ({
      ...revision,
      change: revision.change.map(({ op, row }) => ({ op, row })),
    })),
    archives: [...shadow.archives],
    waiting: contents.saveAll(shadow.waiting),
  };
}

function loadShadow(saved: SavedShadow, scope: Scope, contents: readonly FeedContent[]): Shadow {
  const feeds = loadFeeds(saved.feeds, contents);
  const stream = loadStream(saved.stream, scope, feeds);
  const { columns } = datasetNamed(stream.dataset);
  const revisions = saved.revisions.map((revision) => ({
    ...revision,
    change: revision.change.map(({ op, row }) => ({ op, row, line: canonicalLine(columns, row) })),
  }));
  const waiting = saved.waiting.map((accepted) => ({ ...accepted, content: contents[accepted.content]! }));
  return { ...saved, feeds, stream, revisions, waiting, waitingLength: saved.waitingLength ?? 0 };
}

function loadFeeds(saved: readonly SavedFeed[], contents: readonly FeedContent[]): HeldFeeds {
  return new Map(saved.map((held) => [held.feed, { ...held, content: contents[held.content]! }]));
}

/** Contents in order of first use, so that equal states are saved alike. */
class ContentTable {
  readonly contents: FeedContent[] = [];
  readonly #numbers = new Map<FeedContent, ContentNumber>();

  saveAll<T extends { content: FeedContent }>(holders: Iterable<T>): Saved<T>[] {
    return Array.from(holders, (holder) => ({ ...holder, content: this.#numberOf(holder.content) }));
  }

  #numberOf(content: FeedContent): ContentNumber {
    let number = this.#numbers.get(content);
    if (number === undefined) {
      number = this.contents.length;
      this.#numbers.set(content, number);
      this.contents.push(content);
    }
    return number;
  }
}
