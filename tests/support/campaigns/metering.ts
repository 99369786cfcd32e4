// Readers read growing logs through API processes that the campaign kills, over a database that it freezes and kills.
// At the end each reader repeats the requests that got no answer. Every account must have been billed for exactly the
// distinct rows that it read, and never beyond its quota.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { openKeysCatalog } from '../../../platform/postgres/keys-catalog.ts';
import { openLedger } from '../../../platform/postgres/ledger.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { migrate } from '../../../platform/postgres/migrate.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { freePort } from '../services/ports.ts';
import { services } from '../services/services.ts';
import { until } from '../services/until.ts';
import { GrowingLogs } from './growing-logs.ts';
import { Readers, type Reading } from './metered-readers.ts';
import { Program } from './program.ts';

export type MeteringCampaign = {
  seed: number;
  clients: number;
  kills: number;
  /** How often the database is frozen or killed; never while logs grow. */
  outages: number;
  say(line: string): void;
};

export type MeteringFigures = {
  requests: number;
  lost: number;
  kills: number;
  outages: number;
  /** Reads served while the ledger was unreachable. */
  owed: number;
  rows: number;
  billed: number;
};

const pepper = { version: 1, secret: Buffer.alloc(32, 7) };
const pairs = [
  ['New York Yankees', 'St. Louis Cardinals'],
  ['Boston Red Sox', 'Baltimore Orioles'],
  ['Chicago Cubs', 'Atlanta Braves'],
] as const;

