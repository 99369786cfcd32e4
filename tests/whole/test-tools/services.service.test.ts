// The services of the tests are what their users take them for: real, alone in their names, and restartable with their data.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import kafkajs from 'kafkajs';
import pg from 'pg';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { plannedMigration, readyDatabase } from '../../../platform/postgres/ready-database.ts';
import { databaseRoles } from '../../../platform/postgres/roles.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { isListening } from '../../support/services/ports.ts';
import type { S3 } from '../../support/services/s3.ts';
import { dumpSchema } from '../../support/services/schema-dump.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const kafka = await services.kafka();
const registry = await services.registry();
const s3 = await services.s3();
const postgres = await services.postgres();
const systemPostgres = await services.systemPostgres();
const redis = await services.redis();
const python = await services.python();
const nginx = await services.nginx();

function clientOf(brokers: readonly string[]): kafkajs.Kafka {
  return new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
}

async function schemaAt(url: string): Promise<string> {
  const sql = openPool({ connection: url, maxConnections: 1 });
  try {
    return await dumpSchema(sql);
  } finally {
    await sql.close();
  }
}

async function lastOffset(client: kafkajs.Kafka, topic: string): Promise<string | undefined> {
  const admin = client.admin();
  await admin.connect();
  const [partition] = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return partition?.high;
}

async function produce(client: kafkajs.Kafka, topic: string, value: string): Promise<void> {
  const producer = client.producer({ idempotent: true });
  await producer.connect();
  await producer.send({ topic, messages: [{ value }] });
  await producer.disconnect();
}

async function createTopic(client: kafkajs.Kafka, topic: string): Promise<void> {
  const admin = client.admin();
  await admin.connect();
  const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: true });
  await admin.disconnect();
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

function s3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3): S3Client {
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
}

it('Kafka takes records, and stamps them itself where the topic says so', skipFor(kafka.skip), async () => {
  const client = clientOf(kafka.brokers);
  const topic = unique('topic');
  await createTopic(client, topic);
  await produce(client, topic, 'a');
  assert.equal(await lastOffset(client, topic), '1');
});

it('a Kafka of our own comes back after SIGKILL at the same address with its records', async (t) => {
  await using broker = await services.own.kafka();
  if (broker.skip !== false) return t.skip(broker.skip);
  const client = clientOf(broker.brokers);
  await createTopic(client, 'kept');
  await produce(client, 'kept', 'before');
  await broker.kill();
  await assert.rejects(
    clientOf(broker.brokers)
      .admin({ retry: { retries: 0 } })
      .connect(),
  );
  await broker.restart();
  await produce(client, 'kept', 'after');
  assert.equal(await lastOffset(client, 'kept'), '2');
});

it(
  "the schema registry speaks Confluent's interface and refuses what is incompatible",
  skipFor(registry.skip),
  async () => {
    const subject = unique('subject');
    const put = (method: string, path: string, body: object) =>
      fetch(`${registry.url}${path}`, {
        method,
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body: JSON.stringify(body),
      });
    const record = (type: string) => ({
      schema: JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'a', type }] }),
    });
    assert.equal((await put('POST', `/subjects/${subject}/versions`, record('string'))).status, 200);
    assert.equal((await put('PUT', `/config/${subject}`, { compatibility: 'FULL_TRANSITIVE' })).status, 200);
    assert.equal((await put('POST', `/subjects/${subject}/versions`, record('int'))).status, 409);
  },
);

it('S3 lets one of two conditional puts win', skipFor(s3.skip), async () => {
  const client = s3Client(s3);
  const Bucket = await s3.createBucket();
  const put = () => client.send(new PutObjectCommand({ Bucket, Key: 'a/b', Body: 'x', IfNoneMatch: '*' }));
  await put();
  await assert.rejects(put, { name: 'PreconditionFailed' });
  client.destroy();
});

it('S3 keeps objects over a restart, their metadata included', async (t) => {
  await using own = await services.own.s3();
  if (own.skip !== false) return t.skip(own.skip);
  const client = s3Client(own);
  const object = { Bucket: own.bucket, Key: 'k' };
  await client.send(new PutObjectCommand({ ...object, Body: 'x', Metadata: { sha: '1' } }));
  await own.restart();
  const head = await client.send(new HeadObjectCommand(object));
  assert.deepEqual(head.Metadata, { sha: '1' });
  client.destroy();
});

