// Checks the health of the service from one process: which dependencies do not answer, which partitions are halted or stand still, how old
// the newest tick is, and whether this machine's clock is right. Remembers checkpoints from earlier checks.
import { clockSkew, mostSkew } from '../../core/health/clock-skew.ts';
import type { Finding } from '../../core/health/reason.ts';
import { leastBehind, Stalls } from '../../core/health/stalls.ts';
import { areTicksOverdue } from '../../core/health/ticks-overdue.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { Clock } from '../../core/ports/clock.ts';
import {
  type NamedObjects,
  type ObjectStore,
  probeKey,
  sampleBytes,
  sampleKey,
} from '../../core/ports/object-store.ts';
import { type Micros, type Millis, microsPerSecond } from '../../core/units.ts';
import { openDependencyQuestion } from './ask-dependency.ts';
import { streamName } from './stream-name.ts';

export type HealthCheckTools = {
  operations: Pick<OperationsCatalog, 'streams' | 'newestTick' | 'outbox'>;
  live: Pick<LiveCatalog, 'now'>;
  /** Null: this process does not need it. */
  objects: NamedObjects | null;
  /** If this process may write to the store: what was put is read back. */
  sample?: Pick<ObjectStore, 'get' | 'put'> | null;
  /** Null: this process has no access to the log. */
  broker: Pick<Broker, 'healthy' | 'watermarks' | 'registryAnswers'> | null;
  clock: Clock;
};

/** What the last check found. While the catalog is away, only partitions are known, from its last answer. */
export type Facts = {
  streams: readonly StreamFacts[];
  /** Null: there was no tick yet, or the catalog is away. */
  tickAge: Micros | null;
  /** Null: the catalog is away. */
  skew: Micros | null;
  /** Null: this process cannot see it, or the catalog is away. */
  outbox: { records: number; age: Micros } | null;
};

/**
 * `ownerEpoch`: raised by each claim. `behind`: null if the end of the log is unknown, or the checkpoint is. `still`: since when its checkpoint has not moved
 * although records wait; 0 if what waits may be a transaction's control record.
 */
export type StreamFacts = {
  projector: string;
  partition: number;
  ownerEpoch: number;
  isHalted: boolean;
  behind: number | null;
  still: Micros;
};

export type Looking = {
  look(): Promise<readonly Finding[]>;
  /** Null: the catalog has not answered yet. */
  facts(): Facts | null;
};

type Streams = Awaited<ReturnType<OperationsCatalog['streams']>>;

const patienceMs: Millis = 2_000;

