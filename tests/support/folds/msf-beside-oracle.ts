// Folds a log with the product and with the naive oracle of tests/oracle. The two share no rule; the oracle is given
// only the rows that a set of bodies makes. Each record's verdict, and every stream after every record, must be equal.
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { readFeed } from '../../../core/msf/states/feed-content.ts';
import { type AppliedFeeds, gameFacts } from '../../../core/msf/states/game-state.ts';
import { feedsOf, stateOf } from '../../../core/msf/states/state.ts';
import type { ScopeState, StreamState } from '../../../core/msf/streams/scope-state.ts';
import type { CutRevision, MsfDataset, MsfFeed, Scope } from '../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import type { EpochReset, ObservationsRecord } from '../../../schemas/events/observations.ts';
import { saidOf } from '../../oracle/leagues.ts';
import { freshnessOf, OracleScope, type OracleStream } from '../../oracle/msf-scope.ts';
import type { OracleRevision, OracleWorld, Present } from '../../oracle/msf-stream.ts';
import { msfGameId as arbitraryGame, type LoggedRecord } from '../arbitraries/msf.ts';
import { PureMsf, savedAndLoaded } from './msf-log.ts';

/**
 * Where the two first differ; undefined if they do not. `savedAfter`: whether the state is saved and loaded after a
 * record. A revision is read when it is cut and again at the end, which shows whether anything changed it.
 */
export function firstMsfDifference(
  log: readonly LoggedRecord[],
  savedAfter: (index: number) => boolean,
): { at: number; ours: unknown; oracle: unknown } | undefined {
  const msf = new PureMsf();
  const oracles = new Map<string, OracleScope>();
  const epochs = new Map<string, Epoch[]>();
  const numbers = new Map<string, number>();
  const numberOfOurs = numbered(numbers, ourRevision);
  const numberOfOracle = numbered(numbers, oracleRevision);
  for (const [index, { record, at, body }] of log.entries()) {
    const { scope_uuid: uuid } = record;
    if (record.tick !== null && !msf.scopes.has(uuid)) continue;
    const { scope, effects } = msf.fold(record, at);
    noteEffects(epochs, uuid, effects);
    const oracle = oracles.get(uuid) ?? oracleOf(scope);
    oracles.set(uuid, oracle);
    let verdict: string | null = null;
    if (record.tick !== null) oracle.tick(record.scope_id, uuid, at);
    else if (record.reset !== null) verdict = resetByOracle(oracle, record.reset, at);
    else if (body !== null) verdict = foldByOracle(oracle, record, at, body);
    const state = msf.scopes.get(uuid)!;
    if (savedAfter(index)) msf.scopes.set(uuid, savedAndLoaded(state));
    const account = (our: typeof ourRevision, their: typeof oracleRevision) => ({
      ours: { verdict: effects.outcome?.result ?? null, streams: describeOurs(state, epochs, our) },
      oracle: { verdict, streams: describeOracle(oracle, their) },
    });
    if (!isSame(account(numberOfOurs, numberOfOracle))) return { at: index, ...account(ourRevision, oracleRevision) };
  }
  for (const [uuid, oracle] of oracles) {
    const state = msf.scopes.get(uuid)!;
    const account = {
      ours: describeOurs(state, epochs, ourRevision),
      oracle: describeOracle(oracle, oracleRevision),
    };
    if (!isSame(account)) return { at: log.length - 1, ...account };
  }
  return undefined;
}

/** Gives the oracle an observation, or one that a reset repeats; answers its verdict. */
export function foldByOracle(
  oracle: OracleScope,
  record: ObservationsRecord,
  loggedAt: number,
  body: JsonObject,
): string {
  const { scope_uuid: uuid, scope_id: id, observation } = record;
  if (observation === null) throw new Error(`a record of ${id} without an observation`);
  const { last_updated_on: stamp, rebuild } = observation;
  const said = {
    feed: observation.feed,
    pushed: placeOf(record),
    content: canonicalJson(body),
    loggedAt,
    receivedAt: record.received_at,
    observedAt: observation.observed_at,
    requestStart: observation.request_started_at,
    lastUpdatedOn: stamp === null ? null : parseRfc3339(stamp),
  };
  return rebuild === null ? oracle.observe(id, uuid, said) : oracle.repeat(rebuild, said);
}

