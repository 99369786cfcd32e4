// Claim: `sds schemas check` changes nothing and compares the schema of each topic with the releases and the registry, also before the
// migrations of its version; `register` creates no topic, and both end with the reason if the registry refuses a schema or has lost its
// data.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import { describe, it } from 'vitest';
import { readMigrations } from '../../../platform/postgres/migrate.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { nextRelease } from '../../support/processes/releases.ts';
import { runSds } from '../../support/processes/sds.ts';
import { startRegistry } from '../../support/services/registry.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Shown = {
  released: { topic: string; release: string; why: string[] }[];
  registry: { topic: string; state: string; id: number | null; why: string[]; known: { id: number }[] }[];
};

const names = Object.values(topics);
const shown = (text: string) => JSON.parse(text) as Shown;

describe('the schemas of a distributed edition', skipFor(distributedSkip), () => {
  it('are compared, registered once, and refused beside others', async () => {
    await using registry = await startRegistry();
    const { environment: given, drop } = await distributedEdition();
    const environment = { ...given, SCHEMA_REGISTRY_URL: registry.url, SDS_DATA_DIR: makeDataFolder('schemas') };
    const subjects = async () => (await (await fetch(`${registry.url}/subjects`)).json()) as string[];
    const states = async () => {
      const ran = await runSds(environment, ['schemas', 'check', '--json']);
      assert.equal(ran.code, 0, ran.err);
      return shown(ran.out).registry.map(({ topic, state }) => [topic, state]);
    };
    try {
      const migrated = await runSds(environment, ['migrate']);
      assert.equal(migrated.code, 0, migrated.err);
      assert.deepEqual(
        await states(),
        names.map((topic) => [topic, 'missing']),
      );
      assert.deepEqual(await subjects(), []);

      // The subject may hold a foreign schema with which ours is incompatible.
      const other = JSON.stringify({ type: 'record', name: 'Other', fields: [{ name: 'x', type: 'int' }] });
      const taken = { subject: `${topics.games}-value`, compatibility: COMPATIBILITY.FULL_TRANSITIVE };
      await new SchemaRegistry({ host: registry.url }).register({ type: SchemaType.AVRO, schema: other }, taken);
      for (const command of ['check', 'register']) {
        const refused = await runSds(environment, ['schemas', command]);
        assert.equal(refused.code, 1, refused.err);
        assert.match(refused.err, /^sds: sds\.games\.v1-value: version 1: /m);
      }
      assert.deepEqual(await subjects(), [`${topics.games}-value`]);

      await registry.restart();
      const registered = await runSds(environment, ['schemas', 'register', '--json']);
      assert.equal(registered.code, 0, registered.err);
      const ids = shown(registered.out).registry.map(({ id }) => id);
      assert.ok(ids.every((id) => id !== null));
      assert.deepEqual(
        await states(),
        names.map((topic) => [topic, 'registered']),
      );
      const again = await runSds(environment, ['schemas', 'register', '--json']);
      assert.deepEqual(
        shown(again.out).registry.map(({ id, known }) => [id, known.map((each) => each.id)]),
        ids.map((id) => [id, [id]]),
      );

      // The registry forgets everything when it ends.
      await registry.restart();
      const lost = await runSds(environment, ['schemas', 'check']);
      assert.equal(lost.code, 3, lost.err);
      assert.match(lost.err, /the schema registry no longer has schema \d+, and 4 more/);
      assert.deepEqual(await subjects(), []);
    } finally {
      await drop();
    }
  });

  it('are compared before the migrations of a new version, which the check leaves to `sds migrate`', async () => {
    await using registry = await startRegistry();
    const { environment: given, drop } = await distributedEdition();
    const dir = makeDataFolder('schemas-of-next');
    const environment = { ...given, SCHEMA_REGISTRY_URL: registry.url, SDS_DATA_DIR: join(dir, 'data') };
    const next = nextRelease(dir, 'next', []);
    const later = `${String(readMigrations().length + 1).padStart(4, '0')}_later`;
    writeFileSync(join(next, 'schemas/catalog', `${later}.sql`), 'create table later (n integer);\n');
    const sql = openPool({ connection: given.DATABASE_URL as string, maxConnections: 1 });
    const plan = async () => (await runSds(environment, ['migrate', '--plan', '--json'], { of: next })).out;
    const refused = /^sds: the database's schema is older than this version needs .*: run `\.\/sds migrate`/;
    try {
      assert.equal((await runSds(environment, ['schemas', 'register'])).code, 0);
      const before = await plan();
      assert.deepEqual((JSON.parse(before) as { pending: string[] }).pending, [later]);
      const checked = await runSds(environment, ['schemas', 'check', '--json'], { of: next });
      assert.deepEqual([checked.code, checked.err], [0, '']);
      assert.deepEqual(
        shown(checked.out).registry.map(({ state, known }) => [state, known.length]),
        names.map(() => ['registered', 1]),
      );
      const register = await runSds(environment, ['schemas', 'register'], { of: next });
      assert.deepEqual([register.code, refused.test(register.err)], [3, true], register.err);
      assert.equal(await plan(), before);

      // Without the table of the schemas there is nothing to compare with.
      await sql.query("delete from schema_migrations where name = 'topic_schemas'");
      await sql.query('drop table topic_schemas');
      const without = await runSds(environment, ['schemas', 'check'], { of: next });
      assert.deepEqual([without.code, refused.test(without.err)], [3, true], without.err);
    } finally {
      await sql.close();
      await drop();
    }
  });
});

it('are compared with releases alone in the embedded edition', async () => {
  const environment = { SDS_EDITION: 'embedded', SDS_DATA_DIR: makeDataFolder('schemas') };
  const ran = await runSds(environment, ['schemas', 'check', '--json']);
  assert.equal(ran.code, 0, ran.err);
  const { released, registry } = shown(ran.out);
  assert.deepEqual(registry, []);
  assert.ok(names.every((name) => released.some(({ topic, why }) => topic === name && why.length === 0)));
  const register = await runSds(environment, ['schemas', 'register']);
  assert.equal(register.code, 2);
});
