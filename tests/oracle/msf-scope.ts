// All streams of one scope, by docs/revisions.md: a list of accepted observations and, for each epoch of a dataset, a
// list of its revisions. Ticks move time on.
import { archive, coverWith, emptyEpoch, type OracleEpoch, unarchived } from './msf-epoch.ts';
import {
  changeOf,
  digestOf,
  isOlder,
  type OracleObservation,
  type OracleRevision,
  type OracleTime,
  type OracleWorld,
  presentOf,
  sorted,
  type TimedObservation,
  timed,
} from './msf-stream.ts';

export type OracleStream = {
  epochs: OracleEpoch[];
  seen: { entry: TimedObservation; result: string }[];
  changes: OracleTime[];
};

/**
 * A reset in progress: an empty scope receives the kept observations again and, at the end, those that arrived
 * meanwhile.
 */
type OracleReset = {
  id: string;
  begun: OracleTime;
  holes: readonly string[];
  again: OracleScope;
  meanwhile: OracleObservation[];
};

const hour = 3_600_000_000;
const day = 24 * hour;
const everyDataset = ['game-state', 'plays', 'player-stats', 'team-stats', 'injuries'];

export class OracleScope {
  readonly streams = new Map<string, OracleStream>();
  readonly #world: OracleWorld;
  readonly #isGame: boolean;
  readonly #unverifiedPlays: boolean;
  readonly #datasets: readonly string[];
  readonly #resets = new Map<string, OracleReset>();
  #id: string;
  #now: OracleTime = 0;
  #applied: TimedObservation[] = [];
  #completedAt: OracleTime | null = null;

  constructor(
    world: OracleWorld,
    scope: { isGame: boolean; unverifiedPlays: boolean; id: string },
    datasets: readonly string[] = everyDataset,
  ) {
    this.#world = world;
    this.#isGame = scope.isGame;
    this.#unverifiedPlays = scope.unverifiedPlays;
    this.#id = scope.id;
    this.#datasets = datasets;
  }

