// The files of running processes: one each, and none that counts for a process that is not there or for a copy of the directory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { removeInstance, runningInstances, writeInstance } from '../../../ops/service/instance-file.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';

function folder(): string {
  const dir = makeDataFolder('instances');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const urls = { api_url: null, ingest_url: 'http://127.0.0.1:1', internal_url: null };
const ids = (dir: string) => runningInstances(dir).map(({ id }) => id);

it('are one for each process, and removing one leaves the others', () => {
  const dir = folder();
  assert.deepEqual(ids(dir), []);
  for (const id of ['a', 'b']) writeInstance(dir, { id, pid: process.pid, ...urls });
  assert.deepEqual(ids(dir), ['a', 'b']);
  removeInstance(dir, 'a');
  assert.deepEqual(ids(dir), ['b']);
});

it('count for nothing once the process has ended, also when its pid is used again; the next start forgets them', async () => {
  const dir = folder();
  const child = spawn('sleep', ['60']);
  writeInstance(dir, { id: 'gone', pid: child.pid ?? 0, ...urls });
  assert.deepEqual(ids(dir), ['gone']);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.deepEqual(ids(dir), []);
  const file = join(dir, 'instances', 'gone.json');
  const again = { ...JSON.parse(readFileSync(file, 'utf8')), pid: process.pid };
  writeFileSync(file, JSON.stringify(again));
  assert.deepEqual(ids(dir), [], 'another process has the pid');
  writeFileSync(join(dir, 'instances', 'torn.json'), '{');
  writeFileSync(join(dir, 'instances', 'elsewhere.json'), JSON.stringify({ ...again, host: 'another' }));
  writeInstance(dir, { id: 'new', pid: process.pid, ...urls });
  assert.deepEqual(readdirSync(join(dir, 'instances')), ['elsewhere.json', 'new.json']);
});

it('of the original count for nothing in a copy of the data directory', () => {
  const dir = folder();
  const copy = join(folder(), 'copy');
  writeInstance(dir, { id: 'original', pid: process.pid, ...urls });
  cpSync(dir, copy, { recursive: true });
  assert.deepEqual([ids(dir), ids(copy)], [['original'], []]);
});
