// What the fold knows of one scope: the newest applied observation of each feed, the streams made from them, and the open resets. Plain
// data, changed in place by the record being folded. A stream's rows are a pure function of the feeds and are never saved.
import type { GivenStatus } from '../../../schemas/events/observations.ts';
import type { GameStatus } from '../../games/status.ts';
import type { Micros } from '../../units.ts';
import type { AppliedFeed, FeedContent } from '../states/feed-content.ts';
import type { Lineups } from '../states/lineups.ts';
import type {
  ChangedRow,
  Coverage,
  DatasetState,
  Freshness,
  MsfDataset,
  MsfFeed,
  Revision,
  RevisionStatus,
  Scope,
  SourceObservation,
} from '../types.ts';
import { noFreshness } from './freshness.ts';
import type { ObservationTimes } from './order.ts';

/** What is remembered of an observation besides its content. */
export type Observed = {
  source: SourceObservation;
  times: ObservationTimes;
  /** It came without `X-Observed-At`. */
  live: boolean;
  /** A reset brought it again. */
  rebuilt: boolean;
  /** Its push and its place there; null if it was not pushed. */
  pushed: string | null;
  /** Log time of its record. */
  loggedAt: Micros;
};

/** An observation that may be applied. `lineups`: only from the feed `lineup`. `badValues`: pointers of values that give no row. */
export type AcceptedObservation = {
  feed: MsfFeed;
  content: FeedContent;
  observed: Observed;
  lineups: Lineups | null;
  badValues: readonly string[];
};

/**
 * The newest applied observation of a feed. `serial`: its number among all applied ones; `pushed`: the last applied pushes, the newest
 * last.
 */
export type HeldFeed = AppliedFeed &
  Pick<AcceptedObservation, 'badValues'> & { observed: Observed; serial: number; pushed: readonly string[] };

export type HeldFeeds = Map<MsfFeed, HeldFeed>;

/**
 * A run of revisions: those up to `through` that the previous runs do not have. Their retention counts from `since`
 * (docs/revisions.md#retention). The first revision of every run but the first was cut at its `since`.
 */
export type KeptRun = { through: number; since: Micros };

/** A stream of the current epoch. */
export type StreamState = {
  dataset: MsfDataset;
  epoch: string;
  /** The newest revision; 0 before the first. */
  head: number;
  state: DatasetState;
  digest: string;
  status: RevisionStatus;
  /** The coverage of the newest revision. */
  coverage: Coverage | null;
  /** `source_updated_at` of the first and the last applied observation of its feeds. */
  coverageStart: Micros | null;
  coverageEnd: Micros | null;
  /** What is missing from a rebuilt history. */
  holes: readonly string[];
  liveCaptureStartedAt: Micros | null;
  freshness: Freshness;
  /** The oldest revision that no archive has; above `head` if all are archived. */
  firstUnarchived: number;
  /** Log time of the newest revision. */
  lastCutAt: Micros;
  settledAt: Micros | null;
  runs: readonly KeptRun[];
  listedFrom: number;
  deletedBelow: number;
  /** Its recomputed state may differ from the committed one: the next record starts it over (docs/revisions.md#epochs). */
  suspect: boolean;
};

/** A revision of an epoch that is not published yet; its state is that of the previous one plus its change. */
export type ShadowRevision = Revision & { change: readonly ChangedRow[] };

/** An open reset (docs/revisions.md#epochs): its observations are folded separately and published when it ends. */
export type Shadow = {
  id: string;
  /** Log time of its `begin`. */
  begunAt: Micros;
  holes: readonly string[];
  feeds: HeldFeeds;
  stream: StreamState;
  revisions: ShadowRevision[];
  archives: { first: number; last: number }[];
  /** Live observations since its `begin`, in log order: newer than all that the reset brings. */
  waiting: AcceptedObservation[];
  /** The length of their elements' texts. */
  waitingLength: number;
};

export type ScopeState = {
  scope: Scope;
  logTime: Micros;
  /** How many observations were applied, including those of resets. */
  serial: number;
  feeds: HeldFeeds;
  streams: Map<MsfDataset, StreamState>;
  shadows: Map<MsfDataset, Shadow>;
  /** The game's status after all legal moves, and the status that MSF's feeds last gave. */
  status: GameStatus | null;
  toldStatus: GameStatus | null;
  /** The statuses set by the administrator that the forwarder may still publish again; the newest last. */
  hands: readonly GivenStatus[];
  /** The newest start from the schedule. */
  scheduledStart: Micros | null;
  /** Log time at which the game was first seen completed. */
  completedAt: Micros | null;
  /** From the newest applied `lineup`. */
  lineups: Lineups | null;
};

export function newScope(scope: Scope): ScopeState {
  return {
    scope,
    logTime: 0,
    serial: 0,
    feeds: new Map(),
    streams: new Map(),
    shadows: new Map(),
    status: null,
    toldStatus: null,
    hands: [],
    scheduledStart: null,
    completedAt: null,
    lineups: null,
  };
}

/** A stream before its first revision. */
export function newStream(dataset: MsfDataset, epoch: string): StreamState {
  return {
    dataset,
    epoch,
    head: 0,
    state: [],
    digest: '',
    status: 'provisional',
    coverage: null,
    coverageStart: null,
    coverageEnd: null,
    holes: [],
    liveCaptureStartedAt: null,
    freshness: noFreshness,
    firstUnarchived: 1,
    lastCutAt: 0,
    settledAt: null,
    runs: [],
    listedFrom: 1,
    deletedBelow: 1,
    suspect: false,
  };
}

/**
 * Facts that two owners compare to show that they folded the same records of a scope: its order, its streams and its times. Digests stand
 * for the rows.
 */
export function factsOf(state: ScopeState): unknown {
  const { scope, logTime, serial, feeds, streams, shadows, status, toldStatus, scheduledStart, completedAt } = state;
  return [
    scope.uuid,
    scope.id,
    logTime,
    serial,
    [status, toldStatus, scheduledStart, completedAt],
    Array.from(feeds.values(), ({ feed, contentSince, observed: { source, times } }) => {
      return [feed, contentSince, source.source_revision, times.asked, times.updated];
    }),
    Array.from(streams.values(), streamFacts),
    Array.from(shadows.values(), ({ id, stream, waiting }) => [id, streamFacts(stream), waiting.length]),
  ];
}

function streamFacts(stream: StreamState): unknown {
  const { dataset, epoch, head, digest, status, firstUnarchived, settledAt, listedFrom, deletedBelow } = stream;
  return [dataset, epoch, head, digest, status, firstUnarchived, settledAt, listedFrom, deletedBelow];
}
