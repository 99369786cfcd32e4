// a) How fast a backlog is folded and published, over Kafka with its registry, PostgreSQL and S3. The baseline only
// consumes the same records with kafkajs and decodes them with avsc, in the same process, in turns. Then the embedded
// edition's quotes/s on the same records.
import avsc from 'avsc';
import kafkajs from 'kafkajs';
import type { Broker } from '../../core/ports/broker.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import type { DriverOptions } from '../../ops/service/drivers.ts';
import { startService } from '../../ops/service/service.ts';
import { eventSchema } from '../../platform/avro/event-schemas.ts';
import { serviceTopics } from '../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../platform/kafka/kafka-broker.ts';
import { topics } from '../../schemas/events/topics.ts';
import { distributedEdition, distributedSkip, renameTopics } from '../support/editions/distributed.ts';
import { services } from '../support/services/services.ts';
import { unique } from '../support/services/unique.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { type OpenedDrivers, openedDrivers } from './opened-drivers.ts';
import type { Window } from './profile.ts';
import { type QuoteRecords, quoteRecords } from './quotes.ts';

const target = 0.5;
const partitions = 8;

type Measured = { seconds: number; commits: number; cpuSeconds: number };

export const throughput: Bench = {
  letter: 'a',
  title: 'projector throughput on a backlog',
  async run(run) {
    const [records, games, rounds] = run.toy ? [400, 4, 1] : [40_000, 40, 3];
    const backlog = quoteRecords(records, games);
    run.say(`${short(backlog.quotes)} quotes in ${short(records)} records of ${games} games`);
    if (distributedSkip === false) await onKafka(run, backlog, rounds);
    else run.note([`not on real services: ${distributedSkip}`]);
    await embedded(run, backlog, rounds);
  },
};

async function onKafka(run: Run, backlog: QuoteRecords, rounds: number): Promise<void> {
  const [{ brokers }, { url: registryUrl }] = [await services.kafka(), await services.registry()];
  // All rounds share one backlog: each has a database and a bucket of its own, so it starts at the first record.
  const prefix = `${unique('bench')}.`;
  const own = serviceTopics(partitions).map((topic) => ({ ...topic, name: prefix + topic.name }));
  const openBroker = async () =>
    renameTopics(openKafkaBroker({ brokers, registry: { url: registryUrl }, topics: own }), prefix);
  const filling = await openBroker();
  await fill(run, filling, backlog);
  await filling.close();
  const project = (window?: Window) => projectOnce({ openBroker }, backlog, window);
  const alone: Measured[] = [];
  const folds: Measured[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    run.say(`kafkajs alone, then segments and boards: ${round === 0 ? 'warming up' : `${round} of ${rounds}`}`);
    const consumed = await consumeAlone(brokers, prefix + topics.quotes, backlog);
    const folded = await project();
    if (round === 0) continue;
    alone.push(consumed);
    folds.push(folded);
  }
  const perSecond = (measured: readonly Measured[]) => backlog.quotes / median(measured.map(({ seconds }) => seconds));
  const microsOfCpu = (measured: readonly Measured[]) =>
    (1e6 * median(measured.map(({ cpuSeconds }) => cpuSeconds))) / backlog.quotes;
  const ratio = perSecond(folds) / perSecond(alone);
  run.figure({
    what: `Kafka → segments and boards ${short(perSecond(folds))} quotes/s ÷ consumed and decoded by kafkajs ${short(perSecond(alone))} = ${ratio.toFixed(2)}`,
    target: `≥ ${target}`,
    met: ratio >= target,
  });
  run.note([
    `CPU of this process per quote: ${microsOfCpu(alone).toFixed(2)} µs alone, ${microsOfCpu(folds).toFixed(2)} µs to the end: ${(microsOfCpu(alone) / microsOfCpu(folds)).toFixed(2)}; ${median(folds.map(({ commits }) => commits))} commits`,
  ]);
  if (ratio < target && !run.toy) await run.explain(project);
}

