// `sds status` of a distributed edition only reads: it creates no topic, and it distinguishes an unreachable registry from an unreachable
// log.
import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { runSds } from '../../support/processes/sds.ts';
import { freePort } from '../../support/services/ports.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

describe('the status of a distributed edition', skipFor(distributedSkip), () => {
  it('makes no topic, and names the registry that does not answer', async () => {
    const { environment, drop } = await distributedEdition();
    const brokers = (environment.KAFKA_BROKERS ?? '').split(',');
    const admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    // Other tests create topics on these brokers meanwhile, under names of their own.
    const topics = async () => (await admin.listTopics()).filter((name) => name.startsWith('sds.')).sort();
    try {
      const migrated = await runSds(environment, ['migrate']);
      assert.equal(migrated.code, 0, migrated.err);
      const before = await topics();
      const away = { ...environment, SCHEMA_REGISTRY_URL: `http://127.0.0.1:${await freePort()}` };
      const ran = await runSds(away, ['status', '--json']);
      assert.equal(ran.code, 0, ran.err);
      const { degraded } = JSON.parse(ran.out) as { degraded: string[] };
      assert.deepEqual([degraded.includes('registry'), degraded.includes('log')], [true, false]);
      const { out } = await runSds(away, ['status']);
      assert.match(out, /^degraded: registry since /m);
      assert.doesNotMatch(out, /the lag is unknown/);
      assert.deepEqual(await topics(), before);

      const gone = { ...away, KAFKA_BROKERS: `127.0.0.1:${await freePort()}` };
      assert.match((await runSds(gone, ['status'])).out, /^the lag is unknown: the log does not answer$/m);
    } finally {
      await admin.disconnect();
      await drop();
    }
  });
});
