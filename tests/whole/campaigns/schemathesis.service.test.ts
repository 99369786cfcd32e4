// Claim: every request that Schemathesis generates from the service's OpenAPI description is answered as described: no 5xx, no undocumented
// status, header or body, no failure that is no problem document. A quarter of its paths by the seed; `npm run proof` sends 20,000 requests
// to all.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { describeSchemathesis, schemathesisCampaign } from '../../support/campaigns/schemathesis.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

it(`the API is as /v1/openapi.json says (seed ${seed})`, async (t) => {
  const takes = (_: string, place: number) => caseOutOfTurn(place, 4) === false;
  const figures = await schemathesisCampaign({ seed, valid: 30, wrong: 2, takes, say: (line) => t.annotate(line) });
  if (typeof figures === 'string') return t.skip(figures);
  t.annotate(describeSchemathesis(figures));
  t.annotate(`${figures.valid.good} of ${figures.valid.requests} valid requests have good answers`);
  assert.deepEqual(figures.barren, [], 'every operation has a 2xx');
  assert.ok(2 * figures.valid.good >= figures.valid.requests, 'half of the answers to valid requests are good');
  assert.ok(figures.requests > 500);
});
