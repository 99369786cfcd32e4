// A scope's state as plain data, for checkpoints: a round trip after which the fold goes on as if it had not been (I21). States are made
// again from the feeds, not saved; one that is not the committed one any more — its digest or its columns are others — marks its stream to be
// started over (docs/revisions.md#epochs). Contents that several places hold are written once.
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

/** A number that stands for a content of the table. */
type ContentNumber = number;
type Saved<T extends { content: FeedContent }> = Omit<T, 'content'> & { content: ContentNumber };
type SavedFeed = Saved<HeldFeed>;
/** `columns`: the names of the dataset's, as its files had them. */
type SavedStream = Omit<StreamState, 'state'> & { columns: string };
type SavedRevision = Omit<ShadowRevision, 'change'> & { change: Pick<ChangedRow, 'op' | 'row'>[] };

type SavedShadow = Omit<Shadow, 'feeds' | 'stream' | 'revisions' | 'waiting'> & {
  feeds: SavedFeed[];
  stream: SavedStream;
  revisions: SavedRevision[];
  waiting: Saved<AcceptedObservation>[];
};

type SavedScope = Omit<ScopeState, 'feeds' | 'streams' | 'shadows' | 'hands'> & {
  form: typeof savedForm;
  /** Scopes saved before they were remembered have none. */
  hands?: readonly GivenStatus[];
  contents: FeedContent[];
  feeds: SavedFeed[];
  streams: SavedStream[];
  shadows: SavedShadow[];
};

/** The state as data that JSON keeps whole. Shares nothing that changes with the scope, which may go on being folded. */
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

/** The state that `saveScope` saved. Data of any other form is a defect of the caller. */
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
        // A reset that was half-way when the rules of its rows changed is run again.
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
  const waiting = saved.waiting.map((said) => ({ ...said, content: contents[said.content]! }));
  return { ...saved, feeds, stream, revisions, waiting };
}

function loadFeeds(saved: readonly SavedFeed[], contents: readonly FeedContent[]): HeldFeeds {
  return new Map(saved.map((held) => [held.feed, { ...held, content: contents[held.content]! }]));
}

/** Contents in the order they first came, so that equal states are saved alike. */
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
