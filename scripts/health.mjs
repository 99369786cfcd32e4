// Whether the service of this data directory answers: exit code 0, or 1 with the reason in one line. For health checks of images without a
// shell. It asks every listener of the process, and checks that a process without listeners is alive. It ignores the health of
// dependencies: an engine restarts an unhealthy process, which would not help them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(process.env.SDS_DATA_DIR || './.data', 'instance.json');
const patienceMs = 4_000;

/** Throws unless the listener answers. */
async function ask(url) {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

try {
  const { pid, api_url: api, ingest_url: gateway, internal_url: internal } = JSON.parse(readFileSync(file, 'utf8'));
  process.kill(pid, 0);
  await Promise.all([api, gateway, internal].filter((url) => typeof url === 'string').map(ask));
} catch (error) {
  console.error(`not healthy: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
