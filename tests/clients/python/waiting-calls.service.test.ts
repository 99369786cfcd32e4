// Calls of the Python client that wait: one that is cancelled loses no row, a block that is left stores the position, and revisions that are
// followed never end (docs/clients.md#following, docs/clients.md#positions, docs/clients.md#revisions).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../clients/conformance/world/server.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const client = fileURLToPath(new URL('../../../clients/python', import.meta.url));
const game = 'NBA_BOS_CLE_20260109';

describe('a Python program', skipFor(python.skip), () => {
  /** Runs it until it ends, or has said `most` lines; each line is heard before the next is waited for. */
  async function said(server: ScriptedServer, program: string, hear: (line: string) => void, most = 100) {
    const lines: string[] = [];
    const child = spawn(python.skip === false ? python.path : '', ['-c', program, server.url, apiKey, game], {
      env: { ...process.env, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      hear(line);
      if (lines.length === most) break;
    }
    child.kill('SIGKILL');
    await exited;
    return { lines };
  }

  it('goes on after a cancelled call with the row that comes next', async () => {
    await using server = await serving();
    const { log } = server.game(game);
    log.append(2);
    const program = `import asyncio, sys
from sds_client import AsyncClient
url, key, game = sys.argv[1:]
async def main():
    rows = AsyncClient(url, key, poll=0.05, cache=None).follow(game)
    for _ in range(2):
        print((await anext(rows))["row_number"])
    for _ in range(2):
        try:
            await asyncio.wait_for(anext(rows), 0.3)
        except asyncio.TimeoutError:
            print("cancelled")
    async for row in rows:
        print(row["row_number"])
asyncio.run(main())`;
    let cancelled = 0;
    const { lines } = await said(server, program, (line) => {
      if (line === 'cancelled') cancelled += 1;
      if (line === 'cancelled' && cancelled === 2) log.append(2);
      if (line === '4') log.settled = true;
    });
    assert.deepEqual(lines, ['1', '2', 'cancelled', 'cancelled', '3', '4']);
  });

  it('stores what it has taken when it leaves the block of a follower', async () => {
    await using server = await serving();
    server.game(game).log.append(5);
    const folder = mkdtempSync(join(tmpdir(), 'sds-cursors-'));
    const program = `import sys
from sds_client import Client, FileStore
url, key, game = sys.argv[1:]
for _ in range(2):
    with Client(url, key, cache=None).follow(game, store=FileStore(${JSON.stringify(folder)})) as rows:
        print(*(next(rows)["row_number"] for _ in range(3)))`;
    const { lines } = await said(server, program, () => {});
    rmSync(folder, { recursive: true });
    assert.deepEqual(lines, ['1 2 3', '3 4 5']);
  });

  const ends = {
    'a thread': `import sys, threading, time
from sds_client import Client
url, key, game = sys.argv[1:]
held, taken = {}, []
def store(key, cursor=None):
    if cursor is None:
        return held.get(key)
    held[key] = cursor
def take(rows):
    for row in rows:
        taken.append(row["row_number"])
def begin(rows, count):
    threads = [threading.Thread(target=take, args=(rows,), daemon=True) for _ in range(count)]
    for each in threads:
        each.start()
    while len(taken) < 4:
        time.sleep(0.05)
    time.sleep(0.5)
    return threads
def ended(rows, threads):
    began = time.monotonic()
    rows.close()
    for each in threads:
        each.join(5)
    print(sorted(taken), any(each.is_alive() for each in threads), time.monotonic() - began < 4, next(rows, "nothing"))
for count in (1, 2):
    rows = Client(url, key, poll=30, cache=None).follow(game, store=store)
    ended(rows, begin(rows, count))
    print([cursor.split("/")[3] for cursor in held.values()], rows.cursor in held.values())
    held, taken = {}, []`,
    'a task': `import asyncio, sys, time
from sds_client import AsyncClient
url, key, game = sys.argv[1:]
held, taken = {}, []
async def store(key, cursor=None):
    await asyncio.sleep(0)
    if cursor is None:
        return held.get(key)
    held[key] = cursor
async def take(rows):
    async for row in rows:
        taken.append(row["row_number"])
async def main():
    for count in (1, 2):
        rows = AsyncClient(url, key, poll=30, cache=None).follow(game, store=store)
        tasks = [asyncio.ensure_future(take(rows)) for _ in range(count)]
        while len(taken) < 4:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        began = time.monotonic()
        await rows.aclose()
        _, waiting = await asyncio.wait(tasks, timeout=5)
        print(sorted(taken), len(waiting) > 0, time.monotonic() - began < 4, await anext(rows, "nothing"))
        print([cursor.split("/")[3] for cursor in held.values()], rows.cursor in held.values())
        held.clear()
        taken.clear()
asyncio.run(main())`,
  };
  for (const [who, program] of Object.entries(ends))
    it(`is not kept by a follower that waits where ${who} ends it, and gets no row of it twice`, async () => {
      await using server = await serving();
      server.game(game).log.append(4);
      const { lines } = await said(server, program, () => {});
      const once = ['[1, 2, 3, 4] False True nothing', "['4'] True"];
      assert.deepEqual(lines, [...once, ...once]);
    });

  it('follows revisions without an end', async () => {
    await using server = await serving();
    const { stream } = server.game(game);
    stream.revise({ a: 1 });
    const program = `import sys
from sds_client import Client
url, key, game = sys.argv[1:]
for revision in Client(url, key, poll=0.05, most_poll=0.05, cache=None).revisions(game, "team-stats", follow=True):
    print(revision.revision, len(revision.rows))`;
    const hear = (line: string) => stream.revise({ [`after ${line}`]: 1 });
    const { lines } = await said(server, program, hear, 5);
    assert.deepEqual(lines, ['1 1', '2 2', '3 3', '4 4', '5 5']);
  });
});

async function serving(): Promise<ScriptedServer & AsyncDisposable> {
  const server = new ScriptedServer();
  await server.start();
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() });
}
