// Waits for the settlement workers: a command only orders; they build and land.
import type { SettlementCatalog, SettlementState } from '../../core/ports/catalog/settlement.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { CommandFailure } from '../session/command.ts';

const lookEveryMs: Millis = 200;

/** The state of the game once `isReached`; null if it took longer than `patienceMs` or was interrupted. */
export async function waitForSettlement(
  {
    settlement,
    clock,
    interrupted,
  }: {
    settlement: Pick<SettlementCatalog, 'state'>;
    clock: Clock;
    interrupted: AbortSignal;
  },
  gameUuid: string,
  isReached: (state: SettlementState) => boolean,
  patienceMs: Millis = 60_000,
): Promise<SettlementState | null> {
  const deadline = clock.now() + patienceMs * 1_000;
  while (clock.now() < deadline && !interrupted.aborted) {
    const state = await settlement.state(gameUuid);
    if (state !== null && isReached(state)) return state;
    await clock.sleep(lookEveryMs, interrupted);
  }
  return null;
}

/** Of a command that has waited in vain, or was interrupted: in either case its order stands. */
export function notBuiltYet(gameId: string, interrupted: AbortSignal): CommandFailure {
  const why = interrupted.aborted ? 'interrupted; its order stands' : 'no projector has built it';
  return new CommandFailure('failed', `${gameId} is not settled as ordered yet: ${why}; see ./sds status`);
}
