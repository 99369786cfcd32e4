// Whether the processes of this data directory and host answer: exit code 0, or 1 with the reason in one line. For health checks of images
// without a shell. It asks every listener of each; one without listeners has to be alive. It ignores the health of dependencies: an engine
// restarts an unhealthy process, which would not help them.
import { runningInstances } from '../ops/service/instance-file.ts';

const patienceMs = 4_000;

/** Throws unless the listener answers. */
async function ask(url) {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

try {
  const instances = runningInstances(process.env.SDS_DATA_DIR || './.data');
  if (instances.length === 0) throw new Error('nothing runs here');
  const urls = instances.flatMap((each) => [each.api_url, each.ingest_url, each.internal_url]);
  await Promise.all(urls.filter((url) => typeof url === 'string').map(ask));
} catch (error) {
  console.error(`not healthy: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
