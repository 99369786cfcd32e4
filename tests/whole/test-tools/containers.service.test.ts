// What the services of tests ask of a Docker engine, through testcontainers itself, and what their handles do to a container: stopped, killed,
// frozen and started again at the same address. The engine is a stand-in that relays a container's ports to the services of this run, so
// that what is awaited and answered is real, and what an image does with its words is not shown.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  type FakeContainer,
  type FakeDockerEngine,
  startFakeDockerEngine,
} from '../../support/fakes/fake-docker-engine.ts';
import { images } from '../../support/services/images.ts';
import { startKafkaContainer } from '../../support/services/kafka.ts';
import { freePort, isListening } from '../../support/services/ports.ts';
import { startPostgresContainer } from '../../support/services/postgres.ts';
import { startRedisContainer } from '../../support/services/redis.ts';
import { startRegistryContainer } from '../../support/services/registry.ts';
import { startS3Container } from '../../support/services/s3.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const folder = mkdtempSync(join(tmpdir(), 'sds-containers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const socket = join(folder, 'docker.sock');
process.env.DOCKER_HOST = `unix://${socket}`;
// The stand-in relays to programs, or to services that the test run has started.
process.env.SDS_TEST_SERVICES = 'native';

const [kafka, registry, s3, postgres, redis] = await Promise.all([
  services.kafka(),
  services.registry(),
  services.s3(),
  services.postgres(),
  services.redis(),
]);
const skip = kafka.skip || registry.skip || s3.skip || postgres.skip || redis.skip;

type Asked = {
  image: string;
  entrypoint: string[] | null;
  words: string[] | null;
  settings: string[];
  ports: string[];
};

/** The settings of a container, with its ports and the host's. */
function askedOf({ asked }: FakeContainer): Asked {
  const bindings = Object.entries(asked.HostConfig.PortBindings ?? {});
  return {
    image: asked.Image,
    entrypoint: asked.Entrypoint ?? null,
    words: asked.Cmd ?? null,
    settings: asked.Env ?? [],
    ports: bindings.map(([port, hosts]) => `${port} at ${hosts.map(({ HostPort }) => HostPort).join()}`),
  };
}

async function selectOne(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query('select 1 as a')).rows[0];
  } finally {
    await client.end();
  }
}

