// Claim: a record that loses all of its quotes, and many such in one flush, are folded and committed like any others, in bounded bytes; and
// a commit that the database permanently refuses halts the partition, with its reason, and affects nothing else. A violation would need
// dead letters that each hold the record, a flush that grows with them, or a refusal of the database that ends the process, and then that
// of every next owner.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { type DeliveredRecord, Halted } from '../../../core/ports/broker.ts';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { type LiveProjectorCatalog, liveProjector } from '../../../projectors/live/live-projector.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { mostPartBytes } from '../../../projectors/worker/record-dead-letters.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { delta, t0, uuid, withdrawn } from '../../support/builders/live-records.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** As many withdrawals as a record may have, of selections that never existed. */
const hopeless = Array.from({ length: 5_000 }, (_, index) => withdrawn(`selection ${index}`, { period: 'full' }));
/** The size of such a record in Avro. */
const recordBytes = 170_000;

/** A dead letter whose text is longer than a JavaScript string may be. */
const unspeakable = {
  get detail(): string {
    return 'x'.repeat(2 ** 30);
  },
};

function delivered(value: QuotesRecord, offset: number): DeliveredRecord {
  const bytes = new Uint8Array(recordBytes);
  return { offset, timestamp: t0, key: uuid, headers: {}, value, bytes, undecodable: null };
}

for (const server of await allTestServers()) {
  describe(`what the fold refuses, on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let partitions = 0;
    beforeAll(async () => {
      sql = (await openDatabase(server)).sql;
    });

    /** Opens a partition of its own and records its commits. */
    async function open(number = ++partitions) {
      const catalog = openLiveCatalog(sql);
      const commits: (readonly DeadLetter[])[] = [];
      let spoil = (letter: DeadLetter): DeadLetter => letter;
      const spoiling: LiveProjectorCatalog = {
        ...catalog,
        commit(commit) {
          commits.push(commit.deadLetters);
          return catalog.commit({ ...commit, deadLetters: commit.deadLetters.map(spoil) });
        },
      };
      const tools = {
        checkpoints: openCheckpointsCatalog(sql),
        objects: openMemoryStore(() => 0),
        parquet: parquetWriter,
        clock: { now: () => 0, sleep: async () => {} },
        crash: () => {},
        log: silentLog,
        ownerId: 'test',
        flushEveryMs: 0,
        snapshotEvery: { records: 1_000, ms: 1e12 },
      };
      const partition = await Partition.open(liveProjector(spoiling), tools, number);
      const handle = (...records: QuotesRecord[]) => {
        const batch = records.map((record, offset) => delivered(record, offset));
        return partition.handle({
          topic: 'sds.quotes.v1',
          partition: number,
          records: batch,
          highWatermark: batch.length,
        });
      };
      const spoilLetters = (by: typeof spoil): void => {
        spoil = by;
      };
      return { number, partition, commits, handle, spoilLetters };
    }

    async function keptOf(partition: number): Promise<{ letters: number; bytes: number; pointers: number }> {
      const { rows } = await sql.query(
        `select count(*) as letters, coalesce(sum(length(payload)), 0) as bytes, count(distinct pointer) as pointers from dead_letters
         where partition = $1 and code = 'unknown-selection'`,
        [partition],
      );
      const { letters, bytes, pointers } = rows[0] as { letters: number; bytes: string; pointers: number };
      return { letters, bytes: Number(bytes), pointers };
    }

    async function haltOf(partition: number): Promise<string | null> {
      const { rows } = await sql.query('select halted from stream_state where partition = $1', [partition]);
      return rows[0]?.halted as string | null;
    }

    for (const pushes of [1, 20])
      it(`keeps ${pushes} times 5,000 withdrawals of what is not there`, async () => {
        const { number, partition, commits, handle } = await open();
        const records = Array.from({ length: pushes }, () => delta('book', hopeless));
        await handle(...records);
        assert.equal(partition.committed, pushes);
        const { letters, bytes, pointers } = await keptOf(number);
        assert.deepEqual([letters, pointers], [5_000 * pushes, 5_000]);
        const whole = JSON.stringify(records[0]).length;
        assert.ok(bytes <= pushes * (whole + mostPartBytes), `${bytes} bytes for ${pushes} records of ${whole}`);
        const most = Math.max(...commits.map((each) => each.length));
        assert.ok(most < 45_000, `${most} letters in one commit`);
      });

    for (const [what, why, spoil] of [
      ['a value that its columns have no room for', /out of range.* \(22003\)/, { pushIndex: 2 ** 40 }],
      ['a row that breaks a constraint', /null value.* \(23502\)/, { code: null as unknown as string }],
      ['letters so large that they have no text', /Invalid string length/, unspeakable],
    ] as const)
      it(`halts at ${what}, each owner once, and says why`, async () => {
        const { number, partition, handle, spoilLetters } = await open();
        spoilLetters((letter) => Object.create(letter, Object.getOwnPropertyDescriptors(spoil)) as DeadLetter);
        const push = delta('book', [withdrawn('nobody')]);
        await assert.rejects(handle(push), (error) => error instanceof Halted && why.test(error.message));
        assert.ok((await partition.failed) instanceof Halted);
        const halted = await haltOf(number);
        assert.match(halted ?? '', why);
        assert.match(
          halted ?? '',
          /^partition \d+: .* from offset 0 up to 1: .*; mend .*, then restart the projectors$/,
        );
        assert.deepEqual(await keptOf(number), { letters: 0, bytes: 0, pointers: 0 });
        const mended = await open(number);
        await mended.handle(push);
        assert.equal(await haltOf(number), null);
        assert.equal((await keptOf(number)).letters, 1);
      });
  });
}
