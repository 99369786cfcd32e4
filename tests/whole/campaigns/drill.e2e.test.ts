// Claim: the whole distributed edition, of several processes of each kind, comes through a fault under load: health names it, all is readable again
// through both APIs, and what is served and billed is the naive fold of the log. A run takes one fault by its seed, of those that are soon
// over; `npm run drill` takes all, and holds their times against limits.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { drillFaults } from '../../support/drill/drill-faults.ts';
import { describeVerdict } from '../../support/drill/judge-drill.ts';
import { runDrill } from '../../support/drill/run-drill.ts';
import { outOfTurn, takenOf } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));
const short = ['kill-api', 'kill-gateway', 'restart-redis', 'restart-registry', 'store-500', 'rebuild'];
const taken = takenOf(short, 'drill', String(seed));

it(`a drill of one fault, ${taken} (seed ${seed})`, skipFor(outOfTurn()), async (t) => {
  const faults = drillFaults.filter(({ name }) => name === taken);
  assert.equal(faults.length, 1);
  const result = await runDrill({ seed, faults, say: (line) => t.annotate(line) });
  if (typeof result === 'string') return t.skip(result);
  assert.ok('verdict' in result, 'wrong' in result ? result.wrong : '');
  for (const { fault, reported, recovered, endReported } of result.lines) {
    if (reported !== null) assert.notEqual(reported.ms, null, `${fault} is reported`);
    assert.notEqual(recovered.ms, null, `a push of each game is readable after ${fault}`);
    assert.notEqual(endReported.ms, null, `health reports the end of ${fault}`);
  }
  assert.ok(result.verdict.rows > 0 && result.verdict.pushes > 0);
  t.annotate(describeVerdict(result.verdict));
});
