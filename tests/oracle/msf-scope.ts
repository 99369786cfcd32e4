// All streams of one scope, by docs/revisions.md: a list of what was accepted and, for each epoch of a dataset, a list of its revisions. Ticks
// pass time.
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
  type Told,
  timed,
} from './msf-stream.ts';

export type OracleStream = { epochs: OracleEpoch[]; seen: { told: Told; result: string }[]; changes: OracleTime[] };

/** A reset under way: an empty scope gets the kept observations again and, at the end, those that came meanwhile. */
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
  #applied: Told[] = [];
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
    const told = timed(observation);
    const minted = this.#mint(scopeId, uuid);
    const before = presentOf(this.#applied);
    const newest = this.#applied.filter(({ feed }) => feed === told.feed).at(-1);
    const copy = this.#applied.some((each) => each.feed === told.feed && isSamePush(each, told));
    if (copy) {
      if (minted) this.#reviseMinted(told.loggedAt);
      return 'duplicate';
    }
    const late = newest !== undefined && isOlder(told, newest);
    if (!late) this.#applied = [...this.#applied, told];
    const after = presentOf(this.#applied);
    const agrees =
      !late &&
      newest !== undefined &&
      this.#world.playedStatus(before) === 'COMPLETED' &&
      this.#world.playedStatus(after) === 'COMPLETED';
    const result = late ? 'late' : newest?.content === told.content ? 'same' : 'applied';
    for (const dataset of this.#datasets) {
      if (!this.#world.feedsOf(dataset).includes(told.feed)) continue;
      const stream = this.#streamOf(dataset);
      const epoch = stream.epochs.at(-1) as OracleEpoch;
      stream.seen.push({ told, result });
      if (late) continue;
      epoch.counted.push(told);
      this.#revise(dataset, told, told.loggedAt, agrees);
    }
    const played = this.#world.playedStatus(after);
    if (result === 'applied' && this.#isGame && (played ?? '').startsWith('COMPLETED')) {
      this.#completedAt ??= told.loggedAt;
    }
    if (minted) this.#reviseMinted(told.loggedAt);
    return result;
  }

  /** `loggedAt`: when the record of the tick was logged, where that is not the time it tells. */
  tick(scopeId: string, uuid: string, now: OracleTime, loggedAt: OracleTime = now): void {
    this.#forgetResets(now);
    if (this.#mint(scopeId, uuid)) this.#reviseMinted(loggedAt);
    for (const { epochs } of this.streams.values()) this.#pass(epochs.at(-1) as OracleEpoch, now);
  }

  /** Begins a reset of a dataset; one that has not ended is discarded. */
  beginReset(dataset: string, { id, holes }: { id: string; holes: readonly string[] }, now: OracleTime): void {
    this.#forgetResets(now);
    const scope = { isGame: this.#isGame, unverifiedPlays: this.#unverifiedPlays, id: this.#id };
    const again = new OracleScope(this.#world, scope, [dataset]);
    this.#resets.set(dataset, { id, begun: now, holes, again, meanwhile: [] });
  }

  /** A kept observation once more, for the reset of this id. */
  repeat(id: string, observation: OracleObservation): string {
    this.#forgetResets(observation.loggedAt);
    const reset = [...this.#resets.values()].find((each) => each.id === id);
    return reset?.again.observe(this.#id, this.#id, observation) ?? 'refused';
  }

  /** The separately folded epoch replaces the stream's own. It ends in the applied state, even if some observations were not kept. */
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

  /** A reset that has not ended within a day is given up. */
  #forgetResets(now: OracleTime): void {
    this.#now = Math.max(this.#now, now);
    for (const [dataset, { begun }] of this.#resets) if (begun + day < this.#now) this.#resets.delete(dataset);
  }

  /** The newest applied observation of each feed of a dataset, in the order in which they were applied. */
  #newestOf(dataset: string): Told[] {
    return [...presentOf(this.#applied).keys()]
      .filter((feed) => this.#world.feedsOf(dataset).includes(feed))
      .map((feed) => this.#applied.filter((each) => each.feed === feed).at(-1) as Told)
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

  #revise(dataset: string, told: Told, now: OracleTime, agrees: boolean): void {
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
    const first = epoch.counted[0] as Told;
    const last = epoch.counted.at(-1) as Told;
    const { kind, change } = changeOf(this.#world, dataset, head === undefined, before, after);
    epoch.revisions.push({
      kind,
      change,
      status: verifies ? 'verified' : 'provisional',
      snapshot: after,
      digest: digestOf(after),
      updated: told.updated,
      asked: told.asked,
      basis: told.basis,
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
      // It was the head, and listed, until the next was cut.
      const next = (revisions[index + 1] as OracleRevision).materializedAt;
      return since !== null && Math.max(since + 30 * day, next) + 7 * day <= now;
    });
    epoch.listedFrom = Math.max(epoch.listedFrom, forgettable(30) + 1);
    epoch.deletedBelow = Math.max(epoch.deletedBelow, deletable.length + 1);
    if (revisions.length - unarchived(epoch) + 1 < epoch.listedFrom) archive(epoch);
  }

  /** A revision counts its days from settlement, or from its own publication where that is later, or where nothing settles. */
  #ageStart({ settledAt }: OracleEpoch, cutAt: OracleTime): OracleTime | null {
    if (!this.#isGame) return cutAt;
    return settledAt === null ? null : Math.max(settledAt, cutAt);
  }
}

/** Freshness of a dataset from all that was accepted of its feeds. */
export function freshnessOf({ seen, changes }: OracleStream): (OracleTime | null)[] {
  const applied = seen.filter(({ result }) => result !== 'late');
  return [
    most(applied.filter(({ told }) => told.basis === 'source').map(({ told }) => told.updated)),
    most(changes),
    most(seen.flatMap(({ told }) => told.requested ?? [])),
    most(seen.filter(({ told }) => told.requested !== null).map(({ told }) => told.received)),
    most(seen.filter(({ result }) => result === 'applied').map(({ told }) => told.loggedAt)),
    most(seen.map(({ told }) => told.loggedAt)),
  ];
}

/** A record without a push has no receipt. */
function isSamePush(a: Told, b: Told): boolean {
  return a.pushed !== null && a.pushed === b.pushed;
}

function most(times: readonly OracleTime[]): OracleTime | null {
  return times.length === 0 ? null : Math.max(...times);
}
