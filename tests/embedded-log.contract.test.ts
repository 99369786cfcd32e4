// What is the embedded log's alone: taking over at once where no other process can live, and its own rows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLog } from '../core/ports/telemetry.ts';
import { frameBatch, unframeBatch } from '../platform/embedded-log/batch-frame.ts';
import { openEmbeddedLog } from '../platform/embedded-log/embedded-log.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { openPool } from '../platform/postgres/sql.ts';
import { Member } from './support/broker-member.ts';
import { MemberProcess } from './support/broker-member-process.ts';
import { gameUuids, image, tick } from './support/broker-records.ts';
import { quotesTopic } from './support/broker-subjects.ts';
import { unique } from './support/services/unique.ts';
import { until } from './support/services/until.ts';
import { services } from './support/services.ts';

const postgres = await services.postgres();
const [game] = gameUuids as [string];

describe('the embedded log', { skip: postgres.skip }, () => {
  let url: string;
  let drop: () => Promise<void>;

  before(async () => {
    ({ url, drop } = await postgres.createDatabase());
    const sql = openPool({ connection: url });
    await migrate(sql, silentLog);
    await sql.close();
  });
  after(() => drop());

  it('takes the partitions of a process that was killed at once, when it is told that it is the only one', async (t) => {
    const topic = quotesTopic(3);
    const group = unique('group');
    const sessionMs = 60_000;
    const earlier = new MemberProcess({ address: { postgres: url }, topic, group, sessionMs });
    t.after(() => earlier.kill());
    await until('the first process holds them', () => earlier.told.length === 3);
    await earlier.kill();
    const sql = openPool({ connection: url });
    const log = openEmbeddedLog({ sql, topics: [topic], sessionMs, soleProcess: true });
    const member = await Member.join(log, { topic: topic.name, group });
    await member.holds(3, 20_000);
    await log.close();
    await sql.close();
  });

  it('keeps its size within reason: feeds repeat themselves', async () => {
    const topic = quotesTopic(1);
    const sql = openPool({ connection: url });
    const log = openEmbeddedLog({ sql, topics: [topic] });
    const values = Array.from({ length: 300 }, (_, index) => image(game, 30, index));
    await log.produce(
      topic.name,
      values.map((value) => ({ key: game, value })),
    );
    const { rows } = await sql.query(
      `select sum(octet_length(bytes)) as bytes, sum(records) as records
       from log_batches b join log_topics t on t.id = b.topic_id where t.name = $1`,
      [topic.name],
    );
    assert.equal(Number(rows[0]?.records), 300);
    assert.ok(Number(rows[0]?.bytes) < 300 * 400, `${rows[0]?.bytes} bytes`);
    await log.close();
    await sql.close();
  });
});

describe('a batch row', () => {
  const record = (n: number, headers = {}) => ({ key: `k${n}`, headers, value: Buffer.from(JSON.stringify(tick(n))) });

  it('gives back its records, small or compressed', () => {
    for (const count of [1, 2, 500]) {
      const records = Array.from({ length: count }, (_, n) => record(n, n % 2 === 0 ? {} : { é: 'ü', __proto__x: '' }));
      assert.deepEqual(unframeBatch(frameBatch(records)), records);
    }
    const empty = [{ key: '', headers: {}, value: Buffer.alloc(0) }];
    assert.deepEqual(unframeBatch(frameBatch(empty)), empty);
  });

  it('that is damaged is an error, and no record', () => {
    const framed = frameBatch(Array.from({ length: 50 }, (_, n) => record(n)));
    assert.throws(() => unframeBatch(framed.subarray(0, framed.length - 5)));
    const small = frameBatch([record(1)]);
    assert.throws(() => unframeBatch(small.subarray(0, small.length - 5)));
  });
});
