// The gauges of a process in the text that a monitor reads: each follows what the process knows, in seconds and under the labels that the
// alert rules use, and falls back or vanishes with it.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { SeenReason } from '../../../core/health/reason.ts';
import type { Facts } from '../../../ops/health/check-health.ts';
import {
  measureBuild,
  measureDegraded,
  measureHealth,
  measureHeld,
  measurePool,
  measureThread,
} from '../../../ops/metrics/measure.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';

const second = 1_000_000;
const ofHealth = /^sds_(degraded|tick_age|clock_skew|outbox|lag|halted|owner)/;

/** The samples of these gauges, as lines. */
async function samplesOf(metrics: ReturnType<typeof openMetrics>, begin: RegExp): Promise<string[]> {
  const lines = (await metricsText([await metrics.snapshot()])).split('\n');
  return lines.filter((line) => begin.test(line)).toSorted();
}

it('health is told by kinds of reasons, ages in seconds, and partitions; what is unknown has no sample', async () => {
  const metrics = openMetrics({ ofProcess: false });
  let facts: Facts | null = null;
  let reasons: SeenReason[] = [];
  measureDegraded(metrics, () => reasons);
  measureHealth(metrics, () => facts);
  const samples = () => samplesOf(metrics, ofHealth);
  assert.deepEqual(await samples(), [], 'before the first look');

  const because = (name: string): SeenReason => ({ name, since: 0, detail: 'd', seenBy: ['projectors'] });
  reasons = [because('starting')];
  assert.deepEqual(await samples(), ['sds_degraded{reason="starting"} 1'], 'while nothing was looked at');
  reasons = ['partition live/1', 'partition live/2', 'stalled revisions/0', 'ticks'].map(because);
  const stream = { projector: 'live', ownerEpoch: 4, isHalted: true, behind: null, still: 0 };
  facts = {
    tickAge: 21.5 * second,
    skew: -3 * second,
    outbox: { records: 7, age: 61 * second },
    streams: [
      { ...stream, partition: 1 },
      { ...stream, partition: 2 },
      { ...stream, partition: 3, isHalted: false, behind: 0 },
      { projector: 'revisions', partition: 0, ownerEpoch: 9, isHalted: false, behind: 12, still: 31 * second },
    ],
  };
  assert.deepEqual(await samples(), [
    'sds_clock_skew_seconds -3',
    'sds_degraded{reason="partition"} 1',
    'sds_degraded{reason="stalled"} 1',
    'sds_degraded{reason="ticks"} 1',
    'sds_halted_partitions{projector="live"} 2',
    'sds_halted_partitions{projector="revisions"} 0',
    'sds_lag_records{projector="live",partition="3"} 0',
    'sds_lag_records{projector="revisions",partition="0"} 12',
    'sds_lag_seconds{projector="live",partition="3"} 0',
    'sds_lag_seconds{projector="revisions",partition="0"} 31',
    'sds_outbox_age_seconds 61',
    'sds_outbox_records 7',
    'sds_owner_epoch{projector="live",partition="1"} 4',
    'sds_owner_epoch{projector="live",partition="2"} 4',
    'sds_owner_epoch{projector="live",partition="3"} 4',
    'sds_owner_epoch{projector="revisions",partition="0"} 9',
    'sds_tick_age_seconds 21.5',
  ]);

  reasons = [];
  const live = { ...stream, partition: 1, ownerEpoch: 5, isHalted: false, behind: 0 };
  facts = { tickAge: null, skew: 0, outbox: null, streams: [live] };
  assert.deepEqual(await samples(), [
    'sds_clock_skew_seconds 0',
    'sds_halted_partitions{projector="live"} 0',
    'sds_lag_records{projector="live",partition="1"} 0',
    'sds_lag_seconds{projector="live",partition="1"} 0',
    'sds_owner_epoch{projector="live",partition="1"} 5',
  ]);
});

it('pools and held requests are told as they are at each scrape', async () => {
  const metrics = openMetrics({ ofProcess: false });
  let use = { used: 3, idle: 4, waiting: 5 };
  let held = { streams: 6, waits: 7 };
  measurePool(metrics, 'api', () => use);
  measureHeld(metrics, () => held);
  measureBuild(metrics, '1.2.3', ['ingest', 'projectors']);
  const samples = () => samplesOf(metrics, /^(db_|sds_build|sds_held)/);
  const build = 'sds_build_info{version="1.2.3",roles="ingest+projectors"} 1';
  const told = (used: number, idle: number, waiting: number, streams: number, waits: number) => [
    `db_client_connection_count{thread="api",state="idle"} ${idle}`,
    `db_client_connection_count{thread="api",state="used"} ${used}`,
    `db_client_connection_pending_requests{thread="api"} ${waiting}`,
    build,
    `sds_held_requests{kind="stream"} ${streams}`,
    `sds_held_requests{kind="wait"} ${waits}`,
  ];
  assert.deepEqual(await samples(), told(3, 4, 5, 6, 7));
  use = { used: 0, idle: 7, waiting: 0 };
  held = { streams: 0, waits: 0 };
  assert.deepEqual(await samples(), told(0, 7, 0, 0, 0));
});

it('an event loop that was held is told at the next scrape, and not again at the one after', async () => {
  const metrics = openMetrics({ ofProcess: false });
  measureThread(metrics, 'main');
  const worst = async (): Promise<number> => {
    const samples = await samplesOf(metrics, /^nodejs_eventloop_delay_seconds\{thread="main",quantile="0.99"\}/);
    return Number(samples[0]?.split(' ')[1]);
  };
  const turns = () => new Promise((resolve) => setTimeout(resolve, 60));
  await worst();
  // The first interval after a scrape is not measured.
  await turns();
  const until = performance.now() + 700;
  while (performance.now() < until);
  await turns();
  const held = await worst();
  assert.ok(held >= 0.5, `${held} s`);
  await turns();
  const after = await worst();
  assert.ok(after < held, `${after} s after ${held} s`);
});
