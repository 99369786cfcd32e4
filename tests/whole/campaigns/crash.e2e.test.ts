// Claim: whichever program is killed with SIGKILL, and wherever, the service afterwards serves the naive fold of the log — rows of quotes,
// revisions of MSF —, every acknowledged push is in it, and clients that followed cursors meanwhile saw each row and each revision once,
// and were billed for exactly what they received (I1, I3, I5, I8, I10, I12–I15, I17–I19, I22). `npm run proof` does it at length.
import { describe, it } from 'vitest';
import { crashCampaign, describeCrashes } from '../../support/campaigns/crash.ts';
import { editions } from '../../support/campaigns/place.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('killed at every crash point, under load', () => {
  for (const edition of editions) {
    it(`the ${edition} edition loses nothing (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const figures = await crashCampaign({ edition, seed, kills: 6, cover: false, say: (line) => t.annotate(line) });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeCrashes(figures));
    });
  }
});
