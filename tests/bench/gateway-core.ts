// z) What one CPU core of a push gateway takes: pushes and quotes per second of CPU that its process uses, over real
// Kafka, PostgreSQL and S3; and what traces of all pushes, or of one in a hundred, add. The gateways take turns; CPU
// that other processes use is not counted.
import { noSpan, noTracer, type Tracer } from '../../core/ports/tracer.ts';
import { openPlace, type Place } from '../support/campaigns/place.ts';
import { Program } from '../support/campaigns/program.ts';
import { startCollector } from '../support/fakes/collector.ts';
import { runSds } from '../support/processes/sds.ts';
import { freePort } from '../support/services/ports.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { closeConnections } from './http.ts';
import { openPushers, type Pushers, quotesOfEvent } from './pushers.ts';
import { cpuSecondsOf } from './started-service.ts';

/** The CPU of a traced push, relative to one that is not traced. */
const mostOfTraces = 1.5;

const shapes = [
  { events: 1, games: 16 },
  { events: 5, games: 80 },
] as const;

/** The share of pushes that each gateway traces. */
const shares = { none: null, hundredth: 0.01, all: 1 } as const;
type Share = keyof typeof shares;

type Gateway = { program: Program; url: string };
type Cost = { pushes: number; cpuSeconds: number; seconds: number };

export const gatewayCore: Bench = {
  letter: 'z',
  title: 'pushes and quotes per CPU second of a push gateway; what traces add',
  async run(run) {
    const place = await openPlace('distributed');
    if (typeof place === 'string') return run.note([`not measured: ${place}`]);
    await using closing = new AsyncDisposableStack();
    closing.defer(() => place.close());
    const collector = closing.use(await startCollector());
    const gateways = new Map<Share, Gateway>();
    for (const share of Object.keys(shares) as Share[]) {
      const gateway = await startGateway(place, share, collector.url);
      closing.defer(() => gateway.program.kill());
      gateways.set(share, gateway);
    }
    const key = await mint(place);
    for (const { events, games } of shapes) await measureShape(run, gateways, key, events, games);
    callsUntraced(run);
    closeConnections();
    if (collector.spans.length === 0) throw new Error('the gateway that traces every push sent no spans');
  },
};

async function startGateway({ environment }: Place, share: Share, collector: string): Promise<Gateway> {
  const port = await freePort();
  const ratio = shares[share];
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(ratio),
  };
  const own = {
    SDS_INGEST_PORT: String(port),
    SDS_DATA_DIR: `${environment.SDS_DATA_DIR}/${share}`,
    LOG_LEVEL: 'error',
  };
  const program = new Program(
    share,
    { ...environment, ...own, ...(ratio === null ? {} : traces) },
    { roles: ['ingest'] },
  );
  program.start();
  await program.untilReady();
  return { program, url: `http://127.0.0.1:${port}` };
}

async function mint({ environment }: Place): Promise<string> {
  const args = ['feed-keys', 'mint', '--source', 'bench', '--scope', 'push', '--json'];
  const { code, out, err } = await runSds(environment, args);
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { feed_key: string }).feed_key;
}

async function measureShape(
  run: Run,
  gateways: ReadonlyMap<Share, Gateway>,
  key: string,
  events: number,
  games: number,
): Promise<void> {
  const [seconds, rounds] = run.toy ? [0.5, 1] : [4, 5];
  const quotes = events * quotesOfEvent;
  const costs = new Map<Share, Cost[]>();
  for (let round = 0; round <= rounds; round += 1) {
    run.say(`${quotes} quotes a push, ${round === 0 ? 'warming up' : `${round} of ${rounds}`}`);
    for (const [share, { program, url }] of gateways) {
      const cost = await costOf(openPushers(url, key, games, events), program.pid, round === 0 ? seconds / 2 : seconds);
      if (round > 0) costs.set(share, [...(costs.get(share) ?? []), cost]);
    }
  }
  const each = (share: Share) => costs.get(share) ?? [];
  const perCore = median(each('none').map(({ pushes, cpuSeconds }) => pushes / cpuSeconds));
  const rate = median(each('none').map(({ pushes, seconds: passed }) => pushes / passed));
  run.figure({
    what: `${quotes} quotes a push: ${short(perCore)} pushes and ${short(perCore * quotes)} quotes per CPU second; here ${short(rate)} pushes/s`,
  });
  for (const share of ['hundredth', 'all'] as const) {
    const times = median(each(share).map((cost, round) => microsOf(cost) / microsOf(each('none')[round] as Cost)));
    const micros = [median(each(share).map(microsOf)), median(each('none').map(microsOf))] as const;
    run.figure({
      what: `${quotes} quotes a push, ${share === 'all' ? 'all' : 'one in a hundred'} traced ÷ none: ${micros[0].toFixed(0)} ÷ ${micros[1].toFixed(0)} µs = ${times.toFixed(2)}`,
      ...(share === 'all' ? { target: `≤ ${mostOfTraces}`, met: times <= mostOfTraces } : {}),
    });
  }
}

async function costOf(pushers: Pushers, pid: number, seconds: number): Promise<Cost> {
  let pushes = 0;
  const [cpu, startedAt] = [cpuSecondsOf(pid), performance.now()];
  await pushers.push(Number.POSITIVE_INFINITY, seconds, () => (pushes += 1));
  return { pushes, cpuSeconds: cpuSecondsOf(pid) - cpu, seconds: (performance.now() - startedAt) / 1_000 };
}

function microsOf({ pushes, cpuSeconds }: Cost): number {
  return (cpuSeconds * 1e6) / pushes;
}

/** The tracer calls that a push makes, with a tracer that samples nothing; the baseline is a loop without calls. */
function callsUntraced(run: Run): void {
  const times = run.toy ? 10_000 : 5_000_000;
  const measure = (tracer: Tracer | null): number => {
    let recorded = 0;
    const startedAt = performance.now();
    for (let push = 0; push < times; push += 1) {
      const span = tracer === null ? noSpan : tracer.start('POST', 'server', null);
      if (tracer !== null) {
        for (const name of ['accept', 'send', 'acknowledge']) span.child(name, 'internal').end();
        span.set({ 'sds.receipt': name });
        span.end();
      }
      if (span.traceparent !== null) recorded += 1;
    }
    if (recorded > 0) throw new Error('the tracer recorded a push it should not sample');
    return ((performance.now() - startedAt) * 1e6) / times;
  };
  const name = String(times);
  for (const tracer of [noTracer, null]) measure(tracer);
  const [calls, none] = [measure(noTracer), measure(null)];
  run.figure({ what: `the tracer calls of a push that is not traced: ${(calls - none).toFixed(0)} ns` });
}
