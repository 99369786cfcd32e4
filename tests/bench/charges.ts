// m) What charging a read costs when PostgreSQL has to be asked. 64 readers, of one account and then of many, read
// growing tails through the API's charge function; the baseline is a counter that each reader updates with a statement
// of its own. Also measured: a read that is already paid.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defaultLimits } from '../../api/compose/resource-limits.ts';
import { openDeadlines } from '../../api/dependencies/deadlines.ts';
import type { Metering } from '../../api/metering/metering.ts';
import { openMetering } from '../../api/metering/open-metering.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import { isRefusal } from '../../http/refusal.ts';
import { type Connection, embeddedConnection } from '../../platform/postgres/embedded.ts';
import { openPool, type Sql } from '../../platform/postgres/sql.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { MemoryJournal } from '../support/fakes/memory-journal.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { type OpenedDrivers, openedDrivers } from './opened-drivers.ts';

const target = 2_000;
const readers = 64;
const manyAccounts = 200;

type Rate = { perSecond: number; coresHere: number; coresThere: number };

export const charges: Bench = {
  letter: 'm',
  title: 'charges of reads that are not paid yet',
  async run(run) {
    await using opened = await openedDrivers();
    const metering = meteringOn(opened);
    const [seconds, rounds] = run.toy ? [0.3, 1] : [4, 3];
    // A connection with every right: the table of the baseline is not part of the service's schema.
    const connection = embeddedConnection(opened.settings.dataDir) as Connection;
    const sql = openPool({ connection, maxConnections: 16 });
    const one = await accounts(opened, 1);
    const many = await accounts(opened, run.toy ? 5 : manyAccounts);
    await sql.query('create table bench_counters (id integer primary key, n bigint not null)');
    await sql.query('insert into bench_counters select id, 0 from generate_series(1, $1) as id', [manyAccounts]);
    try {
      await compare(run, sql, { what: 'one account', keys: one, metering, seconds, rounds, target });
      await compare(run, sql, { what: `${many.length} accounts`, keys: many, metering, seconds, rounds });
      await paid(run, metering, one[0] as ApiKey);
    } finally {
      await sql.close();
      await metering.close();
    }
  },
};

type Compared = {
  what: string;
  keys: readonly ApiKey[];
  metering: Metering;
  seconds: number;
  rounds: number;
  target?: number;
};

async function compare(run: Run, sql: Sql, compared: Compared): Promise<void> {
  const { what, keys, metering, seconds, rounds } = compared;
  const [game, ours, theirs] = [randomUUID(), [] as Rate[], [] as Rate[]];
  let rows = 0;
  const charge = async (reader: number): Promise<void> => {
    rows += 1;
    const read = { kind: 'live', gameUuid: game, gameId: 'bench', firstSeq: 1, seq: reader, rows } as const;
    const charged = await metering.charge(keys[rows % keys.length] as ApiKey, read);
    if (isRefusal(charged) || charged.debited === 0) throw new Error(JSON.stringify(charged));
  };
  let turn = 0;
  const count = async (): Promise<void> => {
    turn += 1;
    await sql.query('update bench_counters set n = n + 1 where id = $1', [1 + (turn % keys.length)], 'bench_count');
  };
  for (let round = 0; round < rounds; round += 1) {
    run.say(`${what}, ${round + 1} of ${rounds}`);
    ours.push(await measure(sql, seconds, charge));
    theirs.push(await measure(sql, seconds, count));
  }
  const rate = median(ours.map(({ perSecond }) => perSecond));
  const baseline = median(theirs.map(({ perSecond }) => perSecond));
  const cores = median(ours.map(({ coresHere, coresThere }) => coresHere + coresThere));
  run.figure({
    what: `${what}, ${readers} readers: ${short(rate)} charges/s ÷ ${short(baseline)} counter updates/s = ${(rate / baseline).toFixed(2)}`,
    ...(compared.target === undefined ? {} : { target: `≥ ${short(compared.target)}/s`, met: rate >= compared.target }),
  });
  const here = median(ours.map(({ coresHere }) => coresHere));
  run.note([
    `${short(rate / cores)} charges/s and core: ${here.toFixed(2)} cores here, ${(cores - here).toFixed(2)} in PostgreSQL`,
  ]);
}

async function paid(run: Run, metering: Metering, key: ApiKey): Promise<void> {
  const read = { kind: 'live', gameUuid: randomUUID(), gameId: 'bench', firstSeq: 1, seq: 1, rows: 9 } as const;
  await metering.charge(key, read);
  const times = run.toy ? 1_000 : 1_000_000;
  const startedAt = performance.now();
  for (let time = 0; time < times; time += 1) {
    if (metering.charge(key, read) instanceof Promise)
      throw new Error('a read that is paid already waited for the ledger');
  }
  const micros = ((performance.now() - startedAt) * 1000) / times;
  run.figure({ what: `a read that is paid already: ${micros.toFixed(2)} µs, from memory` });
}

/** All readers do `work` again and again for `seconds`: how often, and the CPU it took. */
async function measure(sql: Sql, seconds: number, work: (reader: number) => Promise<void>): Promise<Rate> {
  const [cpu, others] = [process.cpuUsage(), await cpuOfDatabase(sql)];
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      while (performance.now() - startedAt < seconds * 1000) {
        await work(reader);
        done += 1;
      }
    }),
  );
  const passed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const there = (await cpuOfDatabase(sql)) - others;
  return { perSecond: done / passed, coresHere: (user + system) / 1e6 / passed, coresThere: there / passed };
}

/** CPU seconds used so far by the database's processes. */
async function cpuOfDatabase(sql: Sql): Promise<number> {
  const { rows } = await sql.query('select pid from pg_stat_activity where pid is not null');
  return rows.reduce((sum, { pid }) => sum + cpuOf(pid as number), 0);
}

const ticksPerSecond = 100;

function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) / ticksPerSecond;
  } catch {
    return 0;
  }
}

function meteringOn({ serving }: OpenedDrivers): Metering {
  const deadlines = openDeadlines(systemClock, silentLog, { catalog: 30_000, objects: 30_000 });
  return openMetering({
    ledger: serving.catalogs.ledger,
    journal: new MemoryJournal(),
    boardWeightMillionths: 0,
    newChargeId: randomUUID,
    site: { baseUrl: '' },
    deadlines,
    clock: systemClock,
    log: silentLog,
    limits: defaultLimits,
  });
}

async function accounts({ drivers }: OpenedDrivers, count: number): Promise<ApiKey[]> {
  const made: ApiKey[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = { id: randomUUID(), name: 'bench', tier: 'PRO', entitled: true, monthlyRows: 1e15 } as const;
    await drivers.catalogs.keys.createAccount(account);
    made.push({ ...account, id: `key ${index}`, accountId: account.id, state: 'active' });
  }
  return made;
}
