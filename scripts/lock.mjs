// A lock between processes of one machine: a file that names its holder. A dead holder's lock counts as free, so a killed installation
// never blocks the next one. Used before anything is installed (Node 20, plain JavaScript) and by the tests.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

let attempts = 0;

/** Runs `work` while holding the lock at `path`; calls `waiting` once with the process that holds it. */
export async function withLock(path, waiting, work) {
  let told = false;
  while (!take(path)) {
    const holder = read(path);
    if (holder !== undefined && !isAlive(holder)) removeStale(path, holder);
    else {
      if (holder !== undefined && !told) waiting(holder.pid);
      told ||= holder !== undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/** Linking a finished file is atomic: no process ever reads a lock without its holder's name. */
function take(path) {
  attempts += 1;
  const draft = `${path}.${process.pid}.${attempts}`;
  writeFileSync(draft, `${process.pid} ${birthOf(process.pid)}`);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const [pid, birth = ''] = text.split(' ');
    return { pid: Number(pid), birth, text };
  } catch {
    return undefined;
  }
}

/** Another waiter may have replaced the dead lock with its own between our reading and our renaming: then put it back. */
function removeStale(path, dead) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== dead.text) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive({ pid, birth }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return birthOf(pid) === birth;
}

/** When the process began, in clock ticks since boot: distinguishes a holder from a later process with the same pid. */
function birthOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