async function embedded(run: Run, backlog: QuoteRecords, rounds: number): Promise<void> {
  const measured: number[] = [];
  let once: () => Promise<Measured> = async () => Promise.reject(new Error('not measured'));
  for (let round = 0; round < rounds; round += 1) {
    run.say(`embedded edition, ${round + 1} of ${rounds}`);
    once = async () => {
      await using service = await openedDrivers();
      await fill(run, service.drivers.broker, backlog);
      return await project(service, backlog);
    };
    measured.push((await once()).seconds);
  }
  run.figure({
    what: `embedded edition: ${short(backlog.quotes / median(measured))} quotes/s from its log to segments and boards`,
  });
}

async function fill(run: Run, broker: Broker, backlog: QuoteRecords): Promise<void> {
  let filled = 0;
  for (const records of backlog.chunks(500)) {
    if (filled % 10_000 === 0) run.say(`filling the log, ${Math.round((100 * filled) / backlog.count)} %`);
    await broker.produce(topics.quotes, records);
    filled += records.length;
  }
}

async function consumeAlone(brokers: readonly string[], topic: string, backlog: QuoteRecords): Promise<Measured> {
  const client = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const consumer = client.consumer({ groupId: unique('alone'), maxWaitTimeInMs: 100 });
  const type = avsc.Type.forSchema(JSON.parse(eventSchema(topics.quotes)));
  const done = Promise.withResolvers<void>();
  let watch: Stopwatch | undefined;
  let quotes = 0;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    async eachBatch({ batch }) {
      watch ??= startStopwatch();
      for (const { value } of batch.messages) {
        if (value === null) continue;
        const record = type.fromBuffer(value.subarray(5)) as { observation: { operators: { quotes: unknown[] }[] } };
        for (const operator of record.observation.operators) quotes += operator.quotes.length;
      }
      if (quotes === backlog.quotes) done.resolve();
    },
  });
  await done.promise;
  const measured = { ...read(watch), commits: 0 };
  await consumer.disconnect();
  return measured;
}

async function projectOnce(log: DriverOptions, backlog: QuoteRecords, window?: Window): Promise<Measured> {
  const edition = await distributedEdition(partitions);
  try {
    await using service = await openedDrivers(edition.environment, log);
    return await project(service, backlog, window);
  } finally {
    await edition.drop();
  }
}

/** From the first batch received to the commit of the last record. */
async function project(
  { settings, drivers }: OpenedDrivers,
  backlog: QuoteRecords,
  window?: Window,
): Promise<Measured> {
  const done = Promise.withResolvers<void>();
  let watch: Stopwatch | undefined;
  let left = backlog.count;
  let commits = 0;
  const { live } = drivers.catalogs;
  const broker: Broker = {
    ...drivers.broker,
    consume: (options, handlers) =>
      drivers.broker.consume(options, {
        ...handlers,
        batch(batch) {
          if (watch === undefined) window?.begin();
          watch ??= startStopwatch();
          return handlers.batch(batch);
        },
      }),
  };
  const counting: typeof live = {
    ...live,
    async commit(commit) {
      const answer = await live.commit(commit);
      if (answer !== 'committed') throw new Error('the catalog fenced the partition of the benchmark');
      commits += 1;
      left -= commit.to - commit.from;
      if (left === 0) done.resolve();
      return answer;
    },
  };
  const watched = { ...drivers, broker, catalogs: { ...drivers.catalogs, live: counting } };
  const service = await startService(settings, watched, ['projectors'], silentLog);
  void service.ended.then(done.reject);
  await done.promise;
  const measured = { ...read(watch), commits };
  window?.end();
  await service.stop();
  return measured;
}

type Stopwatch = { startedAt: number; cpu: NodeJS.CpuUsage };

function startStopwatch(): Stopwatch {
  return { startedAt: performance.now(), cpu: process.cpuUsage() };
}

function read(watch: Stopwatch | undefined): { seconds: number; cpuSeconds: number } {
  if (watch === undefined) throw new Error('the projector received no batch');
  const { user, system } = process.cpuUsage(watch.cpu);
  return { seconds: (performance.now() - watch.startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}
