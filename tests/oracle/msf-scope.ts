// All streams of one scope, by docs/revisions.md: a list of what was accepted and, for each epoch of a dataset, a list of its revisions. Ticks
// pass time.
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

export type OracleEpoch = {
  revisions: OracleRevision[];
  archives: [first: number, last: number][];
  settledAt: OracleTime | null;
  listedFrom: number;
  deletedBelow: number;
  /** The applied observations of its feeds that it counts. */
  counted: Told[];
};

export type OracleStream = { epochs: OracleEpoch[]; seen: { told: Told; result: string }[]; changes: OracleTime[] };

const hour = 3_600_000_000;
const day = 24 * hour;
const datasets = ['game-state', 'plays', 'player-stats', 'team-stats', 'injuries'];

export class OracleScope {
  readonly streams = new Map<string, OracleStream>();
  readonly #world: OracleWorld;
  readonly #isGame: boolean;
  readonly #unverifiedPlays: boolean;
  #id: string;
  #applied: Told[] = [];
  #completedAt: OracleTime | null = null;

  constructor(world: OracleWorld, scope: { isGame: boolean; unverifiedPlays: boolean; id: string }) {
    this.#world = world;
    this.#isGame = scope.isGame;
    this.#unverifiedPlays = scope.unverifiedPlays;
    this.#id = scope.id;
  }

  observe(scopeId: string, uuid: string, observation: OracleObservation): string {
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
    for (const dataset of datasets) {
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
    if (this.#mint(scopeId, uuid)) this.#reviseMinted(loggedAt);
    for (const { epochs } of this.streams.values()) this.#pass(epochs.at(-1) as OracleEpoch, now);
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
      const held = [...presentOf(this.#applied).keys()]
        .filter((feed) => this.#world.feedsOf(dataset).includes(feed))
        .map((feed) => this.#applied.filter((each) => each.feed === feed).at(-1) as Told)
        .sort((a, b) => this.#applied.indexOf(a) - this.#applied.indexOf(b));
      epochs.push({ ...emptyEpoch(), counted: held });
    }
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
      coverage: { state: gaps > 0 ? 'degraded' : 'complete', start: first.updated, end: last.updated, gaps },
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

/** Nobody's push is none. */
function isSamePush(a: Told, b: Told): boolean {
  return a.pushed !== null && a.pushed === b.pushed;
}

function most(times: readonly OracleTime[]): OracleTime | null {
  return times.length === 0 ? null : Math.max(...times);
}

function emptyEpoch(): OracleEpoch {
  return { revisions: [], archives: [], settledAt: null, listedFrom: 1, deletedBelow: 1, counted: [] };
}

function unarchived({ revisions, archives }: OracleEpoch): number {
  return revisions.length - (archives.at(-1)?.[1] ?? 0);
}

function archive(epoch: OracleEpoch): void {
  const first = (epoch.archives.at(-1)?.[1] ?? 0) + 1;
  if (first <= epoch.revisions.length) epoch.archives.push([first, epoch.revisions.length]);
}
