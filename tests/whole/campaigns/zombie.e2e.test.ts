// Claim: a projector that was frozen until others had its partitions — of quotes, of MSF's observations —, and comes back, commits nothing more
// of what it held; it ends or starts over, and leaves at most orphans. A violation would need a commit that does not ask for the epoch (I3, I12,
// I14, I18, I19). `npm run proof` does it at length.
import { describe, it } from 'vitest';
import { editions } from '../../support/campaigns/place.ts';
import { describeZombies, zombieCampaign } from '../../support/campaigns/zombie.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('frozen past its session, and continued', () => {
  for (const edition of editions) {
    it(`a projector of the ${edition} edition is fenced (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const figures = await zombieCampaign({
        edition,
        seed,
        freezes: 2,
        full: false,
        say: (line) => t.annotate(line),
      });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeZombies(figures));
    });
  }
});
