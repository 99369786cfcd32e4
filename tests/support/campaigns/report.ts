// Writes a report when a campaign fails, before its world is deleted: the progress and owners of each partition, and
// all log lines of the programs.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from './stage.ts';
import type { World } from './world.ts';

/** Writes the report of a failed campaign; answers the failure with the file's path in its message. */
export async function reported(
  failure: unknown,
  { world, programs }: Pick<Stage, 'world' | 'programs'>,
): Promise<Error> {
  const said = failure instanceof Error ? failure.message : String(failure);
  const file = join(mkdtempSync(join(tmpdir(), 'sds-failed-campaign-')), 'report.jsonl');
  const lines: object[] = [{ failure: said }];
  for (const part of [partitionsOf, journalOf]) {
    try {
      lines.push(...(await part(world)));
    } catch (error) {
      lines.push({ missing: part.name, error: String(error) });
    }
  }
  for (const { name, ends, said: logged } of programs) {
    lines.push(...ends.map((end) => ({ program: name, end })), ...logged.map((line) => ({ program: name, ...line })));
  }
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return new Error(`${said}\nlog lines of the programs: ${file}`, { cause: failure });
}

/** Each partition's checkpoint and the end of its log. */
async function partitionsOf({ sql, api }: World): Promise<object[]> {
  const { rows } = await sql.query('select * from campaign_streams order by topic, partition');
  const ends = new Map<string, number>();
  for (const topic of new Set(rows.map((row) => String(row.topic)))) {
    for (const { partition, high } of await api.drivers.broker.watermarks(topic))
      ends.set(`${topic} ${partition}`, high);
  }
  return rows.map((row) => ({ ...row, logEnd: ends.get(`${row.topic} ${row.partition}`) }));
}

async function journalOf({ sql }: World): Promise<object[]> {
  return (await sql.query('select * from campaign_journal order by id')).rows;
}
