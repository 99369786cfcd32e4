// A partition whose state is not the one that was committed goes on all the same: the streams that differ start over in epochs of their own,
// the others go on, what was published stands, and the ended epochs are archived whole (docs/revisions.md#epochs; I12).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gameUuid } from '../../../core/msf/ids.ts';
import { type DeliveredRecord, Halted } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { revisionsProjector } from '../../../projectors/revisions/revisions-projector.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import type { PartitionTools } from '../../../projectors/worker/partition-tools.ts';
import { gameObject, play } from '../../support/builders/msf-bodies.ts';
import { MemoryMsfCatalog } from '../../support/fakes/memory-msf-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { observationRecord } from '../../support/folds/msf-log.ts';

const start = Date.UTC(2026, 0, 10, 1) * 1_000;

function delivered(offset: number, game: number, plays: number): DeliveredRecord {
  const id = 900_000 + game;
  const uuid = gameUuid('NBA', id);
  const at = start + offset * 1_000_000;
  const list = Array.from({ length: plays }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
  const body = { game: gameObject({ id }), plays: list };
  const push = { feed: 'playbyplay', requested: at, at, observedAt: null, body } as const;
  const value = observationRecord({ kind: 'game', uuid, id: uuid, league: 'NBA' }, push, id, body);
  const frame = { offset, timestamp: at, key: uuid, headers: {}, undecodable: null };
  return { ...frame, value, bytes: Buffer.from(JSON.stringify(value)) };
}

function world() {
  const catalog = new MemoryMsfCatalog();
  const store = openMemoryStore(() => 0);
  const errors: string[] = [];
  const tools: PartitionTools = {
    checkpoints: catalog,
    objects: store,
    parquet: parquetWriter,
    clock: { now: () => 0, sleep: async () => {} },
    crash: () => {},
    log: { ...silentLog, error: (message) => void errors.push(message) },
    ownerId: 'test',
    flushEveryMs: 0,
    snapshotEvery: { records: 1_000, ms: 1e12 },
  };
  const open = () => Partition.open(revisionsProjector(catalog), tools, 0);
  const batch = (...records: DeliveredRecord[]) => ({ topic: 't', partition: 0, records, highWatermark: 0 });
  return { catalog, errors, open, batch };
}

const [one, other] = [gameUuid('NBA', 900_001), gameUuid('NBA', 900_002)];

describe('a state that is not the committed one', () => {
  it('starts over the streams that differ, and no other', async () => {
    const { catalog, errors, open, batch } = world();
    const log = [delivered(0, 1, 1), delivered(1, 2, 1), delivered(2, 1, 2), delivered(3, 2, 2), delivered(4, 1, 3)];
    await (await open()).handle(batch(...log));
    const epochs = (uuid: string) => catalog.streams.get(`plays ${uuid}`)!.current.epoch;
    const before = [epochs(one), epochs(other)];

    // The next owner folds the log again, in which one game's last record is now another.
    const again = [...log.slice(0, 4), delivered(4, 1, 4)];
    const partition = await open();
    await partition.handle(batch(...again));
    assert.deepEqual(errors, ['state is not the committed one']);
    await partition.handle(batch(delivered(5, 1, 5), delivered(6, 2, 3)));

    const [started, gone] = [catalog.streams.get(`plays ${one}`)!, catalog.streams.get(`plays ${other}`)!];
    assert.notEqual(started.current.epoch, before[0]);
    assert.deepEqual(started.replaced, [before[0]]);
    assert.deepEqual(
      [started.current.head, started.revisions.at(-1)?.kind, started.revisions.at(-1)?.snapshotRows],
      [1, 'replace', 5],
    );
    assert.deepEqual([gone.current.epoch, gone.current.head, gone.replaced], [before[1], 3, []]);
    assert.deepEqual(
      started.archives.map(({ epoch, first, last }) => [epoch, first, last]),
      [[before[0], 1, 3]],
    );
  });

  it('goes on from the catalog where that was set back', async () => {
    const { catalog, open, batch } = world();
    const log = [delivered(0, 1, 1), delivered(1, 1, 2), delivered(2, 1, 3)];
    await (await open()).handle(batch(...log.slice(0, 1)));
    const partition = await open();
    await partition.handle(batch(...log));
    await partition.close();
    // As after restoring a backup: the checkpoint exists, two revisions do not.
    for (const stream of catalog.streams.values()) {
      stream.revisions.splice(1);
      stream.current = { ...stream.current, head: 1 };
    }
    catalog.foldDigest = '0'.repeat(64);
    await (await open()).handle(batch(delivered(3, 1, 4)));
    const plays = catalog.streams.get(`plays ${one}`)!;
    assert.deepEqual([plays.current.head, plays.replaced.length], [1, 1]);
    assert.equal(plays.revisions.at(-1)?.snapshotRows, 4);
  });

  it('is halted where the log knows nothing of what is published', async () => {
    const { catalog, open, batch } = world();
    await (await open()).handle(batch(delivered(0, 1, 1), delivered(1, 2, 1)));
    const partition = await open();
    await assert.rejects(partition.handle(batch(delivered(0, 1, 1), delivered(1, 1, 2))), Halted);
    assert.match(catalog.halted ?? '', /is published, and no record before the checkpoint speaks of it/);
  });
});
