// One command at a time takes letters off the open ones. A replay appends a record before it marks its letters: if another command discarded
// them in between, they would be in the log and yet discarded.
import type { LeaseName, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { CommandFailure } from '../session/command.ts';

const lease: LeaseName = 'dead-letters';
const renewEvery: Micros = microsPerSecond;

/**
 * Runs `work` under the lease, and gives the lease up. `holds` answers whether the command still has it, and renews it: `work` asks often.
 * @throws CommandFailure refused while another command has it; nothing was done then
 */
export async function underLettersLease<Done>(
  leases: LeasesCatalog,
  now: () => Micros,
  work: (holds: () => Promise<boolean>) => Promise<Done>,
): Promise<Done> {
  if (!(await leases.hold(lease))) throw heldByAnother('nothing was done');
  let renewedAt = now();
  try {
    return await work(async () => {
      if (now() - renewedAt < renewEvery) return true;
      const holds = await leases.hold(lease);
      if (holds) renewedAt = now();
      return holds;
    });
  } finally {
    await leases.release(lease);
  }
}

/** `done`: what the refused command has done. */
export function heldByAnother(done: string): CommandFailure {
  return new CommandFailure('refused', `another sds dlq replay or discard runs; ${done}: run this one again later`);
}