/** Gives the oracle the begin or end of a reset; a reset that has not begun cannot end. */
export function resetByOracle(
  oracle: OracleScope,
  { id, dataset, phase, gaps }: EpochReset,
  loggedAt: number,
): 'refused' | null {
  if (phase === 'end') return oracle.endReset(dataset, { id, holes: gaps }, loggedAt);
  oracle.beginReset(dataset, { id, holes: gaps }, loggedAt);
  return null;
}

/** The place of a record in its push. An element of injuries occurs once for each game. */
function placeOf({ push, push_index: index, observation, scope_id: id, league }: ObservationsRecord): string | null {
  if (push === null) return null;
  return observation?.feed === 'injuries' && id !== league ? push : `${push} ${index}`;
}

function isSame({ ours, oracle }: { ours: unknown; oracle: unknown }): boolean {
  return JSON.stringify(ours) === JSON.stringify(oracle);
}

/** A number for each text of `words`, the same for equal texts. `words` runs once for each revision. */
function numbered<Cut extends object>(
  numbers: Map<string, number>,
  words: (cut: Cut) => unknown,
): (cut: Cut) => number {
  const known = new WeakMap<Cut, number>();
  return (cut) => {
    let number = known.get(cut);
    if (number === undefined) {
      const said = JSON.stringify(words(cut));
      number = numbers.get(said) ?? numbers.size;
      numbers.set(said, number);
      known.set(cut, number);
    }
    return number;
  };
}

/** The revisions and archives of one epoch. */
type Epoch = { revisions: CutRevision[]; archives: [number, number][] };

function noteEffects(
  epochs: Map<string, Epoch[]>,
  uuid: string,
  effects: ReturnType<PureMsf['fold']>['effects'],
): void {
  const named = new Map<string, Epoch>();
  const all = (dataset: string): Epoch[] => {
    const key = `${dataset} ${uuid}`;
    const known = epochs.get(key) ?? [];
    epochs.set(key, known);
    return known;
  };
  for (const { dataset, epoch, first, last } of effects.archiveCuts) {
    // An epoch's last archive is cut when the next epoch begins.
    const begins = effects.epochs.find((each) => each.dataset === dataset);
    if (begins !== undefined && begins.replaces === epoch) all(dataset).at(-1)!.archives.push([first, last]);
  }
  for (const { dataset, epoch } of effects.epochs) {
    const begun: Epoch = { revisions: [], archives: [] };
    all(dataset).push(begun);
    named.set(epoch, begun);
  }
  const of = (dataset: string, epoch: string): Epoch => named.get(epoch) ?? all(dataset).at(-1)!;
  for (const cut of effects.revisions) of(cut.dataset, cut.epoch).revisions.push(cut);
  for (const { dataset, epoch, first, last } of effects.archiveCuts) {
    const begins = effects.epochs.find((each) => each.dataset === dataset);
    if (begins?.replaces !== epoch) of(dataset, epoch).archives.push([first, last]);
  }
}

