// The journal of debts to an unreachable service: an entry is durable once `append` resolves, is returned until it is acknowledged, and
// survives its process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openFileJournal } from '../../../platform/journal/file-journal.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sds-journal-'));
  folders.push(folder);
  return join(folder, 'grace');
}

const moduleUrl = new URL('../../../platform/journal/file-journal.ts', import.meta.url).href;

/** A process that appends the numbers from 1 on and prints those whose write was promised. */
function appender(folder: string) {
  const program = `
    import { openFileJournal } from ${JSON.stringify(moduleUrl)};
    const journal = openFileJournal(${JSON.stringify(folder)}, { error() {} });
    for (let n = 1; ; n += 4) {
      await Promise.all([0, 1, 2, 3].map(async (more) => {
        await journal.append(n + more);
        process.stdout.write(String(n + more) + ' ');
      }));
    }`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, flags, { cwd: fileURLToPath(new URL('.', import.meta.url)) });
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  return { child, promised: () => said.split(' ').slice(0, -1).map(Number) };
}

describe('a journal in files', () => {
  it('makes nothing before its first entry, and has nothing to give', async () => {
    const folder = newFolder();
    const journal = openFileJournal<number>(folder, silentLog);
    assert.equal(await journal.take(), null);
    await journal.close();
    assert.equal(existsSync(folder), false);
  });

  it('gives out what is not acknowledged, again and again, and what is acknowledged never', async () => {
    const journal = openFileJournal<{ n: number }>(newFolder(), silentLog);
    await Promise.all([1, 2, 3].map((n) => journal.append({ n })));
    const first = await journal.take();
    assert.deepEqual(first?.entries, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await journal.append({ n: 4 });
    const second = await journal.take();
    assert.deepEqual(second?.entries, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await first?.acknowledge();
    assert.deepEqual((await journal.take())?.entries, [{ n: 4 }]);
    await second?.acknowledge();
    assert.equal(await journal.take(), null);
    await journal.append({ n: 5 });
    assert.deepEqual((await journal.take())?.entries, [{ n: 5 }]);
    await journal.close();
  });

  it('loses nothing while it is taken', async () => {
    const journal = openFileJournal<number>(newFolder(), silentLog);
    const seen: number[] = [];
    const appending = (async () => {
      for (let n = 0; n < 200; n += 10)
        await Promise.all(Array.from({ length: 10 }, (_, more) => journal.append(n + more)));
    })();
    const taking = async (): Promise<void> => {
      const taken = await journal.take();
      seen.push(...(taken?.entries ?? []));
      await taken?.acknowledge();
    };
    for (let round = 0; round < 10; round += 1) await taking();
    await appending;
    await taking();
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 200 }, (_, n) => n),
    );
    await journal.close();
  });

  it('writes an entry that is appended the moment another one is written', async () => {
    const journal = openFileJournal<number>(newFolder(), silentLog);
    for (let n = 0; n < 5; n += 1) await journal.append(n);
    assert.deepEqual((await journal.take())?.entries, [0, 1, 2, 3, 4]);
    await journal.close();
  });

  it('keeps an entry that is appended at any moment of a taking, and those after it', async () => {
    const journal = openFileJournal<string>(newFolder(), silentLog);
    const seen: string[] = [];
    const see = async (taken: Awaited<ReturnType<typeof journal.take>>): Promise<void> => {
      seen.push(...(taken?.entries ?? []));
      await taken?.acknowledge();
    };
    const moments = 60;
    for (let moment = 0; moment < moments; moment += 1) {
      await journal.append(`${moment} before`);
      const taking = journal.take();
      for (let turn = 0; turn < moment; turn += 1) await new Promise(setImmediate);
      await journal.append(`${moment} meanwhile`);
      const taken = await taking;
      await journal.append(`${moment} after`);
      await see(taken);
    }
    await see(await journal.take());
    const all = Array.from({ length: moments }, (_, n) =>
      ['before', 'meanwhile', 'after'].map((when) => `${n} ${when}`),
    );
    assert.deepEqual(seen.toSorted(), all.flat().toSorted());
    await journal.close();
  });

  it('leaves to the next what a process that ended or was killed has promised, and keeps off the living', async () => {
    const folder = newFolder();
    const { child, promised } = appender(folder);
    while (promised().length < 40) await once(child.stdout, 'data');
    const journal = openFileJournal<number>(folder, silentLog);
    assert.equal(await journal.take(), null, 'its writer lives');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const taken = await journal.take();
    const entries = new Set(taken?.entries);
    for (const n of promised()) assert.ok(entries.has(n), `${n} was promised`);
    const other = openFileJournal<number>(folder, silentLog);
    assert.equal(await other.take(), null, 'one takes over at a time');
    await journal.close();
    assert.deepEqual((await other.take())?.entries, taken?.entries);
    await (await other.take())?.acknowledge();
    assert.deepEqual(readdirSync(folder), [], 'nothing of the killed process remains');
    await other.close();
  });

  it('begins beside one that looks for folders of the dead all the time', async () => {
    const folder = newFolder();
    const looking = openFileJournal<number>(folder, silentLog);
    const seen: number[] = [];
    let isOver = false;
    const look = (async () => {
      while (!isOver) {
        const taken = await looking.take();
        seen.push(...(taken?.entries ?? []));
        await taken?.acknowledge();
        await new Promise(setImmediate);
      }
    })();
    const count = 200;
    for (let n = 0; n < count; n += 1) {
      const journal = openFileJournal<number>(folder, silentLog);
      await journal.append(n);
      await journal.close();
    }
    isOver = true;
    await look;
    seen.push(...((await looking.take())?.entries ?? []));
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      Array.from({ length: count }, (_, n) => n),
    );
    await looking.close();
  });

  it('leaves out a line that was cut off, and one that cannot be read', async () => {
    const folder = newFolder();
    const dead = openFileJournal<number>(folder, silentLog);
    await dead.append(1);
    await dead.close();
    const [name] = readdirSync(folder) as [string];
    appendFileSync(join(folder, name, '1.journal'), '\0\0\n2\n3');
    const journal = openFileJournal<number>(folder, silentLog);
    assert.deepEqual((await journal.take())?.entries, [1, 2]);
    await journal.close();
  });

  it('fails where it cannot write, and goes on where it can again', async () => {
    const folder = newFolder();
    writeFileSync(folder, 'a file in place of the folder');
    const journal = openFileJournal<number>(folder, silentLog);
    await assert.rejects(journal.append(1));
    rmSync(folder);
    await journal.append(2);
    assert.deepEqual((await journal.take())?.entries, [2]);
    await journal.close();
  });
});
