// The ids of the topics' schemas in PostgreSQL.
import type { KnownSchema, TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import type { Sql } from './sql.ts';

/** The migrations that make what the catalog reads. */
export const topicSchemasMigrations = ['0031_topic_schemas'] as const;

export function openTopicSchemasCatalog(sql: Sql): TopicSchemasCatalog {
  return {
    async ofSubject(subject) {
      const text = 'select schema_id as id, schema from topic_schemas where subject = $1 order by schema_id';
      const { rows } = await sql.query(text, [subject], 'topic_schemas_of_subject');
      return rows as KnownSchema[];
    },
    async note(subject, { id, schema }) {
      const text =
        'insert into topic_schemas (subject, schema_id, schema) values ($1, $2, $3) on conflict (subject, schema_id) do nothing';
      await sql.query(text, [subject, id, schema], 'note_topic_schema');
    },
  };
}

/** Gives each remembered schema the id that `numberOf` returns. */
export async function renumberSchemas(
  tx: Sql,
  numberOf: (subject: string, known: KnownSchema) => Promise<number>,
): Promise<void> {
  const { rows } = await tx.query('select subject, schema_id as id, schema from topic_schemas order by schema_id');
  await tx.query('delete from topic_schemas');
  const catalog = openTopicSchemasCatalog(tx);
  for (const { subject, id, schema } of rows as (KnownSchema & { subject: string })[])
    await catalog.note(subject, { id: await numberOf(subject, { id, schema }), schema });
}
