// Whether services of tests run in containers or as programs: what is asked of the engine, how long, and what is said of the choice. The
// engines are sockets of this test, which answer, refuse, fail, hang or are not there.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { ownMs } from '../../support/processes/own-time.ts';
import { freePort } from '../../support/services/ports.ts';
import { chooseWay, sentenceOf, usualSockets, type Way } from '../../support/services/way.ts';

const folder = mkdtempSync(join(tmpdir(), 'sds-way-'));
const closings: (() => void)[] = [];
afterAll(() => {
  for (const close of closings) close();
  rmSync(folder, { recursive: true });
});

let sockets = 0;
function newSocket(): string {
  sockets += 1;
  return join(folder, `${sockets}.sock`);
}

type Engine = { path: string; asked: string[] };

async function engine(status = 200, at: string | number = newSocket()): Promise<Engine> {
  const asked: string[] = [];
  const server: HttpServer = createHttpServer((request, answer) => {
    asked.push(`${request.method} ${request.url}`);
    answer.writeHead(status).end(status === 200 ? 'OK' : 'no');
  });
  if (typeof at === 'number') server.listen(at, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  closings.push(() => server.close());
  return { path: String(at), asked };
}

/** An engine that accepts connections and never answers. */
async function hangingEngine(): Promise<string> {
  const [path, open] = [newSocket(), new Set<Socket>()];
  const server = createServer((socket) => open.add(socket)).listen(path);
  await once(server, 'listening');
  closings.push(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return path;
}

/** A port at which nothing listens any more. */
async function closedAddress(): Promise<string> {
  return `tcp://127.0.0.1:${await freePort()}`;
}

const hanging = await hangingEngine();
const withinMs = 200;
const choose = (environment: Record<string, string>, present: readonly string[] = []): Promise<Way> =>
  chooseWay(environment, present, withinMs);

describe('services of tests run in containers', () => {
  it('where the engine of DOCKER_HOST answers, whatever else is there', async () => {
    const [wanted, other] = [await engine(), await engine()];
    const way = await choose({ DOCKER_HOST: `unix://${wanted.path}` }, [other.path]);
    assert.deepEqual(way, {
      kind: 'docker',
      engine: `unix://${wanted.path}`,
      why: `the Docker engine at unix://${wanted.path} answers`,
    });
    assert.deepEqual([wanted.asked, other.asked], [['GET /_ping'], []]);
    assert.equal(sentenceOf(way), `Services run in containers: the Docker engine at unix://${wanted.path} answers`);
  });

  it('where an engine answers over TCP', async () => {
    const server = await engine(200, await freePort());
    const way = await choose({ DOCKER_HOST: `tcp://127.0.0.1:${server.path}` });
    assert.equal(way.kind, 'docker');
  });

  it('where one of the usual sockets answers, though others are not there, refuse or hang', async () => {
    const { path } = await engine();
    const way = await choose({}, [join(folder, 'none.sock'), hanging, (await engine(500)).path, path]);
    assert.deepEqual([way.kind, way.kind === 'docker' && way.engine], ['docker', `unix://${path}`]);
  });

  it('looks for the sockets of Docker, the one of the user among them', () => {
    const found = usualSockets({ XDG_RUNTIME_DIR: '/run/user/7' });
    assert.deepEqual(found.slice(0, 2), ['/var/run/docker.sock', '/run/user/7/docker.sock']);
  });
});

describe('services of tests run as programs', () => {
  const native = async (environment: Record<string, string>, present: readonly string[], why: RegExp) => {
    const way = await choose(environment, present);
    assert.equal(way.kind, 'native');
    assert.match(sentenceOf(way), /^Services run as programs of this machine: /);
    assert.match(way.why, why);
  };

  it('where no engine has a socket', () => native({}, [join(folder, 'none.sock')], /Docker has no socket here/));

  it('where the engine hangs, and it is not waited for', async () => {
    const startedAt = ownMs();
    await native({}, [hanging], /does not answer within 0.2 s/);
    await native({ DOCKER_HOST: `unix://${hanging}` }, [], /of DOCKER_HOST, .* does not answer within 0.2 s/);
    const tookMs = ownMs() - startedAt;
    assert.ok(tookMs < 5_000, `${tookMs} ms`);
  });

  it('where the engine refuses or fails', async () => {
    await native({ DOCKER_HOST: await closedAddress() }, [], /cannot be reached \(ECONNREFUSED\)/);
    await native({}, [(await engine(500)).path], /answers with status 500/);
    await native({ DOCKER_HOST: `unix://${join(folder, 'none.sock')}` }, [], /cannot be reached \(ENOENT\)/);
  });

  for (const nonsense of ['nonsense', '/var/run/docker.sock', 'unix://', 'tcp://engine', 'ssh://me@engine', 'tcp://:1'])
    it(`where DOCKER_HOST is ${nonsense}, and asks no other engine`, async () => {
      const other = await engine();
      await native(
        { DOCKER_HOST: nonsense },
        [other.path],
        /^DOCKER_HOST is .* no unix:\/\/\/path and no tcp:\/\/host:port$/,
      );
      assert.deepEqual(other.asked, []);
    });

  it('where that is asked for, and asks no engine', async () => {
    const { path, asked } = await engine();
    await native({ SDS_TEST_SERVICES: 'native', DOCKER_HOST: `unix://${path}` }, [path], /SDS_TEST_SERVICES=native/);
    assert.deepEqual(asked, []);
  });
});

describe('services of tests do not run', () => {
  it('where containers are asked for and no engine answers', async () => {
    const way = await choose({ SDS_TEST_SERVICES: 'docker' }, [hanging]);
    assert.equal(way.kind, 'none');
    assert.match(way.why, /does not answer/);
  });

  it('where SDS_TEST_SERVICES is none of its values', async () => {
    await assert.rejects(choose({ SDS_TEST_SERVICES: 'dokcer' }), /dokcer: it must be one of auto, docker, native/);
  });

  it('unless it is empty, which is as if it were not set', async () => {
    assert.equal((await choose({ SDS_TEST_SERVICES: '' })).kind, 'native');
  });
});
