// The files of running processes: one each, and none that counts for a process that is not there or for a copy of the directory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { registerInstance, runningInstances } from '../../../ops/service/instance-file.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';

function folder(): string {
  const dir = makeDataFolder('instances');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const own = (id: string, pid = process.pid) => ({ id, pid, internal_url: 'http://127.0.0.1:2' });
const ids = (dir: string) => runningInstances(dir).map(({ id }) => id);

it('are one for each process, and removing one leaves the others', () => {
  const dir = folder();
  assert.deepEqual(ids(dir), []);
  const [first] = ['a', 'b'].map((id) => registerInstance(dir, own(id)));
  assert.deepEqual(ids(dir), ['a', 'b']);
  first?.remove();
  assert.deepEqual(ids(dir), ['b']);
});

it('name the internal listener of a process that starts, and the others once it serves', () => {
  const dir = folder();
  {
    using registered = registerInstance(dir, own('a'));
    const starting = { ...own('a'), state: 'starting', api_url: null, ingest_url: null };
    const shown = () =>
      runningInstances(dir).map(({ started, host, data_dir, ...each }: Record<string, unknown>) => each);
    assert.deepEqual(shown(), [starting]);
    const urls = { api_url: null, ingest_url: 'http://127.0.0.1:1' };
    registered.serves(urls);
    assert.deepEqual(shown(), [{ ...starting, ...urls, state: 'serving' }]);
  }
  assert.deepEqual(runningInstances(dir), [], 'a start that fails forgets itself');
});

it('of a release that wrote them only when it served are of processes that serve', () => {
  const dir = folder();
  registerInstance(dir, own('a'));
  const file = join(dir, 'instances', 'a.json');
  const { state, ...former } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(former));
  assert.deepEqual([state, runningInstances(dir)[0]?.state], ['starting', 'serving']);
});

it('count for nothing once the process has ended, also when its pid is used again; the next start forgets them', async () => {
  const dir = folder();
  const child = spawn('sleep', ['60']);
  registerInstance(dir, own('gone', child.pid));
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
  registerInstance(dir, own('new'));
  assert.deepEqual(readdirSync(join(dir, 'instances')), ['elsewhere.json', 'new.json']);
});

it('of the original count for nothing in a copy of the data directory', () => {
  const dir = folder();
  const copy = join(folder(), 'copy');
  registerInstance(dir, own('original'));
  cpSync(dir, copy, { recursive: true });
  assert.deepEqual([ids(dir), ids(copy)], [['original'], []]);
});
