// Claim: a partition with a compacted log continues from its checkpoint even if the record just below it is gone: the next records are
// committed at once. A violation would need an owner that counts itself caught up by the offsets it has seen, not by those that remain.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { CheckpointsCatalog } from '../../../core/ports/catalog/checkpoints.ts';
import type { ReferenceCatalog } from '../../../core/ports/catalog/reference.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { referenceProjector } from '../../../projectors/reference/reference-projector.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

const recordsAt = (...offsets: number[]) =>
  offsets.map(
    (offset): DeliveredRecord => ({
      offset,
      timestamp: 0,
      key: null,
      headers: {},
      value: null,
      bytes: new Uint8Array(1),
      undecodable: 'no record: its letter shows that it was folded',
    }),
  );
const batchOf = (from: number, ...offsets: number[]) => ({
  topic: 'sds.games.v1',
  partition: 0,
  records: recordsAt(...offsets),
  from,
  highWatermark: (offsets.at(-1) ?? 0) + 1,
});

/** An owner without a snapshot whose checkpoint is at offset 10. */
async function claimed() {
  const commits: { from: number; to: number; letters: (number | null)[] }[] = [];
  const objects = openMemoryStore(() => 0);
  const checkpoints: CheckpointsCatalog = {
    claim: async () => ({ ownerEpoch: 2, nextOffset: 10, foldDigest: '', snapshot: null, logVersion: null }),
    halt: async (_stream, _epoch, reason) => assert.fail(reason),
    position: async () => ({ ownerEpoch: 2, nextOffset: 10, foldDigest: '' }),
  };
  const catalog: Pick<ReferenceCatalog, 'commit'> = {
    async commit({ from, to, deadLetters }) {
      commits.push({ from, to, letters: deadLetters.map(({ offset }) => offset) });
      return 'committed';
    },
  };
  const partition = await Partition.open(
    referenceProjector(catalog),
    {
      checkpoints,
      objects,
      parquet: parquetWriter,
      clock: { now: () => 0, sleep: async () => {} },
      crash: () => {},
      log: silentLog,
      ownerId: 'test',
      flushEveryMs: 0,
      snapshotEvery: { records: 1_000, ms: 1e12 },
    },
    0,
  );
  return { partition, commits };
}

it('what follows a record that was compacted away below the checkpoint is committed with its own batch', async () => {
  const { partition, commits } = await claimed();
  await partition.handle(batchOf(0, 6, 8));
  assert.deepEqual(commits, []);
  await partition.handle(batchOf(9, 12));
  assert.deepEqual(commits, [{ from: 10, to: 13, letters: [12] }]);
});

it('also where nothing is left of what lies below it, or both come in one batch', async () => {
  for (const batch of [batchOf(0, 12, 13), batchOf(0, 3, 8, 12, 13)]) {
    const { partition, commits } = await claimed();
    await partition.handle(batch);
    assert.deepEqual(commits, [{ from: 10, to: 14, letters: [12, 13] }]);
  }
});