/** Runs the campaign. A string says which service is missing. */
export async function meteringCampaign(options: MeteringCampaign): Promise<MeteringFigures | string> {
  await using closing = new AsyncDisposableStack();
  const random = seededRandom(options.seed);
  const postgres = closing.use(await services.own.postgres());
  if (postgres.skip !== false) return postgres.skip;
  const folder = makeDataFolder('metering');
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await postgres.createMigratedDatabase();
  const sql = openPool({ connection: database.url, maxConnections: 6, applicationName: 'campaign' });
  closing.defer(() => sql.close());
  await migrate(sql, silentLog);
  const [keys, ledger] = [openKeysCatalog(sql), openLedger(sql)];
  const objects = await openDiskStore(join(folder, 'objects'));
  closing.defer(() => objects.close());
  const logs = new GrowingLogs({ live: openLiveCatalog(sql), checkpoints: openCheckpointsCatalog(sql) }, objects);
  await logs.found(openGamesCatalog(sql), pairs);
  for (const game of logs.games) await logs.grow(game, 130);

  const quota = options.outages > 0 ? null : 900;
  const accounts = [await newAccount(null), await newAccount(quota)];
  async function newAccount(monthlyRows: number | null) {
    const id = randomUUID();
    await keys.createAccount({ id, name: 'reader', tier: 'PRO', entitled: true, monthlyRows });
    const minted = await Promise.all([1, 2].map(() => mintApiKey(keys, [pepper], id)));
    return { id, monthlyRows, keys: minted.flatMap((each) => (each.kind === 'minted' ? [each.plaintext] : [])) };
  }

  const programs: { program: Program; url: string }[] = [];
  for (const name of ['one', 'other']) {
    const port = await freePort();
    const environment = {
      SDS_EDITION: 'embedded',
      SDS_DATA_DIR: folder,
      DATABASE_URL: database.url,
      SDS_KEY_PEPPERS: `1:${pepper.secret.toString('base64')}`,
      SDS_API_PORT: String(port),
      SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
      SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
    };
    const program = new Program(name, environment, { roles: ['api'] });
    closing.defer(() => program.kill());
    programs.push({ program, url: `http://127.0.0.1:${port}` });
    program.start();
  }
  for (const { program } of programs) await program.untilReady();

  const readers = new Readers(
    logs,
    programs.map(({ url }) => url),
    random,
  );
  const ending = new AbortController();
  const reading = Array.from({ length: options.clients }, (_, index) =>
    readers.readUntil(ending.signal, accounts[index % accounts.length] as Reading),
  );
  const watching = watchQuota();
  async function watchQuota(): Promise<void> {
    while (!ending.signal.aborted) {
      for (const { id, monthlyRows } of accounts) {
        if (monthlyRows === null) continue;
        const { usedRows } = await ledger.usage(id);
        assert.ok(usedRows <= monthlyRows, `${usedRows} of ${monthlyRows}`);
      }
      await delay(50);
    }
  }

  for (let round = 0; round < Math.max(options.kills, options.outages); round += 1) {
    for (let step = 0; step < 6; step += 1) {
      await logs.grow(random.pick(logs.games), 1 + random.integer(70));
      await delay(20 + random.integer(80));
    }
    if (round < options.outages) await outage(round % 2 === 0 ? 'freeze' : 'kill', random);
    if (round < options.kills) {
      const { program } = random.pick(programs);
      await program.kill();
      await delay(random.integer(200));
      program.start();
      await program.untilReady();
    }
    options.say(`${round + 1}: ${readers.requests} requests, ${readers.lost} without an answer`);
  }

  /**
   * Fails the database while there are unpaid rows to read. With a frozen database, a request that waits notices it,
   * and the instance serves from memory for some seconds more; a killed one is noticed at once.
   */
  async function outage(how: 'freeze' | 'kill', choice: Random): Promise<void> {
    for (const game of logs.games) await logs.grow(game, 600);
    await delay(100);
    if (how === 'freeze') {
      await postgres.freeze();
      await delay(4_500);
      await postgres.resume();
    } else {
      await postgres.kill();
      await delay(2_000);
      if (choice.chance(0.5)) await choice.pick(programs).program.kill();
      await postgres.restart();
      for (const { program } of programs) if (!program.running) program.start();
      for (const { program } of programs) await program.untilReady();
    }
    await until('the database is back', () => sql.query('select 1').then(() => true));
  }

  ending.abort();
  await Promise.all([...reading, watching]);
  await readers.askAgain();
  await until('what is owed is debited', () => owedFiles(folder) === 0);

  const figures: MeteringFigures = {
    requests: readers.requests,
    lost: readers.lost,
    kills: programs.reduce((sum, { program }) => sum + program.ends.length, 0),
    outages: options.outages,
    owed: owedReads(programs.map(({ program }) => program)),
    rows: 0,
    billed: 0,
  };
  for (const { id, monthlyRows } of accounts) {
    const { usedRows, items } = await ledger.items(id, null);
    const rows = readers.distinctRows(id);
    assert.equal(usedRows, rows, `seed ${options.seed}: billed and read by ${id}`);
    assert.equal(
      items.reduce((sum, item) => sum + item.rows, 0),
      usedRows,
    );
    assert.ok(readers.debited(id) <= usedRows || options.outages > 0, 'no answer names a larger debit than was billed');
    assert.ok(monthlyRows === null || usedRows <= monthlyRows);
    figures.rows += rows;
    figures.billed += usedRows;
  }
  assert.deepEqual(await ledger.reconcile(), []);
  for (const { program } of programs) await program.kill();
  return figures;
}

function owedFiles(folder: string): number {
  const owed = join(folder, 'owed');
  if (!existsSync(owed)) return 0;
  return readdirSync(owed, { recursive: true }).filter((name) => String(name).endsWith('.journal')).length;
}

function owedReads(programs: readonly Program[]): number {
  const said = programs.flatMap(({ said: lines }) => lines as readonly { msg: string; reads?: number }[]);
  return said.reduce((sum, { msg, reads = 0 }) => sum + (msg === 'reads of an outage are paid' ? reads : 0), 0);
}

export function describeMetering({ requests, lost, kills, outages, owed, rows, billed }: MeteringFigures): string {
  return `${requests} requests, ${lost} without an answer, ${kills} kills, ${outages} outages with ${owed} reads on grace: ${rows} distinct rows read, ${billed} billed`;
}
