// When the raw archive is written: each day once it is over, by one process at a time, and again where it failed.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';
import { archiveDays } from '../../../projectors/jobs/raw-archiver.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { SetClock } from '../../support/editions/edition.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog } from '../../support/fakes/written-log.ts';

const at = (text: string): number => Date.parse(text) * 1_000;
const never = new AbortController().signal;

function world() {
  const log = new WrittenLog();
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const state = { now: 0, held: true, released: 0, away: false };
  const errors: string[] = [];
  const meter = openMetrics({ ofProcess: false });
  const lines: Log = { ...silentLog, error: (message) => errors.push(message) };
  const tools = {
    broker: log,
    archive: {
      ...archive,
      write: (...file: Parameters<typeof archive.write>) =>
        state.away ? Promise.reject(new Error('the store is away')) : archive.write(...file),
    },
    leases: {
      hold: async () => state.held,
      release: async () => {
        state.released += 1;
      },
    },
    live: { now: async () => state.now },
    clock: new SetClock(),
    log: lines,
    meter,
  };
  const ranges = async () => (await archive.files(topics.quotes, 0)).map(({ day, from, to }) => `${day} ${from}-${to}`);
  const counted = async () => {
    const lines = (await metricsText([await meter.snapshot()])).split('\n');
    return lines.filter((line) => line.startsWith('sds_archive')).toSorted();
  };
  return { log, tools, state, errors, ranges, counted };
}

describe('the writer of the raw archive', () => {
  it('takes a day ten minutes after its end, and not the day that runs', async () => {
    const { log, tools, state, ranges, counted } = world();
    log.append(at('2026-01-08T10:00:00Z'));
    log.append(at('2026-01-09T10:00:00Z'));
    state.now = at('2026-01-10T00:09:59Z');
    const first = await archiveDays(tools, null, never);
    assert.deepEqual(await ranges(), ['2026-01-08 0-1']);
    state.now = at('2026-01-10T00:10:00Z');
    const second = await archiveDays(tools, first, never);
    assert.deepEqual(await ranges(), ['2026-01-08 0-1', '2026-01-09 1-2']);
    assert.equal(second, at('2026-01-10T00:00:00Z'));
    const reads = log.reads.length;
    assert.equal(await archiveDays(tools, second, never), second);
    assert.equal(log.reads.length, reads, 'a day known to be archived is not read again');
    assert.equal(state.released, 2);
    assert.deepEqual(await counted(), ['sds_archived_records_total{topic="sds.quotes.v1"} 2']);
  });

  it('leaves it to the process that holds the lease', async () => {
    const { log, tools, state, ranges } = world();
    log.append(at('2026-01-08T10:00:00Z'));
    state.now = at('2026-01-10T12:00:00Z');
    state.held = false;
    assert.equal(await archiveDays(tools, null, never), null);
    assert.deepEqual(await ranges(), []);
  });

  it('says what failed, and does it in the next round', async () => {
    const { log, tools, state, errors, ranges, counted } = world();
    log.append(at('2026-01-08T10:00:00Z'));
    state.now = at('2026-01-10T12:00:00Z');
    state.away = true;
    assert.equal(await archiveDays(tools, null, never), null);
    assert.deepEqual(errors, ['a partition was not archived']);
    const failed = 'sds_archive_failures_total{topic="sds.quotes.v1"} 1';
    assert.deepEqual(await counted(), [failed]);
    state.away = false;
    assert.equal(await archiveDays(tools, null, never), at('2026-01-10T00:00:00Z'));
    assert.deepEqual(await ranges(), ['2026-01-08 0-1']);
    assert.deepEqual(await counted(), [failed, 'sds_archived_records_total{topic="sds.quotes.v1"} 1']);
  });

  it('says which records were deleted before it came', async () => {
    const { log, tools, state, errors, counted } = world();
    for (const day of ['05', '06', '07', '08']) log.append(at(`2026-01-${day}T10:00:00Z`));
    state.now = at('2026-01-06T12:00:00Z');
    await archiveDays(tools, null, never);
    log.delete(3);
    state.now = at('2026-01-09T12:00:00Z');
    await archiveDays(tools, null, never);
    assert.deepEqual(errors, ['records were deleted before they were archived']);
    assert.deepEqual(await counted(), [
      'sds_archive_failures_total{topic="sds.quotes.v1"} 1',
      'sds_archived_records_total{topic="sds.quotes.v1"} 2',
    ]);
  });
});
