// Claim: the live page stays right, quiet and small for as long as it is open. A violation would need a price of another version than the page
// says, a request that fails, or something that is kept with each move. `npm run proof` has it open for half an hour.
import { expect, it } from 'vitest';
import { describeLivePage, livePageCampaign } from '../../support/campaigns/live-page.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

it(`the live page shows the boards of the demo, complains of nothing and does not grow (seed ${seed})`, async (t) => {
  const figures = await livePageCampaign({ seed, forMs: 20_000, say: (line) => void t.annotate(line) });
  if (typeof figures === 'string') return t.skip(figures);
  t.annotate(describeLivePage(figures));
  expect(figures.versions).toBeGreaterThan(1);
});
