// A range of the log folded again beside what is served, in both editions: nothing differs where nothing is wrong, at whatever place the range
// ends; a file that is lost, and one that says something else, are found by their places; games that began before the range are left out
// (docs/operations.md#replaying-the-log).
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { planRebuild } from '../../../ops/rebuild/plan-rebuild.ts';
import { rebuildLogs } from '../../../ops/rebuild/rebuild-logs.ts';
import { checkpointOf, type Replayed, replayPartition } from '../../../ops/rebuild/replay-partition.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { longGames, pushMinutes } from '../../support/editions/games-with-long-logs.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [game, other] = longGames as [string, string];

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`replaying the log, ${name}`, skipFor(skip), () => {
    let edition: Edition;
    let drop: () => Promise<void>;
    let feedKey: string;

    beforeAll(async () => {
      const setting = await prepare();
      drop = setting.drop;
      edition = await startEdition(setting);
      feedKey = await edition.feedKey(['push', 'backfill']);
      await pushMinutes(edition, feedKey, 0, 35, 2);
    });
    afterAll(async () => {
      await edition?.stop();
      await drop?.();
    });

    const toolsOf = () => {
      const { broker, catalogs, objects } = edition.drivers;
      return { broker, catalogs, objects, parquet: parquetWriter, patience: { clock: systemClock, log: silentLog } };
    };

    /** Folds each partition again between two shares of its length. */
    async function replayed(from = 0, to = 1): Promise<Replayed[]> {
      const answers: Replayed[] = [];
      for (const { partition, high } of await edition.drivers.broker.watermarks(topics.quotes)) {
        const end = await checkpointOf(edition.drivers.catalogs, partition);
        assert.equal(end, high);
        const range = { partition, from: Math.floor(end * from), to: Math.floor(end * to), toEnd: to === 1 };
        let records = 0;
        answers.push(
          await replayPartition(toolsOf(), range, (count) => {
            records += count;
          }),
        );
        assert.equal(records, range.to - range.from);
      }
      return answers;
    }

    const found = (answers: readonly Replayed[]) =>
      answers
        .flatMap(({ games }) => games)
        .map(({ gameId, comparison: { rows, differences } }) => [gameId, rows, differences] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));

    async function logOf(id: string) {
      const { games, live } = edition.drivers.catalogs;
      const uuid = (await games.find(id))?.uuid ?? '';
      const log = await live.servedLog(uuid);
      assert.ok(log !== null);
      return { uuid, log };
    }

    it('finds nothing where nothing is wrong', async () => {
      const answers = await replayed();
      assert.deepEqual(found(answers), [
        [game, 2_800, []],
        [other, 2_800, []],
      ]);
      assert.ok(answers.every(({ boards, leftOut }) => boards && leftOut.length === 0));
    });

    it('compares the rows up to where the range ends', async () => {
      for (const to of [0.1, 0.5, 0.9]) {
        const answers = await replayed(0, to);
        assert.ok(answers.filter(({ games }) => games.length > 0).every(({ boards }) => !boards));
        for (const [id, rows, differences] of found(answers)) {
          assert.ok(rows > 0 && rows < 2_800, `${id}: ${rows} rows`);
          assert.deepEqual(differences, []);
        }
      }
    });

    it('leaves out games that may have records before the range', async () => {
      const answers = await replayed(0.5);
      assert.deepEqual(found(answers), []);
      const left = answers.flatMap(({ leftOut }) => leftOut);
      assert.deepEqual(left.map(({ gameId }) => gameId).sort(), [game, other]);
      assert.match(left[0]?.reason ?? '', /^may have records from offset 0 on$/);
    });

    it('finds a price, a file and a board that are not as they are folded, and a rebuild mends them', async () => {
      const { uuid, log } = await logOf(game);
      const { sql, objects } = edition.drivers;
      const [segment] = log.closed;
      assert.ok(segment !== undefined);
      const rows = parquetWriter.decodeOwnColumns((await objects.get(segment.key)) as Uint8Array).rows;
      const changed = rows.map((row, index) => (index === 6 ? { ...row, price_american: 999 } : row));
      const bytes = runToEnd(parquetWriter.encoding('sportsbook-lines', changed, new Map()));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await objects.put(`${segment.key}.changed` as never, bytes);
      await sql.query(
        'update live_segments set key = $1, size = $2, sha256 = $3 where game_uuid = $4 and seq = $5 and generation = $6',
        [`${segment.key}.changed`, bytes.length, sha256, uuid, segment.seq, log.generation],
      );
      await sql.query(`delete from live_boards where game_uuid = $1 and operator = 'FANDUEL'`, [uuid]);
      const lost = (await logOf(other)).log.closed[0]?.key ?? '';
      await objects.delete([lost]);

      const price = JSON.stringify(rows[6]?.price_american);
      const [one, two] = found(await replayed());
      assert.deepEqual(one?.[2], [
        { at: 'row 7', served: 'price_american 999', folded: `price_american ${price}` },
        { at: 'board of FANDUEL', served: 'none', folded: 'a board' },
      ]);
      assert.deepEqual(two?.[2], [
        { at: 'segment 1', served: `object ${lost} is committed and is absent`, folded: 'its rows' },
      ]);

      const { broker, catalogs } = edition.drivers;
      const tools = {
        broker,
        catalogs,
        clock: systemClock,
        actor: 'a test',
        interrupted: new AbortController().signal,
      };
      const { planned } = await planRebuild(tools, { league: 'NBA' });
      for await (const { outcome } of rebuildLogs(tools, planned)) assert.equal(outcome.kind, 'rebuilt');
      assert.deepEqual(found(await replayed()), [
        [game, 2_800, []],
        [other, 2_800, []],
      ]);
    });
  });
}
