// How soon the pushes of the honest sources are visible in a campaign of tenants: while they push alone, beside the
// attacks, and beside equal work of the processors that sends nothing. The first two take turns, because a shared
// machine is faster in one minute than in the next.
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../services/until.ts';
import type { Honest } from './tenants-honest.ts';
import { type HostileThread, startBurning } from './tenants-thread.ts';

export type FreshnessOptions = {
  /** How often the honest sources push alone and beside the hostile keys, before anything is killed, and how long. */
  rounds: number;
  quietMs: number;
  besideMs: number;
};

export type Freshness = {
  /** The p99 of milliseconds from an honest push until it is visible. */
  quietP99: number;
  /** The same beside a thread that uses as much CPU as the hostile threads and sends nothing. */
  burdenedP99: number;
  hostileP99: number;
  ratio: number;
  /** Relative to `burdenedP99`: leaves out the CPU that the hostile clients themselves take. */
  burdenedRatio: number;
  /** CPU cores that generating the attacks took. */
  hostileCores: number;
};

const leastMeasured = 6;

/** `begin`: starts the attacks. They are paused when this resolves. */
export async function measureFreshness(
  honest: Pick<Honest, 'fresh' | 'phase'>,
  begin: () => HostileThread,
  { rounds, quietMs, besideMs }: FreshnessOptions,
): Promise<{ hostile: HostileThread; freshness: Freshness }> {
  const measure = async (phase: string, ms: number): Promise<void> => {
    honest.phase = phase;
    await Promise.all([delay(ms), untilMeasured(honest)]);
  };
  let hostile: HostileThread | null = null;
  let [cpuSeconds, besideSeconds] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    await measure('quiet', quietMs);
    honest.phase = 'begin';
    if (hostile === null) hostile = begin();
    else hostile.resume();
    await delay(1_000);
    const [beganAt, cpuBefore] = [performance.now(), await hostile.cpuSeconds()];
    await measure('beside', besideMs);
    cpuSeconds += (await hostile.cpuSeconds()) - cpuBefore;
    besideSeconds += (performance.now() - beganAt) / 1_000;
    honest.phase = 'pause';
    await hostile.pause();
    await measure('drained', 3_000);
  }
  if (hostile === null) throw new Error('no round was measured');
  const hostileCores = cpuSeconds / besideSeconds;
  const burning = startBurning(hostileCores);
  await measure('burdened', quietMs);
  await burning.stop();
  const p99Of = (phase: string): number => p99(honest.fresh.get(phase) ?? []);
  const [quietP99, hostileP99, burdenedP99] = [p99Of('quiet'), p99Of('beside'), p99Of('burdened')];
  const hundredth = (value: number): number => Math.round(100 * value) / 100;
  const freshness = {
    ...{ quietP99, burdenedP99, hostileP99 },
    ratio: hundredth(hostileP99 / quietP99),
    burdenedRatio: hundredth(hostileP99 / burdenedP99),
    hostileCores: hundredth(hostileCores),
  };
  return { hostile, freshness };
}

export function describeFreshness(freshness: Freshness): string {
  const { quietP99, hostileP99, ratio, burdenedRatio, hostileCores } = freshness;
  return `the p99 of the honest is ${hostileP99} ms, ${ratio} times the ${quietP99} ms when they were alone, ${burdenedRatio} times with ${hostileCores} cores at other work`;
}

/** Waits until some pushes of the phase were visible. */
async function untilMeasured({ fresh, phase }: Pick<Honest, 'fresh' | 'phase'>): Promise<void> {
  const isMeasured = (): boolean => (fresh.get(phase)?.length ?? 0) >= leastMeasured;
  await until(`${leastMeasured} pushes are visible`, isMeasured);
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN);
}
