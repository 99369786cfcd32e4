import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, it, type TestContext } from 'vitest';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import {
  type EmbeddedPostgres,
  embeddedConnection,
  startEmbeddedPostgres,
} from '../../../platform/postgres/embedded.ts';
import { installedPackage, stageBinaries } from '../../../platform/postgres/embedded-binaries.ts';
import { DataDirCopied } from '../../../platform/postgres/embedded-folders.ts';
import { serverUser } from '../../../platform/postgres/embedded-user.ts';
import { isAlive } from '../../../platform/postgres/postmaster.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { sleep } from '../../../platform/process/clock.ts';
import { DataDirInUse, lockDataDir } from '../../../platform/process/data-dir-lock.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const isRoot = process.getuid?.() === 0;
const root = mkdtempSync(join(tmpdir(), 'sds-embedded-'));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function folder(name = ''): string {
  folders += 1;
  const dir = join(root, `${folders}${name}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

async function start(test: TestContext, dir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dir, silentLog);
  test.onTestFinished(() => server.stop());
  return server;
}

async function using<T>(server: EmbeddedPostgres, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool({ connection: server.connection });
  try {
    return await work(sql);
  } finally {
    await sql.close();
  }
}

/** Starts the holder process and waits for its line. */
async function hold(test: TestContext, dir: string): Promise<{ child: ChildProcess; said: Record<string, unknown> }> {
  // With the garbage collector exposed: the lock must not depend on a reference to it.
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, '../../support/processes/embedded-holder.ts'), dir],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  test.onTestFinished(() => {
    child.kill('SIGKILL');
  });
  for await (const line of createInterface(child.stdout!)) return { child, said: JSON.parse(line) };
  throw new Error('the holder printed nothing');
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe('embedded PostgreSQL', () => {
  it('keeps what was written over a restart, and starts again in a part of the time that its creation took', async (test) => {
    const dir = folder();
    const began = ownMs();
    const first = await start(test, dir);
    const creation = ownMs() - began;
    assert.equal(first.origin, 'created');
    await using(first, (sql) => sql.query('create table kept as select 7 as n'));
    await first.stop();
    // The fastest of a few runs: other load on the machine should not count.
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const from = ownMs();
      const again = await start(test, dir);
      times.push(ownMs() - from);
      assert.equal(again.origin, 'started');
      await again.stop();
    }
    assert.ok(Math.min(...times) < creation / 2, `${times} ms; creation took ${creation}`);
    const second = await start(test, dir);
    assert.deepEqual((await using(second, (sql) => sql.query('select n from kept'))).rows, [{ n: 7 }]);
  });

  it('comes back by itself, with everything committed, when its server is killed', async (test) => {
    const server = await start(test, folder());
    const before = server.pid();
    await using(server, async (sql) => {
      await sql.query('create table kept as select 7 as n');
      process.kill(before, 'SIGKILL');
      for (;;) {
        try {
          if (server.pid() !== before) break;
          await sql.query('select 1');
        } catch (error) {
          assert.ok(error instanceof CatalogUnavailable, String(error));
        }
        await sleep(5);
      }
      assert.deepEqual((await sql.query('select n from kept')).rows, [{ n: 7 }]);
    });
  });

  it('can be stopped while it restarts its server, which then runs no more', async (test) => {
    const dir = folder();
    const stopped = Promise.withResolvers<void>();
    const error = (message: string): void => {
      if (message.includes('restarting it')) server.stop().then(stopped.resolve, stopped.reject);
    };
    const server = await startEmbeddedPostgres(dir, { ...silentLog, error });
    test.onTestFinished(() => {
      if (isAlive(server.pid())) process.kill(server.pid(), 'SIGKILL');
    });
    process.kill(server.pid(), 'SIGKILL');
    const patience = sleep(30_000, undefined, { idle: true }).then(() => assert.fail('it does not stop'));
    await Promise.race([stopped.promise, patience]);
    assert.equal(embeddedConnection(dir), null);
    assert.equal(isAlive(server.pid()), false);
  });

  it('finds the server of a process that was killed, and takes it over', async (test) => {
    const dir = folder();
    const { child, said } = await hold(test, dir);
    assert.equal(said.origin, 'created');
    await killed(child);
    const lock = lockDataDir(dir);
    test.onTestFinished(() => lock.release());
    const server = await start(test, dir);
    assert.equal(server.origin, 'adopted');
    assert.equal(server.pid(), said.pid);
    await using(server, (sql) => sql.query('select 1'));
  });

  it('restarts when both it and its server were killed', async (test) => {
    const dir = folder();
    const { child, said } = await hold(test, dir);
    await killed(child);
    process.kill(Number(said.pid), 'SIGKILL');
    while (isAlive(Number(said.pid))) await sleep(2);
    const server = await start(test, dir);
    assert.notEqual(server.pid(), said.pid);
    await using(server, (sql) => sql.query('select 1'));
  });

  it('makes a cluster anew when the first making was cut off', async (test) => {
    const dir = folder();
    mkdirSync(join(dir, 'postgresql.new', 'base'), { recursive: true });
    const server = await start(test, dir);
    await using(server, (sql) => sql.query('select 1'));
  });

  it('runs in a folder with a space, quotes and a comma, and in one too deep for a socket', async (test) => {
    for (const name of [` it's "here", yes`, `/${'deep/'.repeat(30)}`]) {
      const server = await start(test, folder(name));
      await using(server, (sql) => sql.query('select 1'));
    }
  });

  it(
    'runs for root below a folder that no other user can enter, and forgets it when the data directory is deleted',
    skipFor(isRoot ? false : 'needs root'),
    async (test) => {
      const home = folder();
      chmodSync(home, 0o700);
      const dir = join(home, 'data');
      const first = await start(test, dir);
      test.onTestFinished(() => rmSync(join(first.clusterDir, '..'), { recursive: true, force: true }));
      assert.ok(!first.clusterDir.startsWith(home), first.clusterDir);
      await using(first, (sql) => sql.query('create table kept as select 7 as n'));
      await first.stop();
      const second = await start(test, dir);
      assert.equal(second.clusterDir, first.clusterDir);
      await using(second, (sql) => sql.query('select n from kept'));
      await second.stop();
      rmSync(dir, { recursive: true });
      const third = await start(test, dir);
      test.onTestFinished(() => rmSync(join(third.clusterDir, '..'), { recursive: true, force: true }));
      assert.equal(third.origin, 'created');
      assert.ok(!existsSync(first.clusterDir));
    },
  );

  it(
    'runs its programs for root from a package that no other user can enter, with any umask',
    skipFor(isRoot ? false : 'needs root'),
    async () => {
      const user = serverUser()!;
      const closed = folder();
      cpSync(installedPackage(), closed, { recursive: true, verbatimSymlinks: true });
      chmodSync(closed, 0o700);
      const umask = process.umask(0o077);
      const target = folder();
      try {
        chmodSync(target, 0o755);
        const { postgres } = stageBinaries(closed, target);
        const version = execFileSync(postgres, ['--version'], {
          uid: user.uid,
          gid: user.gid,
          cwd: '/',
          encoding: 'utf8',
        });
        assert.match(version, /PostgreSQL/);
        assert.equal(stageBinaries(closed, target).postgres, postgres, 'staged once');
      } finally {
        process.umask(umask);
      }
    },
  );

  it('accepts no login without its password, which only its owner can read', async (test) => {
    const dir = folder();
    const server = await start(test, dir);
    const file = join(dir, 'postgresql.password');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file, 'utf8'), server.connection.password);
    const sql = openPool({ connection: { ...server.connection, password: 'wrong' } });
    test.onTestFinished(() => sql.close());
    await assert.rejects(sql.query('select 1'), /password authentication failed/);
  });

  it('tells tools where a running server is, and that none is', async (test) => {
    const dir = folder();
    assert.equal(embeddedConnection(dir), null);
    const server = await start(test, dir);
    assert.deepEqual(embeddedConnection(dir), server.connection);
    await server.stop();
    assert.equal(embeddedConnection(dir), null);
  });
});

