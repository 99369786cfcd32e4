// Claim: whatever accounts read, through whichever process, and whatever is killed meanwhile, each account is billed for the distinct rows
// that it read, and never beyond its quota (I22, I23). A violation would need a row that is charged twice, one that is served without a
// charge, or a quota that is compared before the account is locked. `npm run proof` does it at length.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { describeMetering, meteringCampaign } from '../../support/campaigns/metering.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));
const length = Number(process.env.SDS_CAMPAIGN ?? 1);

describe('64 clients on overlapping segments', skipFor(outOfTurn()), () => {
  it(`are billed for distinct rows while API processes are killed (seed ${seed})`, async (t) => {
    const say = (line: string) => t.annotate(line);
    const figures = await meteringCampaign({ seed, clients: 64, kills: 3 * length, outages: 0, say });
    if (typeof figures === 'string') return t.skip(figures);
    t.annotate(describeMetering(figures));
    assert.equal(figures.kills, 3 * length);
  });

  it(`and while the database is frozen and killed (seed ${seed})`, async (t) => {
    const say = (line: string) => t.annotate(line);
    const figures = await meteringCampaign({ seed, clients: 64, kills: length, outages: 2 * length, say });
    if (typeof figures === 'string') return t.skip(figures);
    t.annotate(describeMetering(figures));
    // With two outages on a busy machine, perhaps no read is served without the ledger; in the whole campaign some must
    // be.
    if (length > 1) assert.ok(figures.owed > 0, 'something was served on grace');
  });
});
