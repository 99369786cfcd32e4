// The odds of the game that is looked at: read when a head says that there are any and that they moved, for the markets that are shown, and never
// more than once a second. Where a read costs rows, never more than every ten seconds, and not beyond what the page may spend.
import { backOff, isVisible, pause } from './pause.mjs';

const freePaceMs = 1_000;
const paidPaceMs = 10_000;
/** How often all markets are read, where that is free. */
const allEveryMs = 30_000;

/**
 * `show(document, isWhole)`: new odds; whole ones have all markets. `onCost(rows)`: what a read costs. `onHeld(rows)`: the reader has to allow
 * a read of so many rows. `onFault(error)`: null when all is well again.
 */
export function openOddsReader(service, spending, game, { show, onCost, onHeld, onFault }) {
  const closing = new AbortController();
  const { signal } = closing;
  const path = `/v1/games/${encodeURIComponent(game.id)}/odds`;
  const etags = new Map();
  let asked = { market: null, format: 'american' };
  let wake = () => {};
  let isDue = false;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let cost = 0;

  const onVisible = () => isVisible() && wake();
  document.addEventListener('visibilitychange', onVisible);
  void readOn();

  function due() {
    isDue = true;
    wake();
  }

  async function readOn() {
    const retry = backOff();
    while (!signal.aborted) {
      if (!isDue || !isVisible()) {
        await new Promise((resolve) => (wake = resolve));
        continue;
      }
      isDue = false;
      try {
        if (await read()) {
          retry.reset();
          onFault(null);
        }
        await pause(cost > 0 ? paidPaceMs : freePaceMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        onFault(error);
        if (!(error.isPassing ?? true)) continue;
        await retry.wait(error, signal);
        isDue = true;
      }
    }
  }

  async function read() {
    const isWhole = asked.market === null || (cost === 0 && performance.now() - wholeAt > allEveryMs);
    const query = new URLSearchParams({ format: asked.format });
    if (!isWhole) for (const [name, value] of Object.entries(asked.market)) query.set(name, value);
    const address = `${path}?${query}`;
    // What a read costs is known after the first one; before it, no more than a limit is risked for it.
    const hasPrice = cost > 0 || spending.month?.of !== null;
    const price = hasPrice ? Math.max(cost, await service.rows(address, { signal })) : 0;
    if (!spending.allows(price)) {
      onHeld(price);
      return false;
    }
    const { document, etag, debited } = await service.newer(address, { signal, etag: etags.get(address) ?? null });
    etags.set(address, etag);
    if (document !== null) {
      cost = debited;
      onCost(cost);
      if (isWhole) wholeAt = performance.now();
      show(document, isWhole);
    }
    return true;
  }

  return {
    moved: due,
    /** `market`: its name and period; null: all of them. */
    choose(market, format) {
      const isSame = JSON.stringify(market) === JSON.stringify(asked.market) && format === asked.format;
      if (isSame) return;
      asked = { market, format };
      etags.clear();
      due();
    },
    close() {
      closing.abort();
      document.removeEventListener('visibilitychange', onVisible);
      wake();
    },
  };
}
