// Both editions, with a log that has deleted its oldest records: a game whose records are in the raw archive alone is rebuilt from there, to the
// same rows, and compared; and the raw archive verifies clean (docs/durability.md#the-raw-archive). A violation is a row that the new log does not
// have, or a rebuild that is refused though every record is there.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { planRebuild } from '../../../ops/rebuild/plan-rebuild.ts';
import { rebuildLogs } from '../../../ops/rebuild/rebuild-logs.ts';
import { replayPartition } from '../../../ops/rebuild/replay-partition.ts';
import { wholeLog } from '../../../ops/session/whole-log.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyArchive } from '../../../ops/verify/verify-archive.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveDays } from '../../../projectors/jobs/raw-archiver.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { longGames, pushMinutes } from '../../support/editions/games-with-long-logs.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { twoEditions } from '../../support/editions/two-editions.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [game] = longGames as [string, string, string];
const days = 24 * 3_600 * 1_000_000;

for (const [name, skip, prepare] of twoEditions) {
  describe(`a log that has deleted what is archived, ${name}`, skipFor(skip), () => {
    let edition: Edition;
    let drop: () => Promise<void>;
    let partition: number;
    let low: number;

    beforeAll(async () => {
      const setting = await prepare();
      drop = setting.drop;
      edition = await startEdition(setting);
      const key = await edition.feedKey(['push', 'backfill']);
      await pushMinutes(edition, key, 0, 20);
      const { broker, catalogs, objects } = edition.drivers;
      const { leases } = catalogs;
      // In two days, everything in the log now belongs to a day that is over.
      const live = { now: async () => systemClock.now() + 2 * days };
      const archive = openRawArchive(objects);
      await archiveDays(
        { broker, archive, leases, live, clock: systemClock, log: silentLog },
        null,
        new AbortController().signal,
      );
      await pushMinutes(edition, key, 20, 22);
      const found = await catalogs.games.find(game);
      assert.ok(found !== null);
      partition = await broker.partitionOf(topics.quotes, found.uuid);
      low = (await archive.files(topics.quotes, partition)).at(-1)?.to ?? 0;
      assert.ok(low > 1, 'there is something to delete');
      await (setting.deleteBelow ?? deleteByLog)(topics.quotes, partition, low);
      const held = (await broker.watermarks(topics.quotes)).find((each) => each.partition === partition);
      assert.equal(held?.low, low, 'it is deleted');
    });
    afterAll(async () => {
      await edition?.stop();
      await drop?.();
    });

    async function deleteByLog(topic: string, of: number, below: number): Promise<void> {
      while ((await edition.drivers.broker.forget?.(topic, of, { before: null, below }))?.more === true);
    }

    const session = () => ({
      broker: async () => edition.drivers.broker,
      objects: async () => edition.drivers.objects,
    });

    it('verifies clean', async () => {
      const { broker, objects } = edition.drivers;
      const report = new Report();
      await verifyArchive({ broker, archive: openRawArchive(objects), report });
      assert.deepEqual(report.violations, []);
      assert.ok((report.checked['archived records'] ?? 0) > low, JSON.stringify(report.checked));
    });

    it('is replayed from the archive, and no row differs', async () => {
      const { catalogs, objects } = edition.drivers;
      const broker = await wholeLog(session());
      const patience = { clock: systemClock, log: silentLog };
      const to = (await catalogs.checkpoints.nextOffsets('live', topics.quotes)).get(partition) ?? 0;
      const tools = { catalogs, broker, patience, objects, parquet: parquetWriter };
      const replayed = await replayPartition(tools, { partition, from: 0, to, toEnd: true }, () => {});
      assert.ok(replayed.games.some(({ gameId }) => gameId === game));
      assert.deepEqual(
        replayed.games.flatMap(({ comparison }) => comparison.differences),
        [],
      );
      assert.deepEqual(replayed.leftOut, []);
    });

    it('is rebuilt from the archive to the same rows; without the archive it is refused', async () => {
      const { catalogs, broker } = edition.drivers;
      await assert.rejects(planRebuild({ catalogs, broker }, { game }), /older records of it may be deleted/);
      const before = await rowsOf(edition, await manifestOf(edition, game));
      const { planned } = await planRebuild({ catalogs, broker: await wholeLog(session()) }, { game });
      const interrupted = new AbortController().signal;
      const tools = { catalogs, broker, clock: systemClock, actor: 'a test', interrupted };
      for await (const { outcome } of rebuildLogs(tools, planned))
        assert.deepEqual(outcome, { kind: 'rebuilt', generation: 2, rows: before.length });
      await everythingFolded(edition);
      await until('the new log is served', async () => {
        const manifest = await manifestOf(edition, game);
        const rows = await rowsOf(edition, manifest);
        assert.equal(rows.length, before.length);
        assert.deepEqual(rows, before);
        return (manifest.segments[0]?.seq ?? 0) > 1;
      });
    });
  });
}
