// Marking published entries costs in proportion to the entries marked, however many wait in the outbox.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openDatabase } from '../../support/services/databases.ts';

it('marks by ids without reading the whole tables, also when it began on small ones', async () => {
  const { sql } = await openDatabase(undefined, { maxConnections: 1 });
  const outbox = openOutboxCatalog(sql);
  // More often than the server checks the values before it uses a generic plan.
  for (let count = 0; count < 10; count += 1) await outbox.markPublished([count], [count]);
  await sql.query(`insert into dead_letters (topic, code, detail, payload, payload_sha256)
    select 'push', 'bad-price', '', 'x', 'y' from generate_series(1, 20000)`);
  await sql.query(`insert into outbox (topic, key, value) select $1, 'k', '{}' from generate_series(1, 20000)`, [
    topics.publications,
  ]);
  const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
  const deadLetters = idsOf(await outbox.unpublishedDeadLetters(1_000));
  const outgoing = idsOf(await outbox.publications(1_000));
  const rowsRead = async (): Promise<number> => {
    await sql.query('select pg_stat_force_next_flush()');
    const { rows } = await sql.query(
      `select sum(seq_tup_read) as read from pg_stat_user_tables where relname in ('dead_letters', 'outbox')`,
    );
    return Number(rows[0]?.read);
  };
  const before = await rowsRead();
  await outbox.markPublished(outgoing, deadLetters);
  assert.equal(await rowsRead(), before);
  const { rows } = await sql.query(`select (select count(*) from dead_letters where not told) as letters,
    (select count(*) from outbox) as publications`);
  assert.deepEqual([Number(rows[0]?.letters), Number(rows[0]?.publications)], [19_000, 19_000]);
  assert.equal((await outbox.unpublishedDeadLetters(1))[0]?.id, (deadLetters.at(-1) ?? 0) + 1);
});
