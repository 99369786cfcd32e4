// Claim: whatever hostile feed keys push, and wherever programs are killed meanwhile, the service serves the honest sources as the naive
// fold of their records alone, and every acknowledged push of theirs is in it (I17, I33). `npm run proof` does it at length, with the
// recorded evening, and holds the freshness of the honest to twice what it is without the hostile.
import { describe, it } from 'vitest';
import { editions } from '../../support/campaigns/place.ts';
import { describeTenants, tenantsCampaign } from '../../support/campaigns/tenants.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('honest sources beside hostile ones', () => {
  for (const edition of editions) {
    it(`are served as if they were alone, in the ${edition} edition (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const say = (line: string) => t.annotate(line);
      const figures = await tenantsCampaign({
        edition,
        seed,
        rounds: 1,
        quietMs: 2_000,
        besideMs: 4_000,
        kills: 1,
        full: false,
        say,
      });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeTenants(figures));
    });
  }
});
