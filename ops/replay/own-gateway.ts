// Finds the gateway of this service and verifies that it is what listens at its address, because a feed key and the pushes are sent there.
import { resolve } from 'node:path';
import type { Millis } from '../../core/units.ts';
import { within } from '../../platform/process/deadline.ts';
import { runningInstances } from '../service/instance-file.ts';
import { CommandFailure } from '../session/command.ts';

const patienceMs: Millis = 3_000;

/** The address of a running gateway of the data directory. @throws CommandFailure when none proves that it is one */
export async function ownGateway(dataDir: string): Promise<string> {
  const strangers: string[] = [];
  for (const { id, ingest_url: url } of runningInstances(dataDir)) {
    if (url === null) continue;
    if ((await instanceAt(url)) === id) return url;
    strangers.push(url);
  }
  const at = resolve(dataDir);
  throw new CommandFailure(
    'failed',
    strangers.length === 0
      ? `no instance with a gateway runs on ${at}: start it, or give --url`
      : `what answers at ${strangers.join(', ')} is not the gateway of ${at}: start it again, or give --url`,
  );
}

/** The instance whose gateway listens there; null if none does. */
async function instanceAt(url: string): Promise<string | null> {
  try {
    const response = await within(patienceMs, fetch(`${url}/health`, { redirect: 'error' }));
    const { instance } = (await within(patienceMs, response.json())) as { instance?: unknown };
    return typeof instance === 'string' ? instance : null;
  } catch {
    return null;
  }
}
