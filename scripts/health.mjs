// Whether the service of this data directory answers: exit code 0, or 1 with why in one line. For health checks of images without a shell: it
// asks every listener that the process has, wherever that is, and of a process without one whether it lives. Not whether what the service
// depends on answers too: an engine starts an unhealthy process anew, which mends nothing of that.
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
  const { pid, api_url: api, ingest_url: gateway } = JSON.parse(readFileSync(file, 'utf8'));
  process.kill(pid, 0);
  await Promise.all([api, gateway].filter((url) => url !== null).map(ask));
} catch (error) {
  console.error(`not healthy: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
