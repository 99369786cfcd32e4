// The outbox of the commits in PostgreSQL: publications leave it when they are told, dead letters stay and are marked.
import { randomUUID } from 'node:crypto';
import type { OutboxCatalog } from '../../core/ports/catalog/outbox.ts';
import type { DeadLetterRecord } from '../../schemas/events/dead-letters.ts';
import type { PublicationRecord } from '../../schemas/events/publications.ts';
import { holdLease } from './leases.ts';
import type { Sql } from './sql.ts';

export function openOutboxCatalog(sql: Sql): OutboxCatalog {
  const holder = randomUUID();
  return {
    holdForwarder: () => holdLease(sql, 'forwarder', holder),
    publications: (limit) => oldestPublications(sql, limit),
    untoldDeadLetters: (limit) => oldestUntoldDeadLetters(sql, limit),
    told: (publications, deadLetters) => markTold(sql, publications, deadLetters),
  };
}

async function oldestPublications(sql: Sql, limit: number): Promise<{ id: number; value: PublicationRecord }[]> {
  const { rows } = await sql.query('select id, value from outbox order by id limit $1', [limit], 'oldest_publications');
  return rows.map(({ id, value }) => ({
    id: id as number,
    value: { dataset: null, ...(value as Omit<PublicationRecord, 'dataset'>) },
  }));
}

async function oldestUntoldDeadLetters(sql: Sql, limit: number): Promise<DeadLetterRecord[]> {
  const { rows } = await sql.query(
    `select id, at, topic, partition, "offset", code, detail, pointer, source, game_id, receipt, push_index, payload_sha256
     from dead_letters where not told order by id limit $1`,
    [limit],
    'untold_dead_letters',
  );
  return rows as DeadLetterRecord[];
}

async function markTold(sql: Sql, publications: readonly number[], deadLetters: readonly number[]): Promise<void> {
  await sql.query(
    `with gone as (delete from outbox where id = any ($1::bigint[]))
     update dead_letters set told = true where id = any ($2::bigint[])`,
    [publications, deadLetters],
    'mark_told',
  );
}
