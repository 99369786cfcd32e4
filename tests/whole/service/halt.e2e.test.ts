// Claim: a partition whose log has a hole, or begins too late, or whose files are damaged, halts alone. The others go on, the API goes on serving, /health and `sds
// status` tell which it is and what to do, no process retries it in a loop, and a restart tries it once: once the lost data is back, the
// partition continues. A violation would need a halt that ends its runner, or a claim that is repeated by itself.
import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { partitionOfKey } from '../../../core/partition-of-key.ts';
import type { Role } from '../../../ops/service/roles.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { manifestOf } from '../../support/editions/published-game.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { runSds } from '../../support/processes/sds.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const teams = [
  'NYY',
  'STL',
  'BOS',
  'CHC',
  'LAD',
  'SF',
  'HOU',
  'SEA',
  'ATL',
  'MIL',
  'PHI',
  'DET',
  'CLE',
  'MIN',
  'SD',
  'TEX',
];
const games = teams.flatMap((home, index) => teams.slice(index + 1, index + 3).map((away) => ({ home, away })));

describe('a log with a hole', skipFor(postgres.skip), () => {
  it('halts the partitions that have one, and no other', async () => {
    const database = await postgres.createDatabase();
    const folder = makeDataFolder('halt');
    const environment = { ...processEnvironment(database.url, folder), SDS_SESSION_MS: '1000' };
    const sql = openPool({ connection: database.url, maxConnections: 2 });
    const start = (roles: readonly Role[]) => startEdition({ environment, roles });
    let edition = await start(['api', 'ingest']);
    try {
      for (const price of [110, 120]) for (const game of games) await push(edition, game, price);
      const places = await gamesByPartition(sql);
      const [holed, truncated, ...whole] = [...places.keys()];
      assert.ok(holed !== undefined && truncated !== undefined && whole.length > 0);
      await edition.stop();
      const lost = await sql.query(
        `delete from log_batches b using log_topics t where t.id = b.topic_id and t.name = 'sds.quotes.v1' and partition = $1
           and first_offset = (select min(first_offset) from log_batches o where o.topic_id = t.id and o.partition = $1)
         returning b.topic_id, b.partition, b.first_offset, b.records, b.at, b.bytes`,
        [holed],
      );
      await sql.query(
        `update log_partitions p set first_offset = 1 from log_topics t
         where t.id = p.topic_id and t.name = 'sds.quotes.v1' and p.partition = $1`,
        [truncated],
      );

      edition = await start(['api', 'ingest', 'projectors', 'ticker']);
      const published = async (partition: number): Promise<boolean> =>
        (await Promise.all((places.get(partition) ?? []).map((game) => isServed(edition, game)))).every(Boolean);
      for (const partition of whole) await until(`partition ${partition} is published`, () => published(partition));
      const names = [holed, truncated].map((partition) => `partition live/${partition}`).sort();
      const degraded = async (): Promise<string[]> => {
        const health = (await (await fetch(`${edition.apiUrl}/health`)).json()) as { degraded: string[] };
        return health.degraded.toSorted();
      };
      await until('health tells of it', async () => (await degraded()).join() === names.join());

      // Longer than a session: a partition that was given up would be claimed again by now. Other partitions continue
      // to fold.
      for (const price of [130, 140, 150]) {
        for (const game of games) await push(edition, game, price);
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
      for (const partition of whole) await until(`${partition} goes on`, () => caughtUp(sql, partition));
      assert.deepEqual(await epochs(sql, [holed, truncated]), [1, 1]);
      for (const partition of [holed, truncated]) assert.equal(await published(partition), false);

      const ran = await runSds(environment, ['status', '--json']);
      assert.equal(ran.code, 0, ran.err);
      const status = JSON.parse(ran.out) as { degraded: string[]; lag: Record<string, { halted: string | null }> };
      assert.deepEqual(status.degraded.toSorted(), names);
      assert.match(
        status.lag[`live/${holed}`]?.halted ?? '',
        /^gap in partition \d+: expected offset 0, the log continues at \d+; bring back the records from offset 0 on, then restart/,
      );
      assert.match(status.lag[`live/${truncated}`]?.halted ?? '', /^partition \d+ does not hold offset 0; bring back/);
      for (const partition of whole) assert.equal(status.lag[`live/${partition}`]?.halted, null);
      assert.match((await runSds(environment, ['status'])).out, new RegExp(`^live/${holed} is halted: gap in`, 'm'));

      const verified = await runSds(environment, ['verify', '--json']);
      assert.equal(verified.code, 1, verified.err);
      const { violations } = JSON.parse(verified.out) as { violations: { invariant: string; subject: string }[] };
      assert.deepEqual(violations.map(({ invariant, subject }) => `${invariant} ${subject}`).sort(), [
        ...names.map((name) => `I30 ${name}`),
      ]);

      await edition.stop();
      const { rows } = lost;
      for (const row of rows)
        await sql.query(
          `insert into log_batches (topic_id, partition, first_offset, records, at, bytes)
           select topic_id, $2, $3, $4, p.newest_at, $5 from log_partitions p where topic_id = $1 and partition = $2`,
          [row.topic_id, row.partition, row.first_offset, row.records, row.bytes],
        );
      edition = await start(['api', 'ingest', 'projectors', 'ticker']);
      await until('what is whole again is published', () => published(holed));
      await until('only one is left', async () => (await degraded()).join() === `partition live/${truncated}`);
      assert.deepEqual(await epochs(sql, [holed, truncated]), [2, 2]);

      // Truncates the object from which the next flush of a partition continues.
      const damaged = whole[0] as number;
      await edition.stop();
      for (const key of await tailsOf(sql, damaged)) truncateSync(join(folder, 'objects', key), 8);
      edition = await start(['api', 'ingest', 'projectors', 'ticker']);
      for (const game of games) await push(edition, game, 160);
      const both = [damaged, truncated].map((partition) => `partition live/${partition}`).sort();
      await until('health tells of what is damaged', async () => (await degraded()).join() === both.join());
      for (const partition of [holed, ...whole.slice(1)])
        await until(`${partition} goes on beside it`, () => caughtUp(sql, partition));
      assert.match(
        (await runSds(environment, ['status'])).out,
        new RegExp(`^live/${damaged} is halted: object flushes/.* is committed and is cut short; bring back`, 'm'),
      );
    } finally {
      await edition.stop();
      await sql.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const keys = new WeakMap<Edition, Promise<string>>();

/** One feed key for all runs of the service. */
function keyOf(edition: Edition): Promise<string> {
  const key = keys.get(edition) ?? edition.feedKey(['push']);
  keys.set(edition, key);
  return key;
}

async function push(edition: Edition, { home, away }: { home: string; away: string }, american: number): Promise<void> {
  const to = { gateway: edition.ingestUrl, key: await keyOf(edition) };
  await pushMoneyline(to, american, { eventId: `${away}-${home}`, home, away });
}

/** Public ids of the games, by the partition that holds their records. */
async function gamesByPartition(sql: Sql): Promise<Map<number, string[]>> {
  const { rows } = await sql.query('select id, public_id from games order by public_id');
  const places = new Map<number, string[]>();
  for (const row of rows) {
    const partition = partitionOfKey(row.id as string, 4);
    places.set(partition, [...(places.get(partition) ?? []), row.public_id as string]);
  }
  return places;
}

/** Keys of the objects that hold the open tails of a partition. */
async function tailsOf(sql: Sql, partition: number): Promise<string[]> {
  const { rows } = await sql.query(
    `select distinct tail -> 'file' ->> 'key' as key from live_logs where partition = $1 and tail is not null`,
    [partition],
  );
  return rows.map((row) => row.key as string);
}

async function isServed(edition: Edition, game: string): Promise<boolean> {
  return manifestOf(edition, game).then(
    ({ segments }) => segments.length > 0,
    () => false,
  );
}

async function caughtUp(sql: Sql, partition: number): Promise<boolean> {
  const { rows } = await sql.query(
    `select s.next_offset = p.next_offset as done from stream_state s, log_partitions p, log_topics t
     where t.name = s.topic and p.topic_id = t.id and s.partition = $1 and p.partition = $1 and t.name = 'sds.quotes.v1'`,
    [partition],
  );
  return rows[0]?.done === true;
}

async function epochs(sql: Sql, partitions: readonly number[]): Promise<number[]> {
  const { rows } = await sql.query(
    `select owner_epoch from stream_state where projector = 'live' and partition = any ($1::integer[])
     order by array_position($1::integer[], partition)`,
    [partitions],
  );
  return rows.map((row) => row.owner_epoch as number);
}
