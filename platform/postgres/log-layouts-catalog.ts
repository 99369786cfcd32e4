// The layouts of the log in PostgreSQL. A game's layout is decided under the lock in which games are founded, by the database alone: however
// old a process's view of the log is, it asks for the partition of a game that another one has founded.
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { LogLayout, LogLayoutsCatalog, OlderProcess, Placing } from '../../core/ports/catalog/log-layouts.ts';
import type { Micros } from '../../core/units.ts';
import { type GrowingTopic, growingTopics } from '../../schemas/events/topics.ts';
import { lockGames } from './resolve-games.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

export function openLogLayoutsCatalog(sql: Sql): LogLayoutsCatalog {
  return {
    placing: (topic, keys) => placing(sql, topic, keys),
    begin: (topic, partitions) => begin(sql, topic, partitions),
    newest: () => newest(sql),
    add: (wanted, actor) => add(sql, wanted, actor),
    olderProcesses: () => olderProcesses(sql),
    keepOlderOut: async () => void (await sql.query('select keep_out_releases_without_layouts()')),
  };
}

async function placing(sql: Sql, topic: GrowingTopic, keys: readonly string[]): Promise<Placing> {
  const uuids = [...new Set(keys)].filter(isCanonicalUuid);
  const known = await recorded(sql, topic, uuids);
  const early = uuids.filter((uuid) => !known.counts.has(uuid));
  if (known.first === null || early.length === 0) return known;
  await noteEarly(sql, early);
  return recorded(sql, topic, uuids);
}

async function recorded(sql: Sql, topic: GrowingTopic, uuids: readonly string[]): Promise<Placing> {
  const { rows } = await sql.query(
    `select null as key, partitions from log_layouts where layout = 0 and topic = $1
     union all
     select k.key, l.partitions from (
       select id as key, log_layout as layout from games where id = any ($2::uuid[])
       union
       select key, 0 from log_early_keys where key = any ($2::uuid[])
     ) k join log_layouts l on l.layout = k.layout and l.topic = $1`,
    [topic, uuids],
    'log_placing',
  );
  const first = rows.find(({ key }) => key === null)?.partitions as number | undefined;
  const counts = rows.flatMap(({ key, partitions }) =>
    key === null ? [] : [[key as string, partitions as number] as const],
  );
  return { first: first ?? null, counts: new Map(counts) };
}

/** Gives layout 0 to those of the UUIDs that are still no game. Games are founded before or behind it, and see it then. */
async function noteEarly(sql: Sql, uuids: readonly string[]): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockGames(tx);
    await tx.query(
      `insert into log_early_keys (key)
       select u.id from unnest($1::uuid[]) as u (id) where not exists (select from games g where g.id = u.id)
       on conflict do nothing`,
      [uuids],
    );
  });
}

async function begin(sql: Sql, topic: GrowingTopic, partitions: number): Promise<number> {
  await sql.query('insert into log_layouts (layout, topic, partitions) values (0, $1, $2) on conflict do nothing', [
    topic,
    partitions,
  ]);
  const { rows } = await sql.query('select partitions from log_layouts where layout = 0 and topic = $1', [topic]);
  return Number(rows[0]?.partitions);
}

async function newest(sql: Sql): Promise<LogLayout | null> {
  const { rows } = await sql.query(
    'select layout, topic, partitions from log_layouts where layout = (select max(layout) from log_layouts)',
  );
  if (rows.length < growingTopics.length) return null;
  const partitions = Object.fromEntries(rows.map((row) => [String(row.topic), Number(row.partitions)]));
  return { layout: Number(rows[0]?.layout), partitions: partitions as LogLayout['partitions'] };
}

async function add(sql: Sql, { layout, partitions }: LogLayout, actor: string): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await lockGames(tx);
    const before = await newest(tx);
    if (before === null || before.layout + 1 !== layout) return false;
    for (const topic of growingTopics)
      await tx.query('insert into log_layouts (layout, topic, partitions) values ($1, $2, $3)', [
        layout,
        topic,
        partitions[topic],
      ]);
    await tx.query('insert into audit (actor, action, subject, detail) values ($1, $2, $3, $4)', [
      textParameter(actor),
      'log grow',
      `layout ${layout}`,
      jsonParameter({ before: before.partitions, after: partitions }),
    ]);
    return true;
  });
}

/** The migration that brought the layouts: a process that does not report it, or a later one, knows none. */
const layoutsSince = 34;

async function olderProcesses(sql: Sql): Promise<OlderProcess[]> {
  const { rows } = await sql.query(
    `select roles, reported_at from health_reports
     where reported_at > now() - interval '10 seconds' and coalesce(newest_migration, 0) < $1 order by roles, instance`,
    [layoutsSince],
  );
  return rows.map((row) => ({ roles: row.roles as string, heardAt: row.reported_at as Micros }));
}
