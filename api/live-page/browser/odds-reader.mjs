// The odds of the game that is looked at: read when a head says that there are any and that they moved, for the markets that are shown, and never
// more than once a second; every two seconds where the price is asked for first. Where a read costs rows, never more than every ten seconds, and
// not beyond what the page may spend.
import { pause, whenDue } from './pause.mjs';

const freePaceMs = 1_000;
/** Two requests for each look: no more than half of those that the tier BETA has a minute. */
const pricedPaceMs = 2_000;
const paidPaceMs = 10_000;
/** How often all markets are read, where that is free. */
const allEveryMs = 30_000;

/**
 * `show(document, isWhole)`: new odds; whole ones have all markets. `onCost(rows)`: what a read costs. `onHeld(rows)`: the reader has to allow
 * a read of so many rows. `onFault(error)`: null when all is well again.
 */
export function openOddsReader(service, spending, game, { show, onCost, onHeld, onFault }) {
  const path = `/v1/games/${encodeURIComponent(game.id)}/odds`;
  const etags = new Map();
  let asked = { market: null, format: 'american' };
  let wholeAt = Number.NEGATIVE_INFINITY;
  let cost = 0;
  // What a row of the live game was charged last. A HEAD says how many rows a look has, not what they weigh, so the first look may cost more.
  let weight = 1;
  const reads = whenDue(read, (error) => {
    onFault(error);
    return error.isPassing ?? true;
  });

  async function read(signal) {
    if (await readOnce(signal)) onFault(null);
    await pause(cost > 0 ? paidPaceMs : asksPrice() ? pricedPaceMs : freePaceMs, signal);
  }

  /** An account without a quota has no limit. */
  function asksPrice() {
    return spending.month?.of !== null;
  }

  /** Whether it was read: not where the reader has to allow it first. */
  async function readOnce(signal) {
    const isWhole = asked.market === null || (cost === 0 && performance.now() - wholeAt > allEveryMs);
    const query = new URLSearchParams({ format: asked.format });
    if (!isWhole) for (const [name, value] of Object.entries(asked.market)) query.set(name, value);
    const address = `${path}?${query}`;
    const price = asksPrice() ? await priceOf(address, signal) : 0;
    if (!spending.allows(price)) {
      onHeld(price);
      return false;
    }
    const { document, etag, debited, rows } = await service.newer(address, {
      signal,
      etag: etags.get(address) ?? null,
    });
    etags.set(address, etag);
    if (document !== null) {
      cost = debited;
      if (rows > 0) weight = debited / rows;
      onCost(cost);
      if (isWhole) wholeAt = performance.now();
      show(document, isWhole);
    }
    return true;
  }

  async function priceOf(address, signal) {
    const { rows, isSettled } = await service.size(address, { signal });
    return Math.ceil(rows * (isSettled ? 1 : weight));
  }

  return {
    moved: reads.due,
    /** `market`: its name and period; null: all of them. */
    choose(market, format) {
      const isSame = JSON.stringify(market) === JSON.stringify(asked.market) && format === asked.format;
      if (isSame) return;
      asked = { market, format };
      etags.clear();
      reads.due();
    },
    close: reads.close,
  };
}
