// `npm run bench`: every figure as a ratio to a baseline of the same run, with its target. A missed target is printed
// with a profile of what bounds the figure; a slow machine fails nothing.
//
//   npm run bench             all, about a quarter of an hour
//   npm run bench -- a d      a choice
//   npm run bench -- --toy    at a size that only shows that they work
import { type Bench, openRun } from './bench/bench.ts';

// Figures are compared with those of other runs, which are of programs.
process.env.SDS_TEST_SERVICES ||= 'native';

/** Loaded one by one: a benchmark asks for its real services as it is loaded. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  a: async () => (await import('./bench/throughput.ts')).throughput,
  b: async () => (await import('./bench/flush-cost.ts')).flushCost,
  c: async () => (await import('./bench/freshness.ts')).freshness,
  d: async () => (await import('./bench/serving.ts')).serving,
  e: async () => (await import('./bench/footprint.ts')).footprint,
  f: async () => (await import('./bench/settle-encode.ts')).settleEncode,
  g: async () => (await import('./bench/closings.ts')).closings,
  h: async () => (await import('./bench/hostile-requests.ts')).hostileRequests,
  i: async () => (await import('./bench/crowds.ts')).crowds,
  j: async () => (await import('./bench/slow-senders.ts')).slowSenders,
  k: async () => (await import('./bench/key-timing.ts')).keyTiming,
  l: async () => (await import('./bench/limits.ts')).limits,
  m: async () => (await import('./bench/charges.ts')).charges,
  n: async () => (await import('./bench/neighbours.ts')).neighbours,
  o: async () => (await import('./bench/observations.ts')).observations,
  p: async () => (await import('./bench/pages.ts')).pages,
  q: async () => (await import('./bench/body-costs.ts')).bodyCosts,
  r: async () => (await import('./bench/serving-with-services.ts')).servingWithServices,
  s: async () => (await import('./bench/serving-streams.ts')).servingStreams,
  t: async () => (await import('./bench/ticks.ts')).ticks,
  u: async () => (await import('./bench/event-streams.ts')).eventStreams,
  v: async () => (await import('./bench/revision-cost.ts')).revisionCost,
  w: async () => (await import('./bench/serving-odds.ts')).servingOdds,
  x: async () => (await import('./bench/rebuild.ts')).rebuild,
  y: async () => (await import('./bench/control-plane.ts')).controlPlane,
  z: async () => (await import('./bench/gateway-core.ts')).gatewayCore,
};

async function main(args: readonly string[]): Promise<number> {
  const toy = args.includes('--toy');
  const wanted = args.filter((arg) => arg !== '--toy');
  const unknown = wanted.filter((letter) => benches[letter] === undefined);
  if (unknown.length > 0) {
    console.error(`no benchmark ${unknown.join(', ')}: there are ${Object.keys(benches).join(', ')}`);
    return 2;
  }
  const startedAt = performance.now();
  const sinceStart = () => `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`;
  const say = (text: string) => console.error(`  ${sinceStart()}  ${text}`);
  for (const [letter, load] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(letter)) continue;
    say(`${letter}) getting ready`);
    const bench = await load();
    console.log(`${letter}) ${bench.title}`);
    await bench.run(openRun(toy, console.log, say));
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