  observe(scopeId: string, uuid: string, observation: OracleObservation): string {
    this.#forgetResets(observation.loggedAt);
    for (const { meanwhile } of this.#resets.values()) meanwhile.push(observation);
    const entry = timed(observation);
    const minted = this.#mint(scopeId, uuid);
    const before = presentOf(this.#applied);
    const newest = this.#applied.filter(({ feed }) => feed === entry.feed).at(-1);
    const copy = this.#applied.some((each) => each.feed === entry.feed && isSamePush(each, entry));
    if (copy) {
      if (minted) this.#reviseMinted(entry.loggedAt);
      return 'duplicate';
    }
    const late = newest !== undefined && isOlder(entry, newest);
    if (!late) this.#applied = [...this.#applied, entry];
    const after = presentOf(this.#applied);
    const agrees =
      !late &&
      newest !== undefined &&
      this.#world.playedStatus(before) === 'COMPLETED' &&
      this.#world.playedStatus(after) === 'COMPLETED';
    const result = late ? 'late' : newest?.content === entry.content ? 'same' : 'applied';
    for (const dataset of this.#datasets) {
      if (!this.#world.feedsOf(dataset).includes(entry.feed)) continue;
      const stream = this.#streamOf(dataset);
      const epoch = stream.epochs.at(-1) as OracleEpoch;
      stream.seen.push({ entry, result });
      if (late) continue;
      epoch.counted.push(entry);
      this.#revise(dataset, entry, entry.loggedAt, agrees);
    }
    const played = this.#world.playedStatus(after);
    if (result === 'applied' && this.#isGame && (played ?? '').startsWith('COMPLETED')) {
      this.#completedAt ??= entry.loggedAt;
    }
    if (minted) this.#reviseMinted(entry.loggedAt);
    return result;
  }

  /** `loggedAt`: when the log appended the tick, if that differs from the time in it. */
  tick(scopeId: string, uuid: string, now: OracleTime, loggedAt: OracleTime = now): void {
    this.#forgetResets(now);
    if (this.#mint(scopeId, uuid)) this.#reviseMinted(loggedAt);
    for (const { epochs } of this.streams.values()) this.#pass(epochs.at(-1) as OracleEpoch, now);
  }

  /** Begins a reset of a dataset and discards one in progress. */
  beginReset(dataset: string, { id, holes }: { id: string; holes: readonly string[] }, now: OracleTime): void {
    this.#forgetResets(now);
    const scope = { isGame: this.#isGame, unverifiedPlays: this.#unverifiedPlays, id: this.#id };
    const again = new OracleScope(this.#world, scope, [dataset]);
    this.#resets.set(dataset, { id, begun: now, holes, again, meanwhile: [] });
  }

  /** Folds a kept observation again, for the reset with this id. */
  repeat(id: string, observation: OracleObservation): string {
    this.#forgetResets(observation.loggedAt);
    const reset = [...this.#resets.values()].find((each) => each.id === id);
    return reset?.again.observe(this.#id, this.#id, observation) ?? 'refused';
  }

  /**
   * Replaces the stream's epoch by the separately folded one, which ends in the applied state even if some observations
   * were not kept.
   */
  endReset(
    dataset: string,
    { id, holes }: { id: string; holes: readonly string[] },
    now: OracleTime,
  ): 'refused' | null {
    this.#forgetResets(now);
    const reset = this.#resets.get(dataset);
    if (reset?.id !== id) return 'refused';
    this.#resets.delete(dataset);
    const { again } = reset;
    for (const observation of reset.meanwhile) again.observe(this.#id, this.#id, observation);
    const { epochs, seen } = again.#streamOf(dataset);
    const epoch = epochs.at(-1) as OracleEpoch;
    const [rebuilt, held] = [presentOf(again.#applied), presentOf(this.#applied)];
    const newest = this.#newestOf(dataset);
    epoch.counted.push(...newest.filter(({ feed }) => rebuilt.get(feed)?.content !== held.get(feed)?.content));
    again.#applied = this.#applied;
    const last = newest.at(-1);
    if (last === undefined) return null;
    again.#revise(dataset, last, now, false);

    epoch.holes = new Set([...reset.holes, ...holes]);
    for (const { coverage } of epoch.revisions) coverWith(coverage, epoch.holes);
    const stream = this.streams.get(dataset) ?? { epochs: [], seen: [], changes: [] };
    this.streams.set(dataset, stream);
    for (const replaced of stream.epochs.slice(-1)) archive(replaced);
    stream.epochs.push(epoch);
    stream.seen.push(...seen);
    stream.changes.push(now);
    return null;
  }

  /** Gives up resets that have not ended within a day. */
  #forgetResets(now: OracleTime): void {
    this.#now = Math.max(this.#now, now);
    for (const [dataset, { begun }] of this.#resets) if (begun + day < this.#now) this.#resets.delete(dataset);
  }

  /** The newest applied observation of each feed of a dataset, in the order in which they were applied. */
  #newestOf(dataset: string): TimedObservation[] {
    return [...presentOf(this.#applied).keys()]
      .filter((feed) => this.#world.feedsOf(dataset).includes(feed))
      .map((feed) => this.#applied.filter((each) => each.feed === feed).at(-1) as TimedObservation)
      .sort((a, b) => this.#applied.indexOf(a) - this.#applied.indexOf(b));
  }

  #streamOf(dataset: string): OracleStream {
    let stream = this.streams.get(dataset);
    if (stream === undefined) {
      stream = { epochs: [emptyEpoch()], seen: [], changes: [] };
      this.streams.set(dataset, stream);
    }
    return stream;
  }

  #mint(scopeId: string, uuid: string): boolean {
    if (this.#id !== uuid || scopeId === uuid) return false;
    this.#id = scopeId;
    for (const [dataset, { epochs }] of this.streams) {
      archive(epochs.at(-1) as OracleEpoch);
      epochs.push({ ...emptyEpoch(), counted: this.#newestOf(dataset) });
    }
    for (const { again } of this.#resets.values()) again.#mint(scopeId, uuid);
    return true;
  }

  #reviseMinted(now: OracleTime): void {
    for (const [dataset, { epochs }] of this.streams) {
      const { revisions, counted } = epochs.at(-1) as OracleEpoch;
      const newest = counted.at(-1);
      if (revisions.length === 0 && newest !== undefined) this.#revise(dataset, newest, now, false);
    }
  }

  #revise(dataset: string, entry: TimedObservation, now: OracleTime, agrees: boolean): void {
    const stream = this.streams.get(dataset) as OracleStream;
    const epoch = stream.epochs.at(-1) as OracleEpoch;
    const head = epoch.revisions.at(-1);
    const before = head?.snapshot ?? [];
    const lines = this.#world.rows(dataset, this.#id, presentOf(this.#applied));
    const after = sorted(this.#world, dataset, lines);
    const differs = JSON.stringify(before) !== JSON.stringify(after);
    const verifies = agrees && head !== undefined && !differs && head.status === 'provisional';
    if (differs) stream.changes.push(now);
    if (head !== undefined && !differs && !verifies) return;
    const gaps = dataset === 'plays' && this.#unverifiedPlays ? 1 : 0;
    const first = epoch.counted[0] as TimedObservation;
    const last = epoch.counted.at(-1) as TimedObservation;
    const { kind, change } = changeOf(this.#world, dataset, head === undefined, before, after);
    epoch.revisions.push({
      kind,
      change,
      status: verifies ? 'verified' : 'provisional',
      snapshot: after,
      digest: digestOf(after),
      updated: entry.updated,
      asked: entry.asked,
      basis: entry.basis,
      materializedAt: now,
      coverage: coverWith(
        { state: gaps > 0 ? 'degraded' : 'complete', start: first.updated, end: last.updated, gaps },
        epoch.holes,
      ),
      liveSince: epoch.counted.find(({ observedAt }) => observedAt === null)?.received ?? null,
    });
    if (this.#isGame && verifies && epoch.settledAt === null) {
      epoch.settledAt = now;
      archive(epoch);
    }
    if (unarchived(epoch) === 64) archive(epoch);
  }

  #pass(epoch: OracleEpoch, now: OracleTime): void {
    const { revisions } = epoch;
    if (this.#isGame && epoch.settledAt === null && this.#completedAt !== null && now >= this.#completedAt + day) {
      epoch.settledAt = now;
      archive(epoch);
    }
    const newest = revisions.at(-1) as OracleRevision;
    const waits = !this.#isGame || epoch.settledAt !== null;
    if (waits && now >= newest.materializedAt + day) archive(epoch);
    const forgettable = (days: number): number => {
      const ages = revisions.slice(0, -1).map(({ materializedAt }) => this.#ageStart(epoch, materializedAt));
      return ages.filter((since) => since !== null && since + days * day <= now).length;
    };
    const deletable = revisions.slice(0, -1).filter(({ materializedAt }, index) => {
      const since = this.#ageStart(epoch, materializedAt);
      // It was the head, and listed, until the next one was cut.
      const next = (revisions[index + 1] as OracleRevision).materializedAt;
      return since !== null && Math.max(since + 30 * day, next) + 7 * day <= now;
    });
    epoch.listedFrom = Math.max(epoch.listedFrom, forgettable(30) + 1);
    epoch.deletedBelow = Math.max(epoch.deletedBelow, deletable.length + 1);
    if (revisions.length - unarchived(epoch) + 1 < epoch.listedFrom) archive(epoch);
  }

  /**
   * The moment from which a revision's age is counted: settlement, or its own publication if that is later or the
   * dataset never settles.
   */
  #ageStart({ settledAt }: OracleEpoch, cutAt: OracleTime): OracleTime | null {
    if (!this.#isGame) return cutAt;
    return settledAt === null ? null : Math.max(settledAt, cutAt);
  }
}

/** The freshness of a dataset, from all accepted observations of its feeds. */
export function freshnessOf({ seen, changes }: OracleStream): (OracleTime | null)[] {
  const applied = seen.filter(({ result }) => result !== 'late');
  return [
    most(applied.filter(({ entry }) => entry.basis === 'source').map(({ entry }) => entry.updated)),
    most(changes),
    most(seen.flatMap(({ entry }) => entry.requested ?? [])),
    most(seen.filter(({ entry }) => entry.requested !== null).map(({ entry }) => entry.received)),
    most(seen.filter(({ result }) => result === 'applied').map(({ entry }) => entry.loggedAt)),
    most(seen.map(({ entry }) => entry.loggedAt)),
  ];
}

/** A record without a push has no receipt. */
function isSamePush(a: TimedObservation, b: TimedObservation): boolean {
  return a.pushed !== null && a.pushed === b.pushed;
}

function most(times: readonly OracleTime[]): OracleTime | null {
  return times.length === 0 ? null : Math.max(...times);
}
