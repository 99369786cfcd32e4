// Logs that an earlier release wrote: the facts and boards of their sportsbooks are served as before.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { migrate, readMigrations } from '../../../platform/postgres/migrate.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const facts = (lastRow: number, source: string) => ({ last_row_at: lastRow, observed_through: null, source });

const boardsOf = (operators: object) =>
  Object.keys(operators).map((operator, index) => {
    const file = { key: `flushes/${index}` as ObjectKey, offset: 10 * index, size: 9, sha256: 'ab'.repeat(32) };
    return { operator, rows: index, file };
  });

const cases = [
  {},
  { DRAFTKINGS: facts(1_786_000_000_123_456, 'feed') },
  { BETMGM: facts(2, 'feed'), CAESARS: facts(1, 'feed'), DRAFTKINGS: facts(2, 'feed'), FANDUEL: facts(2, 'other') },
];

for (const server of await allTestServers()) {
  describe(`logs of before on ${server.name}`, skipFor(server.skip), () => {
    it('keep the facts and the board of each sportsbook', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const all = readMigrations();
      const own = all.findIndex(({ name }) => name === 'shared_facts');
      await migrate(sql, silentLog, all.slice(0, own));
      const games = cases.map((operators) => ({ uuid: randomUUID(), operators }));
      for (const { uuid, operators } of games)
        await sql.query(
          `insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, updated_at, owner_epoch, boards,
             operators, open_offer, receive_timed)
           values ($1, 1, 1, 0, 1, 0, now(), 1, $3, $2, true, true)`,
          [uuid, JSON.stringify(operators), JSON.stringify(boardsOf(operators))],
        );
      await migrate(sql, silentLog, all);
      const live = openLiveCatalog(sql);
      for (const { uuid, operators } of games) {
        const log = await live.servedLog(uuid);
        assert.deepEqual(log?.operators, operators);
        assert.deepEqual(log?.boards, boardsOf(operators));
      }
    });
  });
}
