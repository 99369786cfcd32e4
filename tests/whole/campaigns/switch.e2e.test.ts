// Claim: while a game settles there is no instant at which a client gets it neither live nor final; each instance flips once and within 5 s of
// the landing; the rows that were read live are those of the final file; and the bill matches the reads, whatever is killed meanwhile (I16,
// I22, docs/metering.md#what-a-read-costs). A violation would need a refusal made from memory, or an answer that goes back. `npm run proof`
// does it at length.
import { describe, it } from 'vitest';
import { editions } from '../../support/campaigns/place.ts';
import { describeSwitches, switchCampaign } from '../../support/campaigns/switch.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

describe('the switch from live to final, polled without pause', () => {
  for (const edition of editions) {
    it(`of the ${edition} edition is never seen open (seed ${seed})`, {
      ...skipFor(outOfTurn() || leftOut(edition, editions)),
    }, async (t) => {
      const say = (line: string) => t.annotate(line);
      const figures = await switchCampaign({ edition, seed, settlements: 4, clients: 32, atOnce: 4, say });
      if (typeof figures === 'string') return t.skip(figures);
      t.annotate(describeSwitches(figures));
    });
  }
});
