// The metrics of faults, as a monitor reads them from a process of the service: a partition that another owner takes over is a fence, one
// that cannot go on is a halt, each under its projector alone; and what is a gauge falls back once the remedy has been applied.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { runningInstances } from '../../../ops/service/instance-file.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { Program } from '../../support/campaigns/program.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const folder = makeDataFolder('metrics-of-faults');
const readyFile = join(folder, 'ready.json');

describe('the metrics of faults', skipFor(postgres.skip), () => {
  let drop = async () => {};
  let sql: Sql & { close(): Promise<void> };
  let program: Program;

  beforeAll(async () => {
    const database = await postgres.createDatabase();
    drop = () => database.drop();
    sql = openPool({ connection: database.url, maxConnections: 2 });
    const environment = { ...processEnvironment(database.url, folder), SDS_READY_FILE: readyFile };
    program = new Program('all', environment, { roles: ['all'] });
    program.start();
    await program.untilReady();
  });
  afterAll(async () => {
    await program.kill();
    await sql.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function restart(): Promise<void> {
    program.start();
    await program.untilReady();
  }

  /** The samples of these metrics, as lines. */
  async function samplesOf(...names: readonly string[]): Promise<string[]> {
    const url = runningInstances(folder).find(({ pid }) => pid === program.pid)?.internal_url;
    const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
    return lines.filter((line) => names.some((name) => line.startsWith(`${name}{`))).toSorted();
  }
  const faults = () => samplesOf('sds_fences_total', 'sds_halts_total', 'sds_degraded');
  const halted = () => samplesOf('sds_halted_partitions');
  const haltedOf = (live: number) =>
    [
      `sds_halted_partitions{projector="live"} ${live}`,
      'sds_halted_partitions{projector="reference"} 0',
      'sds_halted_partitions{projector="revisions"} 0',
    ] as const;

  async function push(price: number): Promise<void> {
    const { ingest_url: gateway, feed_key: key } = JSON.parse(readFileSync(readyFile, 'utf8')) as {
      ingest_url: string;
      feed_key: string;
    };
    await pushMoneyline({ gateway, key }, price);
  }

  /** Waits until all records of quotes are committed. Answers the partition of the one game. */
  async function folded(): Promise<number> {
    let partition: number | null = null;
    await until('the push is folded', async () => {
      const { rows } = await sql.query(
        `select s.partition, s.next_offset = p.next_offset as folded from stream_state s
         join log_topics t on t.name = s.topic join log_partitions p on p.topic_id = t.id and p.partition = s.partition
         where s.projector = 'live' and p.next_offset > 0`,
      );
      if (rows[0]?.folded === true) partition = rows[0].partition as number;
      return partition !== null;
    });
    return partition ?? 0;
  }

  it('tell a partition that another owner took over, once, and nothing before', async () => {
    await push(110);
    const partition = await folded();
    await until('the partitions are known', async () => (await halted()).length === 3);
    const lost = () => samplesOf('sds_fences_total', 'sds_halts_total');
    assert.deepEqual([await lost(), await halted()], [[], haltedOf(0)]);
    const claims = async (): Promise<number> => {
      const told = await samplesOf('sds_owner_epoch');
      return Number(told.find((line) => line.includes(`"live",partition="${partition}"`))?.split(' ')[1]);
    };
    const before = await claims();
    const taken = await sql.query(
      `update stream_state set owner_epoch = owner_epoch + 1 where projector = 'live' and partition = $1`,
      [partition],
    );
    assert.equal(taken.rowCount, 1);
    await push(120);
    await folded();
    assert.deepEqual(await lost(), ['sds_fences_total{projector="live"} 1']);
    await until('both claims are told', async () => (await claims()) >= before + 2);
  });

  it('tell a partition that cannot go on, and no more once it can', async () => {
    await program.kill();
    const { rows } = await sql.query(`select tail -> 'file' ->> 'key' as key from live_logs where tail is not null`);
    const tail = join(folder, 'objects', rows[0]?.key as string);
    const whole = readFileSync(tail);
    writeFileSync(tail, whole.subarray(0, 8));
    await restart();
    await push(130);
    await until('the halt is told', async () => (await faults()).includes('sds_degraded{reason="partition"} 1'));
    assert.deepEqual(await samplesOf('sds_fences_total', 'sds_halts_total'), ['sds_halts_total{projector="live"} 1']);
    assert.deepEqual(await halted(), haltedOf(1));

    await program.kill();
    writeFileSync(tail, whole);
    await restart();
    await folded();
    await until('nothing is halted', async () => (await halted()).join() === haltedOf(0).join());
    await until('nothing is degraded', async () => (await faults()).length === 0);
  });
});
