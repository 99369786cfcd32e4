// Claim: clients that read by events, by waiting and by polling, leave in the middle and come again, come to the rows of the naive fold, each row
// once, while the service's programs are killed; no wait is answered late; readers that take nothing cost the API bounded memory (I1, I3,
// I8). A violation would need a head that is lost, a wait that misses its news or its end, or answers that are kept for a reader.
// `npm run proof` does it at length.
import { describe, it } from 'vitest';
import { describeMixed, mixedCampaign } from '../../support/campaigns/mixed-clients.ts';
import { editions } from '../../support/campaigns/place.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('64 clients by events, waits and polls', () => {
  for (const edition of editions) {
    it(`read each row once through kills of the ${edition} edition (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const say = (line: string) => t.annotate(line);
      const figures = await mixedCampaign({
        edition,
        seed,
        clients: 64,
        mixedMs: 6_000,
        kills: 3,
        shortGames: 3,
        slowReaders: 64,
        slowMs: 2_000,
        say,
      });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeMixed(figures));
    });
  }
});
