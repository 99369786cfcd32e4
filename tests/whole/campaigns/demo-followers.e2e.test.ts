// Claim: a program of at most fifteen lines that follows every game with one of the clients, or with curl, sees each row once while the API, the
// projectors and the gateway are killed: its rows are those of the final files, and it was billed for just as many (I1, I8, I22). A
// violation would need a cursor that skips or repeats, a restart that a client takes for an end, or a charge that is made twice.
// `npm run proof` does it for ten minutes, with three kills of each.
import { describe, it } from 'vitest';
import { describeFollowers, followersCampaign } from '../../support/campaigns/demo-followers.ts';
import { editions } from '../../support/campaigns/place.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('followers of every game of the demo', () => {
  for (const edition of editions) {
    it(`see each row once through kills of the ${edition} edition (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const say = (line: string) => t.annotate(line);
      const figures = await followersCampaign({ edition, seed, forMs: 8_000, kills: 1, say });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeFollowers(figures));
    });
  }
});
