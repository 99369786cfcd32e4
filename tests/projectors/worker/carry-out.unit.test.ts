// A projector that carries out an order reads the records up to the order, the order included, and tells meanwhile how many of them it has folded.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { RebuildProgress } from '../../../core/ports/catalog/rebuilds.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { carryOut } from '../../../projectors/worker/carry-out.ts';
import type { OwnTools } from '../../../projectors/worker/partition-tools.ts';
import type { Projector } from '../../../projectors/worker/projector.ts';

const stream = { projector: 'live', topic: 't', partition: 2 };

function recordAt(offset: number): DeliveredRecord {
  return { offset, timestamp: 0, key: 'game', headers: {}, value: null, bytes: new Uint8Array(), undecodable: null };
}

describe('an order to rebuild a log', () => {
  it('is carried out with the records up to it, and tells how many of them are folded', async () => {
    let seconds = 0;
    const told: RebuildProgress[] = [];
    const tools = {
      clock: { now: () => seconds * 1_000_000, sleep: async () => {} },
      log: silentLog,
      crash: () => {},
      givenUp: new AbortController().signal,
      rebuilds: { tellProgress: async (progress: RebuildProgress) => void told.push(progress) },
      records: {
        watermarks: async () => [{ partition: 2, low: 0, high: 90 }],
        offsetAt: async () => 40,
        async *read(topic: string, partition: number, from: number, to: number) {
          for (let offset = from; offset < to; offset += 1)
            yield { topic, partition, records: [recordAt(offset)], highWatermark: 90 };
        },
      },
    } as unknown as OwnTools;
    const folded: number[] = [];
    const rebuild: NonNullable<Projector['rebuild']> = async (_order, log) => {
      for await (const [record] of (await log.since(1)) ?? []) {
        folded.push(record?.offset ?? -1);
        seconds += 1;
      }
      return null;
    };
    const projector = { rebuild } as Projector;
    const runTask = async <Done>(task: Generator<void, Done, void>) => runToEnd(task);
    assert.equal(await carryOut(tools, runTask, projector, stream, recordAt(44), null), true);
    assert.deepEqual(folded, [40, 41, 42, 43, 44]);
    assert.deepEqual(told, [
      { key: 'game', read: 2, all: 5, took: 2_000_000 },
      { key: 'game', read: 4, all: 5, took: 4_000_000 },
    ]);
  });
});
