// The outbox of the commits in PostgreSQL: publications, quotes and observations are removed once published; dead letters stay and are
// marked.
import type { OutboxCatalog, OutboxEntry } from '../../core/ports/catalog/outbox.ts';
import type { DeadLetterRecord } from '../../schemas/events/dead-letters.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import type { PublicationRecord } from '../../schemas/events/publications.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Sql } from './sql.ts';

export function openOutboxCatalog(sql: Sql): OutboxCatalog {
  return {
    publications: (limit) => oldestPublications(sql, limit),
    quotes: (limit) => oldestOf<QuotesRecord>(sql, topics.quotes, limit),
    observations: (limit) => oldestOf<ObservationsRecord>(sql, topics.observations, limit),
    unpublishedDeadLetters: (limit) => oldestUnpublishedDeadLetters(sql, limit),
    markPublished: (outgoing, deadLetters) => markPublished(sql, outgoing, deadLetters),
  };
}

/** Fields that some kinds of publication lack. */
const absent = { dataset: null, epoch: null, revision: null };

async function oldestPublications(sql: Sql, limit: number): Promise<OutboxEntry<PublicationRecord>[]> {
  const oldest = await oldestOf<PublicationRecord>(sql, topics.publications, limit);
  return oldest.map(({ value, ...waiting }) => ({ ...waiting, value: { ...absent, ...value } }));
}

async function oldestOf<Value>(sql: Sql, topic: string, limit: number): Promise<OutboxEntry<Value>[]> {
  const text = 'select id, value, traceparent from outbox where topic = $1 order by id limit $2';
  const { rows } = await sql.query(text, [topic, limit], 'oldest_outgoing');
  return rows as OutboxEntry<Value>[];
}

async function oldestUnpublishedDeadLetters(sql: Sql, limit: number): Promise<DeadLetterRecord[]> {
  const { rows } = await sql.query(
    `select id, at, topic, partition, "offset", code, detail, pointer, source, game_id, receipt, push_index, payload_sha256
     from dead_letters where not told order by id limit $1`,
    [limit],
    'untold_dead_letters',
  );
  return rows as DeadLetterRecord[];
}

/**
 * The ids are the oldest ones, so their range contains little else, and the condition on the range uses the index. With the ids alone, a
 * plan made while the table was small would scan the whole table for each batch once it is large.
 */
async function markPublished(sql: Sql, outgoing: readonly number[], deadLetters: readonly number[]): Promise<void> {
  await sql.query(
    `with gone as (
       delete from outbox using unnest($1::bigint[]) as published (id)
       where outbox.id = published.id and outbox.id between $2 and $3
     )
     update dead_letters set told = true from unnest($4::bigint[]) as published (id)
     where dead_letters.id = published.id and dead_letters.id between $5 and $6`,
    [outgoing, ...rangeOf(outgoing), deadLetters, ...rangeOf(deadLetters)],
    'mark_published',
  );
}

function rangeOf(ids: readonly number[]): [first: number, last: number] {
  return ids.length === 0 ? [0, 0] : [Math.min(...ids), Math.max(...ids)];
}