for (const [name, server] of [
  ['PostgreSQL', postgres],
  ["The machine's own PostgreSQL", systemPostgres],
] as const) {
  it(`${name} hands out databases that do not see one another`, skipFor(server.skip), async () => {
    const [one, two] = [await server.createDatabase(), await server.createDatabase()];
    await query(one.url, 'create table t (a int)');
    await assert.rejects(query(two.url, 'select * from t'), { code: '42P01' });
    await one.drop();
    await two.drop();
    await assert.rejects(query(one.url, 'select 1'), { code: '3D000' });
  });
}

it(
  'PostgreSQL copies a migrated database for each who asks, as a first start leaves it',
  skipFor(postgres.skip),
  async () => {
    if (postgres.skip !== false) return;
    const first = await postgres.createDatabase();
    await readyDatabase({ kind: 'given', url: first.url }, silentLog, 'prepare', databaseRoles);
    const copies = await Promise.all([1, 2, 3].map(() => postgres.createMigratedDatabase()));
    const access = 'select datacl from pg_database where datname = current_database()';
    for (const { url } of copies) {
      const login = { kind: 'given', url } as const;
      assert.deepEqual(await plannedMigration(login, silentLog), { pending: [], newer: [], rights: false });
      assert.equal(await schemaAt(url), await schemaAt(first.url));
      assert.deepEqual(await query(url, access), await query(first.url, access));
    }
    await query(copies[0]?.url ?? '', 'create table t (a int)');
    await assert.rejects(query(copies[1]?.url ?? '', 'select * from t'), { code: '42P01' });
    for (const { drop } of [first, ...copies]) await drop();
  },
);

it('a PostgreSQL of our own recovers what was committed before SIGKILL', async (t) => {
  await using server = await services.own.postgres();
  if (server.skip !== false) return t.skip(server.skip);
  await query(server.url, 'create table t as select 7 as a');
  await server.kill();
  await server.restart();
  assert.deepEqual(await query(server.url, 'select a from t'), [{ a: 7 }]);
});

it('a frozen PostgreSQL keeps its connections and answers once it is resumed', async (t) => {
  await using server = await services.own.postgres();
  if (server.skip !== false) return t.skip(server.skip);
  await server.freeze();
  let answered = false;
  const answer = query(server.url, 'select 1 as a').then((rows) => {
    answered = true;
    return rows;
  });
  await assert.rejects(until('an answer', () => answered, { withinMs: 300 }));
  await server.resume();
  assert.deepEqual(await answer, [{ a: 1 }]);
});

it('Redis runs Lua', skipFor(redis.skip), async () => {
  const { hostname, port } = new URL(redis.url);
  const { connect } = await import('node:net');
  const socket = connect(Number(port), hostname);
  socket.write('EVAL "return 6*7" 0\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  assert.equal(answer.toString(), ':42\r\n');
});

it('Python has both readers of Parquet', skipFor(python.skip), async () => {
  const program = `
import duckdb, pyarrow.parquet
duckdb.sql("copy (select 1 as a, timestamptz '2026-01-01' as t) to 'x.parquet'")
print(pyarrow.parquet.read_table('x.parquet').num_rows, duckdb.sql("from 'x.parquet'").fetchall()[0][1].year)`;
  const cwd = mkdtempSync(join(tmpdir(), 'sds-test-python-'));
  const { stdout } = await promisify(execFile)(python.path, ['-c', program], { cwd });
  rmSync(cwd, { recursive: true });
  assert.match(stdout, /^1 202[56]\n$/);
});

it('nginx serves the files of a directory', skipFor(nginx.skip), async () => {
  const root = mkdtempSync(join(tmpdir(), 'sds-test-root-'));
  writeFileSync(join(root, 'a.bin'), 'bytes');
  {
    await using server = await nginx.serve(root);
    assert.equal(await (await fetch(`${server.url}/a.bin`)).text(), 'bytes');
  }
  rmSync(root, { recursive: true });
});

describe('when the process that started a service as a program is killed', () => {
  it('the service ends and its data goes', skipFor(postgres.skip), async () => {
    const program = `
import { services } from ${JSON.stringify(new URL('../../support/services/services.ts', import.meta.url).href)};
const server = await services.own.postgres();
console.log(JSON.stringify({ port: Number(new URL(server.url).port), dir: server.directory }));
await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SDS_TEST_SERVICES: 'native' },
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port, dir } = JSON.parse(line) as { port: number; dir: string };
    assert.ok((await isListening(port)) && existsSync(dir));
    child.kill('SIGKILL');
    await until('nothing is left', async () => !(await isListening(port)) && !existsSync(dir));
  });
});
