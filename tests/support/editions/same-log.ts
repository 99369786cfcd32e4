// A second service that folds the log of a first one. It has a database and object store of its own, reads the log from
// its beginning, and appends nothing. It copies the games that the first gateway founded; everything else comes from
// the log.
import type { Broker } from '../../../core/ports/broker.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { jsonParameter } from '../../../platform/postgres/values.ts';
import type { Edition, EditionOptions } from './edition.ts';

/** The options for a service that folds the log of `first` again. */
export function ofTheSameLog(first: Pick<Edition, 'drivers'>): Required<Pick<EditionOptions, 'openBroker'>> {
  return {
    async openBroker(_settings, sql) {
      for (const table of ['log_layouts', 'log_early_keys', 'teams', 'games', 'game_events'])
        await copyTable(first.drivers.sql, sql, table);
      return readingAgain(first.drivers.broker);
    },
  };
}

function readingAgain(broker: Broker): Broker {
  return {
    prepare: async () => {},
    partitions: (topic) => broker.partitions(topic),
    addPartitions: (topic, partitions) => broker.addPartitions(topic, partitions),
    partitionOf: (topic, key) => broker.partitionOf(topic, key),
    // The log already has what this service would append.
    produce: async () => new Map(),
    consume: ({ topic, group }, handlers) => broker.consume({ topic, group: `again.${group}` }, handlers),
    watermarks: (topic) => broker.watermarks(topic),
    offsetAt: (topic, partition, time) => broker.offsetAt(topic, partition, time),
    read: (topic, partition, from, to) => broker.read(topic, partition, from, to),
    writerSchema: (id) => broker.writerSchema(id),
    healthy: () => broker.healthy(),
    close: async () => {},
  };
}

/** Copies the games as they were founded: statuses and schedules come from the log. */
async function copyTable(from: Sql, to: Sql, table: string): Promise<void> {
  const { rows: columns } = await to.query(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
       and column_name not in ('status', 'from_schedule') order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ column_name: name }) => String(name)).join(', ');
  const { rows } = await from.query(`select coalesce(jsonb_agg(t), '[]') as found from ${table} t`);
  await to.query(`insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`, [
    jsonParameter(rows[0]?.found as object),
  ]);
}
