// Claim: whoever is killed with SIGKILL, wherever, what is served afterwards is the naive fold of the log, every acknowledged push is in it, and
// a client that followed the cursor all the while saw each row once (I1, I3, I5, I8, I10, I17, I18, I19). `npm run proof` does it at length.
import { describe, it } from 'node:test';
import { crashCampaign, describeCrashes } from './support/campaign-crash.ts';
import { editions } from './support/campaign-world.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('killed at every crash point, under load', () => {
  for (const edition of editions) {
    it(`the ${edition} edition loses nothing (seed ${seed})`, { timeout: 300_000 }, async (t) => {
      const figures = await crashCampaign({ edition, seed, kills: 6, cover: false, say: (line) => t.diagnostic(line) });
      if (typeof figures === 'string') return t.skip(figures);
      t.diagnostic(describeCrashes(figures));
    });
  }
});
