// Looks for games that are closed and have something to be built, and settles them, one at a time. Any number of workers may run: a lease
// keeps two of them from the same game, and where it does not, the landing does. What cannot be built now is tried again later.
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Reach } from '../../core/ports/catalog/settlement.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { settleGame } from './settle-game.ts';
import type { SettlementTools } from './settlement-tools.ts';

const everyMs: Millis = 1_000;
/** The evidence of every game of a month is looked at as often: corrections land within a minute of it. */
const everyGameEvery: Micros = 20_000_000;
const gamesAtOnce = 50;
/** A game that could not be built is left alone for so many rounds. */
const roundsAside = 30;

/** Starts looking; the answer stops it, in the midst of a build if need be. */
export function startSettlement(tools: SettlementTools): () => Promise<void> {
  const stopped = new AbortController();
  const aside = new Map<string, number>();
  const done = (async () => {
    let lookedAtAll: Micros | null = null;
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      for (const [game, until] of aside) if (until <= round) aside.delete(game);
      const now = tools.clock.now();
      const reach = lookedAtAll === null || now - lookedAtAll >= everyGameEvery ? 'all' : 'recent';
      try {
        for await (const failed of settleDue(tools, reach, stopped.signal, (game) => aside.has(game)))
          aside.set(failed, round + roundsAside);
        if (reach === 'all') lookedAtAll = now;
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

/** Whatever goes wrong, the next round looks again: the rest of the process has no part in it. */
function notePutOff({ log }: SettlementTools, error: unknown): void {
  const facts = { error: error instanceof Error ? error.message : String(error) };
  if (error instanceof CatalogUnavailable) log.warn('settlement put off', facts);
  else log.error('settlement put off', facts);
}

/** Settles every game that is due now; gives those that could not be built. */
async function* settleDue(
  tools: SettlementTools,
  reach: Reach,
  stopped: AbortSignal,
  isAside: (game: string) => boolean,
): AsyncGenerator<string> {
  for (let after: string | null = null; !stopped.aborted; ) {
    const games: readonly string[] = await tools.settlements.due(after, gamesAtOnce, reach);
    for (const game of games) {
      if (stopped.aborted) return;
      if (!isAside(game) && !(await settleUnderLease(tools, game, stopped))) yield game;
    }
    after = games.at(-1) ?? null;
    if (games.length < gamesAtOnce) return;
  }
}

/** Whether the game is built, or another worker is at it; false where it is to be left alone for a while. */
async function settleUnderLease(tools: SettlementTools, game: string, stopped: AbortSignal): Promise<boolean> {
  const lease = `settlement ${game}` as const;
  if (!(await tools.leases.hold(lease))) return true;
  try {
    // Of a game that the catalog does not know there is nothing to build.
    const answer = await settleGame(tools, game, async () => {
      stopped.throwIfAborted();
      await tools.clock.sleep(0);
      await tools.leases.hold(lease);
    });
    return answer !== 'nothing';
  } catch (error) {
    if (stopped.aborted || error instanceof CatalogUnavailable) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    tools.log.error('game not settled; the others go on', { game, error: reason });
    return false;
  } finally {
    await tools.leases.release(lease).catch(() => {});
  }
}
