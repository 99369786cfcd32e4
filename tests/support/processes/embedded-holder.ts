// A process that locks a data directory, runs the embedded server on it and waits to be killed. Arguments: the data
// directory. Prints a line of JSON when it serves, or the name and message of the refusal.
import { silentLog } from '../../../core/ports/telemetry.ts';
import { startEmbeddedPostgres } from '../../../platform/postgres/embedded.ts';
import { lockDataDir } from '../../../platform/process/data-dir-lock.ts';

const dir = process.argv[2]!;
try {
  lockDataDir(dir);
  const server = await startEmbeddedPostgres(dir, silentLog);
  globalThis.gc?.();
  console.log(JSON.stringify({ origin: server.origin, pid: server.pid() }));
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.name : '', message: String(error) }));
}
