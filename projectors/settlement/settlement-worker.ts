// Finds closed games with files to build and settles them one at a time. Any number of workers may run: a lease keeps two of them from settling the
// same game, and if it fails to, the landing lets only one through. A game that cannot be built now is tried again later.
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { EvidenceSpan } from '../../core/ports/catalog/settlement.ts';
import { elapsedBy } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { impatientStore, StoreUnavailable } from '../worker/patience.ts';
import { settleGame } from './settle-game.ts';
import type { SettlementTools } from './settlement-tools.ts';

const everyMs: Millis = 1_000;
/** How often the evidence of every game of a month is checked: corrections land within a minute of it. */
const everyGameEvery: Micros = 20_000_000;
const gamesAtOnce = 50;
/** A lease runs out some seconds after it was renewed. */
const renewEvery: Micros = 1_000_000;
/** A game that could not be built is left alone for so many rounds; one for which the object store was away is tried again soon. */
const roundsAside = { failed: 30, putOff: 3 };

/** Starts looking; the answer stops it, in the midst of a build if need be. */
export function startSettlement(tools: SettlementTools): () => Promise<void> {
  const stopped = new AbortController();
  const aside = new Map<string, number>();
  const done = (async () => {
    let lastFullRound: Micros | null = null;
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      for (const [game, until] of aside) if (until <= round) aside.delete(game);
      const now = elapsedBy(tools.clock);
      const span = lastFullRound === null || now - lastFullRound >= everyGameEvery ? 'all' : 'recent';
      try {
        for await (const { game, rounds } of settleDue(tools, span, stopped.signal, (each) => aside.has(each)))
          aside.set(game, round + rounds);
        if (span === 'all') lastFullRound = now;
      } catch (error) {
        if (!stopped.signal.aborted) notePutOff(tools, error);
      }
      await tools.clock.sleep(everyMs, stopped.signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done.catch(() => {});
  };
}

/** A failed round does not end the process: the next round looks again. */
function notePutOff({ log }: SettlementTools, error: unknown): void {
  const facts = { error: error instanceof Error ? error.message : String(error) };
  if (error instanceof CatalogUnavailable) log.warn('settlement put off', facts);
  else log.error('settlement put off', facts);
}

/** Settles every game that is due now; yields those that could not be built, and for how many rounds to leave them alone. */
async function* settleDue(
  tools: SettlementTools,
  span: EvidenceSpan,
  stopped: AbortSignal,
  isAside: (game: string) => boolean,
): AsyncGenerator<{ game: string; rounds: number }> {
  for (let after: string | null = null; !stopped.aborted; ) {
    const games: readonly string[] = await tools.settlements.due(after, gamesAtOnce, span);
    for (const game of games) {
      if (stopped.aborted) return;
      const rounds = isAside(game) ? 0 : await settleUnderLease(tools, game, stopped);
      if (rounds > 0) yield { game, rounds };
    }
    after = games.at(-1) ?? null;
    if (games.length < gamesAtOnce) return;
  }
}

/** For how many rounds the game is to be left alone: none where it is built, or another worker is at it. */
async function settleUnderLease(tools: SettlementTools, game: string, stopped: AbortSignal): Promise<number> {
  const lease = `settlement ${game}` as const;
  if (!(await tools.leases.hold(lease))) return 0;
  try {
    let renewAt = elapsedBy(tools.clock) + renewEvery;
    // Of a game that the catalog does not know there is nothing to build.
    const answer = await settleGame({ ...tools, objects: impatientStore(tools.objects) }, game, async () => {
      stopped.throwIfAborted();
      await tools.clock.sleep(0);
      if (elapsedBy(tools.clock) < renewAt) return;
      await tools.leases.hold(lease);
      renewAt = elapsedBy(tools.clock) + renewEvery;
    });
    return answer === 'nothing' ? roundsAside.failed : 0;
  } catch (error) {
    if (stopped.aborted || error instanceof CatalogUnavailable) throw error;
    const facts = { game, error: error instanceof Error ? error.message : String(error) };
    if (error instanceof StoreUnavailable) {
      tools.log.warn('settlement put off', facts);
      return roundsAside.putOff;
    }
    tools.log.error('game not settled; the others go on', facts);
    return roundsAside.failed;
  } finally {
    await tools.leases.release(lease).catch(() => {});
  }
}