describe('a service in a container', skipFor(skip), () => {
  const targets = new Map<string, { host: string; port: number } | null>();
  const reaped = createServer((connection) => connection.on('error', () => {}).resume());
  let engine: FakeDockerEngine;

  beforeAll(async () => {
    const of = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });
    targets.set(images.kafka, of(`tcp://${kafka.brokers[0]}`));
    targets.set(images.registry, of(registry.url));
    targets.set(images.s3, of(s3.endpoint));
    targets.set(images.postgres, of(postgres.url));
    targets.set(images.redis, of(redis.url));
    reaped.listen(0, '127.0.0.1');
    await once(reaped, 'listening');
    targets.set(images.reaper, { host: '127.0.0.1', port: (reaped.address() as AddressInfo).port });
    engine = await startFakeDockerEngine(socket, {
      targetOf: (image) => targets.get(image) ?? null,
      says: (image) => `${image} says why`,
    });
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    reaped.close();
  });

  /** The newest container of the image. */
  const newest = (image: string): FakeContainer => {
    const found = engine.containers.findLast(({ asked }) => asked.Image === image);
    assert.ok(found !== undefined, image);
    return found;
  };

  it('PostgreSQL is asked for with the settings of a program, durable where a test owns it', async () => {
    await using server = await startPostgresContainer({ settings: { jit: 'off' } });
    const { port } = new URL(server.url);
    assert.deepEqual(askedOf(newest(images.postgres)), {
      image: 'postgres:18.4-bookworm',
      entrypoint: null,
      words: [
        'postgres',
        ...['-c', 'max_connections=500', '-c', 'fsync=off', '-c', 'full_page_writes=off'],
        ...['-c', 'synchronous_commit=off', '-c', 'jit=off'],
      ],
      settings: [
        'POSTGRES_USER=tests',
        'POSTGRES_DB=postgres',
        'POSTGRES_HOST_AUTH_METHOD=trust',
        'POSTGRES_INITDB_ARGS=--encoding=UTF8 --locale=C --no-sync',
      ],
      ports: [`5432/tcp at ${port}`],
    });
    assert.deepEqual(await selectOne(server.url), { a: 1 });
    const { url, drop } = await server.createDatabase();
    assert.deepEqual(await selectOne(url), { a: 1 });
    await drop();

    await using own = await startPostgresContainer({ durable: true });
    assert.deepEqual(askedOf(newest(images.postgres)).words, ['postgres', '-c', 'max_connections=500']);
    assert.notEqual(own.url, server.url);
  });

  it('Kafka is asked for with the settings of a program, at the port that it tells its clients', async () => {
    const [secure, file] = [await freePort(), join(folder, 'key.pem')];
    writeFileSync(file, 'the key', { mode: 0o600 });
    const settings = { 'group.min.session.timeout.ms': '1000' };
    await using broker = await startKafkaContainer({ settings, more: { SASL_SSL: secure }, files: [file] });
    const [address = ''] = broker.brokers;
    const [host, port] = address.split(':');
    const container = newest(images.kafka);
    const { words, ...asked } = askedOf(container);
    assert.deepEqual(asked, {
      image: 'apache/kafka:4.4.0',
      entrypoint: ['sh', '-c'],
      settings: [
        'KAFKA_HEAP_OPTS=-Xms256m -Xmx512m',
        'KAFKA_JVM_PERFORMANCE_OPTS=-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
      ],
      ports: [`${port}/tcp at ${port}`, `${secure}/tcp at ${secure}`],
    });
    assert.match(
      words?.join() ?? '',
      /^\/opt\/kafka\/bin\/kafka-storage.sh format --ignore-formatted -t [\w-]{22} -c \/tmp\/server.properties && exec \/opt\/kafka\/bin\/kafka-server-start.sh \/tmp\/server.properties$/,
    );
    const [archive = Buffer.alloc(0)] = container.archives;
    const put = archive.toString('utf8');
    for (const line of [
      `listeners=PLAINTEXT://0.0.0.0:${port},SASL_SSL://0.0.0.0:${secure},CONTROLLER://127.0.0.1:9093`,
      `advertised.listeners=PLAINTEXT://${host}:${port},SASL_SSL://${host}:${secure}`,
      'log.dirs=/var/lib/kafka/data',
      'auto.create.topics.enable=false',
      'group.min.session.timeout.ms=1000',
    ])
      assert.ok(put.includes(`\n${line}\n`), line);
    // Headers in the archive: a name, then a mode with which every user of the image may read.
    for (const name of ['tmp/server.properties', file.slice(1)]) {
      const at = put.indexOf(`${name}\0`);
      assert.ok(at % 512 === 0, name);
      assert.match(put.slice(at + 100, at + 108), /^0*644/, name);
    }
    assert.ok(put.includes('the key'));
  });

  it('the schema registry is asked for as it is', async () => {
    await using started = await startRegistryContainer();
    assert.deepEqual(askedOf(newest(images.registry)), {
      ...{ image: 'apicurio/apicurio-registry-mem:2.6.13.Final', entrypoint: null, words: null, settings: [] },
      ports: [`8080/tcp at ${new URL(started.url).port}`],
    });
    assert.ok((await fetch(`${started.url}/subjects`)).ok);
  });

  it('S3 is asked for with its account and its folders, and makes users by its own program', async () => {
    await using started = await startS3Container();
    const container = newest(images.s3);
    const account = ['--access', 'tests', '--secret', 'tests-secret-of-no-worth'];
    assert.deepEqual(askedOf(container), {
      image: 'versity/versitygw:v1.8.0',
      entrypoint: ['sh', '-c'],
      words: [
        [
          'mkdir -p /s3/data /s3/metadata /s3/users && exec /usr/local/bin/versitygw',
          ...account,
          '--port :7070 --quiet --iam-dir /s3/users --health /health posix --sidecar /s3/metadata /s3/data',
        ].join(' '),
      ],
      settings: [],
      ports: [`7070/tcp at ${new URL(started.endpoint).port}`],
    });
    assert.match(await started.createBucket(), /^bucket-/);
    const user = await started.createUser?.('reader');
    assert.deepEqual(user, { accessKeyId: 'reader', secretAccessKey: 'reader-secret-of-no-worth' });
    const creation = ['--endpoint-url', 'http://127.0.0.1:7070', 'create-user', '--access', 'reader'];
    const words = [...account, ...creation, '--secret', 'reader-secret-of-no-worth', '--role', 'user'];
    assert.deepEqual(container.ran, [['/usr/local/bin/versitygw', 'admin', ...words]]);
    await assert.rejects(async () => started.createUser?.('fails'), /ended with 3 in versitygw: it fails/);
  });

  it('Redis is asked for without a disk', async () => {
    await using started = await startRedisContainer();
    assert.deepEqual(askedOf(newest(images.redis)), {
      image: 'redis:6.2.14-bookworm',
      entrypoint: null,
      words: ['redis-server', '--protected-mode', 'no', '--save', '', '--appendonly', 'no'],
      settings: [],
      ports: [`6379/tcp at ${new URL(started.url).port}`],
    });
  });

  it('is stopped, killed, frozen and started again at its address, and is removed with its data', async () => {
    const server = await startPostgresContainer({ durable: true });
    const port = Number(new URL(server.url).port);
    const { deeds, asked } = newest(images.postgres);
    assert.equal(asked.HostConfig.AutoRemove, false, 'a stopped container can be started again');

    await server.stop();
    await server.stop();
    assert.ok(!(await isListening(port)));
    await server.restart();
    assert.deepEqual(await selectOne(server.url), { a: 1 });

    await server.kill();
    assert.ok(!(await isListening(port)));
    await server.restart();
    await server.restart();
    assert.deepEqual(await selectOne(server.url), { a: 1 });

    await server.freeze();
    let answered = false;
    const answer = selectOne(server.url).then((row) => {
      answered = true;
      return row;
    });
    await assert.rejects(until('an answer', () => answered, { withinMs: 300 }));
    await server.resume();
    assert.deepEqual(await answer, { a: 1 });

    assert.equal(server.directory, null);
    assert.equal(await server.log(), 'postgres:18.4-bookworm says why\n');
    await server[Symbol.asyncDispose]();
    assert.ok(!(await isListening(port)));
    const stopped = 'POST stop t=20';
    const killed = ['POST kill signal=SIGKILL', 'POST wait'];
    assert.deepEqual(deeds, [
      'POST start',
      ...[stopped, 'POST start'],
      ...[...killed, 'POST start'],
      ...[stopped, 'POST start'],
      ...['POST pause', 'POST unpause'],
      'DELETE force=true&v=true',
    ]);
  });

  it('is awaited until it answers as a client asks', async () => {
    const target = targets.get(images.redis) ?? null;
    let asked = 0;
    const slow = createServer((connection) => {
      asked += 1;
      if (asked < 3) connection.destroy();
      else connection.on('error', () => {}).on('data', () => connection.end('+PONG\r\n'));
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    targets.set(images.redis, { host: '127.0.0.1', port: (slow.address() as AddressInfo).port });
    await using started = await startRedisContainer();
    assert.equal(asked, 3);
    asked = 0;
    await started.restart();
    assert.equal(asked, 3, 'and when it is started again');
    targets.set(images.redis, target);
    slow.close();
  });

  it('that does not start says what it wrote, and how to do without', async () => {
    const target = targets.get(images.redis) ?? null;
    targets.set(images.redis, null);
    await assert.rejects(startRedisContainer(), {
      message:
        'Redis does not start in redis:6.2.14-bookworm: redis:6.2.14-bookworm says why (SDS_TEST_SERVICES=native starts it without Docker)',
    });
    assert.ok(newest(images.redis).deeds.includes('DELETE v=true'), 'it is removed');
    targets.set(images.redis, target);
  });

  it('is of an image of the table, pulled by its tag, and is removed by the reaper when the run is gone', () => {
    assert.deepEqual(engine.pulled.toSorted(), Object.values(images).toSorted());
    for (const image of engine.pulled) assert.match(image, /:v?\d+\.\d+\.?\d*[.\w-]*$/, image);
    const session = 'org.testcontainers.session-id';
    const sessions = new Set(engine.containers.map(({ asked }) => asked.Labels?.[session]));
    assert.ok(sessions.size === 1 && !sessions.has(undefined));
    assert.deepEqual(newest(images.reaper).asked.HostConfig.Binds, [`${socket}:/var/run/docker.sock:rw`]);
  });
});