/** A naive scope that takes the rows of bodies, given as canonical texts, from the product's state. */
export function oracleOf({ kind, league, id, uuid }: Scope, msfGameId: number = arbitraryGame): OracleScope {
  const feedsIn = (scope: Scope, present: ReadonlyMap<string, Present>) => appliedFeeds(scope, msfGameId, present);
  const world: OracleWorld = {
    rows(dataset, scopeId, present) {
      const scope: Scope = { kind, league, id: scopeId, uuid };
      return stateOf(dataset as MsfDataset, scope, feedsIn(scope, present), []).map(({ line }) => line);
    },
    key(dataset, line) {
      const { columns, primaryKey } = datasetNamed(dataset as MsfDataset);
      const values = JSON.parse(line) as unknown[];
      return primaryKey.map((name) => String(values[columns.findIndex((column) => column.name === name)]));
    },
    playedStatus: (present) => gameFacts(feedsIn({ kind, league, id, uuid }, present)).playedStatus,
    feedsOf: (dataset) => feedsOf(dataset as MsfDataset),
  };
  const { sport } = saidOf(league);
  const unverifiedPlays = sport === 'hockey' || sport === 'baseball';
  return new OracleScope(world, { isGame: kind === 'game', unverifiedPlays, id });
}

function appliedFeeds(scope: Scope, msfGameId: number, present: ReadonlyMap<string, Present>): AppliedFeeds {
  return new Map(
    Array.from(present, ([name, { content, since }]) => {
      const feed = name as MsfFeed;
      const read = readFeed(feed, scope, scope.kind === 'game' ? msfGameId : null, JSON.parse(content) as JsonObject);
      return [feed, { feed, content: read, contentSince: since }];
    }),
  );
}

function describeOurs(
  state: ScopeState,
  epochs: ReadonlyMap<string, Epoch[]>,
  said: (cut: CutRevision) => unknown,
): unknown {
  return [...state.streams.values()]
    .sort((a, b) => (a.dataset < b.dataset ? -1 : 1))
    .map((stream) => {
      const known = epochs.get(`${stream.dataset} ${state.scope.uuid}`) ?? [];
      return {
        dataset: stream.dataset,
        epochs: known.map(({ revisions, archives }) => ({ revisions: revisions.map(said), archives })),
        settledAt: stream.settledAt,
        kept: [stream.listedFrom, stream.deletedBelow],
        freshness: freshnessMembers(stream),
      };
    });
}

function describeOracle(oracle: OracleScope, said: (cut: OracleRevision) => unknown): unknown {
  return [...oracle.streams]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([dataset, stream]) => {
      const current = stream.epochs.at(-1)!;
      return {
        dataset,
        epochs: stream.epochs.map(({ revisions, archives }) => ({
          revisions: revisions.map(said),
          archives,
        })),
        settledAt: current.settledAt,
        kept: [current.listedFrom, current.deletedBelow],
        freshness: freshnessOf(stream as OracleStream),
      };
    });
}

/** The members of freshness in the oracle's order. */
export function freshnessMembers({ freshness: known }: StreamState): unknown {
  return [
    known.newest_applied_source_updated_at,
    known.last_changed_at,
    known.latest_request_started_at,
    known.last_pull_success_observed_at,
    known.last_normalized_at,
    known.health_observed_at,
  ];
}

/** The parts of a revision that the naive oracle has. */
export function ourRevision(cut: CutRevision): unknown {
  const { sourceObservation: source, coverage } = cut;
  return [
    cut.kind,
    cut.status,
    cut.change.map(({ op, line }) => [op, line]),
    cut.snapshot.map(({ line }) => line),
    cut.snapshotDigest,
    [source.source_updated_at, source.request_started_at, source.timestamp_basis, cut.materializedAt],
    [coverage.state, coverage.coverage_start, coverage.coverage_end, coverage.gaps.length],
    cut.liveCaptureStartedAt,
  ];
}

/** The parts of a revision that the naive oracle has. */
export function oracleRevision(cut: OracleRevision): unknown {
  const { coverage } = cut;
  return [
    cut.kind,
    cut.status,
    cut.change,
    cut.snapshot,
    cut.digest,
    [cut.updated, cut.asked, cut.basis, cut.materializedAt],
    [coverage.state, coverage.start, coverage.end, coverage.gaps],
    cut.liveSince,
  ];
}