/** `ticksExpectedFrom`: a process that starts gives the service ten seconds to tick from then; left out: no grace. */
export function openHealthCheck(
  { operations, live, objects, sample = null, broker, clock }: HealthCheckTools,
  ticksExpectedFrom: Micros = 0,
): Looking {
  const stalls = new Stalls();
  /** The findings from the catalog's last answer; they still stand while it is unreachable. */
  let ofCatalog: readonly Finding[] = [];
  let streams: Streams = [];
  let tickExpectedAt: Micros | null = null;
  let ends: ReadonlyMap<string, number> = new Map();
  /** By the database's clock. */
  let lookedAt: Micros = 0;
  let seen: Pick<Facts, 'tickAge' | 'skew' | 'outbox'> | null = null;
  let isCatalogAway = false;
  const ask = <Answer>(question: () => Promise<Answer>) => openDependencyQuestion(question, clock, patienceMs);

  const askCatalog = ask(async () => {
    const before = clock.now();
    const database = await live.now();
    const skew = clockSkew(before, database, clock.now());
    const ticked = await operations.newestTick();
    const outbox = broker === null ? null : await operations.outbox();
    return { database, skew, ticked, outbox, streams: await operations.streams() };
  });
  const askObjects = objects === null ? null : ask(() => objects.get(probeKey));
  const askSample = sample === null ? null : ask(() => readBack(sample));
  const askLog = broker === null ? null : ask(() => broker.healthy());
  const askRegistry =
    broker?.registryAnswers === undefined ? null : ask(async () => broker.registryAnswers?.() ?? true);
  const askEnds = broker === null ? null : ask(() => endsOf(broker, streams));

  async function lookAtCatalog(): Promise<readonly Finding[]> {
    const asked = await askCatalog();
    isCatalogAway = 'away' in asked;
    if ('away' in asked) return [{ name: 'catalog', detail: asked.away }, ...ofCatalog];
    const { skew, ticked, outbox } = asked.answer;
    streams = asked.answer.streams;
    lookedAt = asked.answer.database;
    seen = { tickAge: ticked?.age ?? null, skew, outbox };
    const found: Finding[] = [];
    for (const stream of streams) {
      if (stream.halted === null) continue;
      found.push({ name: `partition ${streamName(stream)}`, since: stream.updatedAt, detail: stream.halted });
    }
    const expectedFor = clock.now() - ticksExpectedFrom;
    if (areTicksOverdue(Math.min(ticked?.age ?? expectedFor, expectedFor))) {
      tickExpectedAt ??= clock.now();
      const detail = ticked === null ? 'there was no tick yet' : `the newest is ${seconds(ticked.age)} old`;
      found.push({ name: 'ticks', detail, since: ticked?.at ?? tickExpectedAt });
    }
    if (Math.abs(skew) > mostSkew) {
      const detail = `this clock is ${seconds(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the database's`;
      found.push({ name: 'clock', detail });
    }
    ofCatalog = found;
    return found;
  }

  /** Runs after the check of the catalog: the ends of the log must not be older than the checkpoints they are compared with. */
  async function lookAtProgress(): Promise<readonly Finding[]> {
    const asked = await askEnds?.();
    if (asked === undefined || 'away' in asked) return [];
    ends = asked.answer;
    const found: Finding[] = [];
    const progress = streams.flatMap((stream) => {
      const end = ends.get(`${stream.topic}/${stream.partition}`);
      if (end === undefined || stream.halted !== null) return [];
      return [{ stream: streamName(stream), nextOffset: stream.nextOffset, end }];
    });
    for (const { stream, since, behind } of stalls.look(progress, clock.now()))
      found.push({ name: `stalled ${stream}`, since, detail: `${behind} records behind, and nothing is committed` });
    return found;
  }

  async function lookAtServices(): Promise<readonly Finding[]> {
    const asking = [askLog?.(), askObjects?.(), askSample?.(), askRegistry?.()] as const;
    const [log, store, read, registry] = await Promise.all(asking);
    const found: Finding[] = [];
    if (log !== undefined && ('away' in log || !log.answer))
      found.push({ name: 'log', detail: 'away' in log ? log.away : 'the brokers do not answer' });
    for (const asked of [store, read])
      if (asked !== undefined && 'away' in asked) found.push({ name: 'objects', detail: asked.away });
    if (registry !== undefined && ('away' in registry || !registry.answer))
      found.push({ name: 'registry', detail: 'it does not answer, or no longer has the schemas of the topics' });
    return found;
  }

  function factsOf(stream: Streams[number]): StreamFacts {
    const { projector, partition, ownerEpoch, nextOffset, updatedAt, halted } = stream;
    const end = ends.get(`${stream.topic}/${partition}`);
    const behind = end === undefined || isCatalogAway ? null : Math.max(0, end - nextOffset);
    const still = behind === null || behind < leastBehind ? 0 : Math.max(0, lookedAt - updatedAt);
    return { projector, partition, ownerEpoch, isHalted: halted !== null, behind, still };
  }

  async function look(): Promise<readonly Finding[]> {
    const inOrder = async () => [...(await lookAtCatalog()), ...(await lookAtProgress())];
    const [found, rest] = await Promise.all([inOrder(), lookAtServices()]);
    return [...found, ...rest];
  }

  return {
    look,
    facts() {
      if (seen === null) return null;
      // Old ages and counts would pass for current ones.
      const known = isCatalogAway ? { tickAge: null, skew: null, outbox: null } : seen;
      return { ...known, streams: streams.map(factsOf) };
    },
  };
}

/** A store that returns other bytes counts as unreachable. The first check puts the sample. */
async function readBack(store: Pick<ObjectStore, 'get' | 'put'>): Promise<void> {
  const read = await store.get(sampleKey);
  if (read === null) await store.put(sampleKey, sampleBytes);
  else if (Buffer.compare(read, sampleBytes) !== 0) throw new Error(`${sampleKey} has other bytes than were put`);
}

/** Next offset to be written, by `<topic>/<partition>`. */
async function endsOf(broker: Pick<Broker, 'watermarks'>, streams: Streams): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  for (const topic of new Set(streams.map((stream) => stream.topic)))
    for (const { partition, high } of await broker.watermarks(topic)) ends.set(`${topic}/${partition}`, high);
  return ends;
}

function seconds(time: Micros): string {
  return `${(time / microsPerSecond).toFixed(1)} s`;
}
