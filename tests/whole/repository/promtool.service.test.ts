// Claim: Prometheus takes the alert rules, and makes of given series what ops/alerts/sds.tests.yaml says. Its tool is this machine's own, or is
// built by `npm run proof`. What the rules have to name is whole/repository/alert-rules.unit's.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { run } from '../../support/services/installed.ts';
import { ServiceMissing } from '../../support/services/missing.ts';
import { findPromtool } from '../../support/services/promtool.ts';
import { mayBuildTools } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const alerts = fileURLToPath(new URL('../../../ops/alerts/', import.meta.url));
const [rules, tests] = ['sds.rules.yaml', 'sds.tests.yaml'] as const;

/** Of one sample, where there is no older one: the least of five minutes is not above zero before that. */
const ofFiveMinutes = 'expr: db_client_connection_pending_requests > 0\n        for: 5m';
const ofOneSample = 'expr: min_over_time(db_client_connection_pending_requests[5m]) > 0';

let skip: string | false = false;
const promtool = await findPromtool(mayBuildTools()).catch((error: unknown) => {
  if (!(error instanceof ServiceMissing)) throw error;
  skip = error.message;
  return null;
});
if (promtool === null && skip === false) skip = 'there is no promtool on this machine; npm run proof builds it';

describe('the alert rules, by promtool', skipFor(skip), () => {
  const said = (...args: string[]) => run(promtool ?? '', args, { cwd: alerts });

  it('are rules, and warn of nothing', async () => {
    assert.match(await said('check', 'rules', '--lint=all', '--lint-fatal', rules), /SUCCESS: \d+ rules found/);
  });

  it('fire and are quiet as their tests say', async () => {
    await said('test', 'rules', tests);
  });

  for (const [what, change] of [
    ['another threshold', (text: string) => text.replaceAll('14.4 * 0.001', '144 * 0.001')],
    [
      'a pair without its short window',
      (text: string) => text.replace(' and sds:http_errors:ratio5m > 14.4 * 0.001', ''),
    ],
    ['a dead man’s switch that stops', (text: string) => text.replace('vector(1)', 'vector(1) == 0')],
    ['a bound as one release stores it', (text: string) => text.replaceAll('le=~"5(\\\\.0)?"', 'le="5"')],
    ['an alert of one sample', (text: string) => text.replace(ofFiveMinutes, ofOneSample)],
    ['an alert that fires later', (text: string) => text.replace('for: 2m', 'for: 20m')],
  ] as const) {
    it(`fail their tests with ${what}`, async () => {
      const folder = makeDataFolder('promtool');
      cpSync(alerts, folder, { recursive: true });
      const [before, path] = [readFileSync(join(folder, rules), 'utf8'), join(folder, rules)];
      assert.notEqual(change(before), before);
      writeFileSync(path, change(before));
      await assert.rejects(said('test', 'rules', join(folder, tests)), /ended with 1: .*alertname="Sds/);
    });
  }
});