describe('a copy of a data directory', () => {
  const copyOf = (dir: string): string => {
    folders += 1;
    const copy = join(root, `copy-${folders}`);
    execFileSync('cp', ['-a', dir, copy]);
    return copy;
  };
  const notes = async (server: EmbeddedPostgres) =>
    (await using(server, (sql) => sql.query('select note from notes order by note'))).rows.map(({ note }) => note);

  it('of a stopped service is used as itself, beside the original', async (test) => {
    for (const name of ['', `/${'deep/'.repeat(30)}`]) {
      const dir = folder(name);
      const before = await start(test, dir);
      await using(before, (sql) => sql.query("create table notes as select 'both' as note"));
      await before.stop();
      const copy = copyOf(dir);
      const original = await start(test, dir);
      assert.equal(embeddedConnection(copy), null, 'the server of the original is none of the copy');
      const server = await start(test, copy);
      assert.ok(server.clusterDir.startsWith(copy));
      assert.notEqual(server.connection.host, original.connection.host);
      await using(server, (sql) => sql.query("insert into notes values ('copy')"));
      await using(original, (sql) => sql.query("insert into notes values ('original')"));
      assert.deepEqual(
        [await notes(server), await notes(original)],
        [
          ['both', 'copy'],
          ['both', 'original'],
        ],
      );
      assert.deepEqual(embeddedConnection(copy), server.connection);
      assert.deepEqual(embeddedConnection(dir), original.connection);
    }
  });

  it('of a running service is refused with the remedy, and the original goes on', async (test) => {
    for (const name of ['', `/${'deep/'.repeat(30)}`]) {
      const dir = folder(name);
      const original = await start(test, dir);
      await using(original, (sql) => sql.query("create table notes as select 'kept' as note"));
      const copy = copyOf(dir);
      assert.equal(embeddedConnection(copy), null);
      await assert.rejects(startEmbeddedPostgres(copy, silentLog), (error) => {
        assert.ok(error instanceof DataDirCopied, String(error));
        assert.match(error.message, new RegExp(`^data directory ${copy} was copied while .*: stop the service there`));
        return true;
      });
      assert.deepEqual(await notes(original), ['kept']);
      assert.deepEqual(embeddedConnection(dir), original.connection);
    }
  });

  it('is not what a moved directory is: that is used as itself, also after a crash', async (test) => {
    const dir = folder();
    const { child, said } = await hold(test, dir);
    await killed(child);
    process.kill(Number(said.pid), 'SIGKILL');
    while (isAlive(Number(said.pid))) await sleep(2);
    renameSync(dir, `${dir}-moved`);
    const server = await start(test, `${dir}-moved`);
    assert.equal(server.origin, 'started');
  });

  it('without the owner of the database is refused', skipFor(isRoot ? false : 'needs root'), async (test) => {
    const dir = folder();
    await (await start(test, dir)).stop();
    const copy = copyOf(dir);
    execFileSync('chown', ['-R', '0', join(copy, 'postgresql')]);
    await assert.rejects(startEmbeddedPostgres(copy, silentLog), /does not belong to .*: copy .* with its owners/);
  });

  it(
    'whose database is elsewhere is refused while the original is there',
    skipFor(isRoot ? false : 'needs root'),
    async (test) => {
      const home = folder();
      chmodSync(home, 0o700);
      const dir = join(home, 'data');
      const original = await start(test, dir);
      test.onTestFinished(() => rmSync(join(original.clusterDir, '..'), { recursive: true, force: true }));
      await using(original, (sql) => sql.query("create table notes as select 'kept' as note"));
      const copy = join(home, 'copy');
      execFileSync('cp', ['-a', dir, copy]);
      assert.equal(embeddedConnection(copy), null);
      await assert.rejects(startEmbeddedPostgres(copy, silentLog), /is a copy of .*, and does not hold its database/);
      assert.deepEqual(await notes(original), ['kept']);
      await original.stop();
      rmSync(copy, { recursive: true });
      renameSync(dir, copy);
      const moved = await start(test, copy);
      assert.equal(moved.clusterDir, original.clusterDir);
      assert.deepEqual(await notes(moved), ['kept']);
    },
  );
});

describe('data directory lock', () => {
  it('refuses a second instance with one clear line, and is free again when the holder is killed', async (test) => {
    const dir = folder(' locked');
    const { child } = await hold(test, dir);
    const second = await hold(test, dir);
    assert.equal(second.said.refused, 'DataDirInUse');
    assert.match(
      String(second.said.message),
      new RegExp(`${dir} is in use by another instance \\(pid ${child.pid}\\)`),
    );
    assert.doesNotMatch(String(second.said.message), /\n/);
    await killed(child);
    const lock = lockDataDir(dir);
    assert.throws(() => lockDataDir(dir), DataDirInUse, 'the same process is refused as well');
    lock.release();
    lockDataDir(dir).release();
    await (await startEmbeddedPostgres(dir, silentLog)).stop();
  });

  it('has one winner of many starters', async () => {
    const dir = folder();
    const tries = Array.from({ length: 16 }, () => {
      try {
        return lockDataDir(dir);
      } catch (error) {
        assert.ok(error instanceof DataDirInUse);
        return null;
      }
    });
    assert.equal(tries.filter((lock) => lock !== null).length, 1);
    for (const lock of tries) lock?.release();
  });
});
