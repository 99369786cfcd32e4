// Leases of commands of which one at a time may run.
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LeaseName, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { CommandFailure } from './command.ts';

/** A lease, and the commands that run under it, such as `sds dlq replay or discard`. */
export type CommandLease = { name: LeaseName; commands: string };

const renewEvery: Micros = microsPerSecond;

/**
 * Runs `work` under the lease, and gives the lease up. `holds` answers whether the command still has it, and renews it: `work` asks often.
 * @throws CommandFailure refused while another command has it; nothing was done then
 */
export async function underLease<Done>(
  leases: LeasesCatalog,
  lease: CommandLease,
  now: () => Micros,
  work: (holds: () => Promise<boolean>) => Promise<Done>,
): Promise<Done> {
  if (!(await leases.hold(lease.name))) throw heldByAnother(lease, 'nothing was done');
  let renewedAt = now();
  try {
    return await work(async () => {
      if (now() - renewedAt < renewEvery) return true;
      const holds = await leases.hold(lease.name);
      if (holds) renewedAt = now();
      return holds;
    });
  } finally {
    await giveUp(leases, lease.name);
  }
}

/** Gives a lease up. While the database is away that is left to time, so that the command still ends with its own outcome. */
export async function giveUp(leases: Pick<LeasesCatalog, 'release'>, name: LeaseName): Promise<void> {
  try {
    await leases.release(name);
  } catch (error) {
    if (!(error instanceof CatalogUnavailable)) throw error;
  }
}

/** `done`: what the refused command has done. */
export function heldByAnother({ commands }: CommandLease, done: string): CommandFailure {
  return new CommandFailure('refused', `another ${commands} runs; ${done}: run this one again later`);
}
