// Claim: the database alone decides in which layout of the log a game is founded, once, and its answer about a key never changes, for any
// process at any time (docs/operations.md#adding-partitions).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import { foundedUuid } from '../../../core/games/founding.ts';
import type { GameLookup } from '../../../core/ports/catalog/games.ts';
import type { LogLayout, LogLayoutsCatalog } from '../../../core/ports/catalog/log-layouts.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { openHealthCatalog } from '../../../platform/postgres/health-catalog.ts';
import { openLogLayoutsCatalog } from '../../../platform/postgres/log-layouts-catalog.ts';
import {
  heldMigrations,
  MigrationRefused,
  readMigrations,
  schemaDistance,
} from '../../../platform/postgres/migrate.ts';
import { openOperationsCatalog } from '../../../platform/postgres/operations-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { growingTopics, topics } from '../../../schemas/events/topics.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const { quotes, observations } = topics;

const layoutOf = (layout: number, partitions: number): LogLayout => ({
  layout,
  partitions: { [quotes]: partitions, [observations]: partitions },
});

let days = 0;
/** An event that founds a game of its own. */
function event(eventId: string): GameLookup {
  days += 5;
  const teams = { league: 'MLB', homeTeam: 'New York Yankees', awayTeam: 'Boston Red Sox' };
  return { by: 'event', eventId, ...teams, commenceTime: (Date.UTC(2026, 3, 1) + days * 86_400_000) * 1000 };
}

for (const server of await allTestServers()) {
  describe(`layouts of the log on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let layouts: LogLayoutsCatalog;
    const found = async (eventId: string): Promise<string> => {
      const [resolution] = await openGamesCatalog(sql).resolve('feed', [event(eventId)]);
      assert.equal(resolution?.kind, 'resolved');
      return resolution.kind === 'resolved' ? resolution.game.uuid : '';
    };
    const countOf = async (uuid: string, topic: typeof quotes | typeof observations = quotes) =>
      (await layouts.placing(topic, [uuid])).counts.get(uuid);
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      layouts = openLogLayoutsCatalog(sql);
      await openGamesCatalog(sql).seedTeams();
    });

    it('begin with what the first process finds, for each topic', async () => {
      const early = await found('before-all');
      assert.deepEqual(await layouts.placing(quotes, [early]), { first: null, counts: new Map() });
      assert.equal(await layouts.newest(), null);
      assert.equal(await layouts.begin(quotes, 4), 4);
      assert.equal(await layouts.begin(quotes, 9), 4, 'a process that finds more partitions changes nothing');
      assert.equal(await layouts.newest(), null, 'the other topic is not recorded');
      assert.equal(await layouts.add(layoutOf(1, 8), 'admin'), false);
      assert.equal(await layouts.begin(observations, 4), 4);
      assert.deepEqual(await layouts.newest(), layoutOf(0, 4));
      assert.deepEqual(await layouts.placing(quotes, [early, 'no UUID']), { first: 4, counts: new Map([[early, 4]]) });
    });

    /** Starts the release without layouts, which refuses what it cannot work with. */
    const startFormer = async (): Promise<void> => {
      const former = readMigrations().filter(({ number }) => number < 34);
      schemaDistance(await heldMigrations(sql), former);
    };

    it('name the processes of older releases that run, and keep others from starting', async () => {
      await openHealthCatalog(sql).report({ roles: 'projectors', reasons: [] });
      assert.deepEqual(await layouts.olderProcesses(), [], 'this release knows layouts');
      // As older releases report.
      await sql.query(
        `insert into health_reports (instance, roles, reasons, reported_at) values
           (gen_random_uuid(), 'ingest', '[]', now()), (gen_random_uuid(), 'ticker', '[]', now() - interval '11 seconds')`,
      );
      assert.deepEqual(
        (await layouts.olderProcesses()).map(({ roles }) => roles),
        ['ingest'],
        'the other one has ended',
      );
      await sql.query('update health_reports set newest_migration = 33');
      assert.equal((await layouts.olderProcesses()).length, 2);
      await sql.query('delete from health_reports');

      await startFormer();
      await layouts.keepOlderOut();
      await assert.rejects(startFormer(), MigrationRefused, 'it would divide by the partitions that it finds');
      schemaDistance(await heldMigrations(sql));
      await sql.query('update schema_migrations set serves_from = 26 where number = 34');
    });

    it('are added one by one, with an audit row; games keep theirs, and new ones have the newest', async () => {
      const before = await found('before');
      await startFormer();
      assert.equal(await layouts.add(layoutOf(2, 8), 'admin'), false, 'layout 1 is missing');
      assert.equal(await layouts.add(layoutOf(1, 8), 'admin'), true);
      assert.equal(await layouts.add(layoutOf(1, 9), 'admin'), false, 'another command was faster');
      await assert.rejects(
        startFormer(),
        MigrationRefused,
        'an older release would divide by the number of partitions it finds',
      );
      const after = await found('after');
      for (const topic of growingTopics) {
        assert.equal(await countOf(before, topic), 4);
        assert.equal(await countOf(after, topic), 8);
      }
      assert.deepEqual(await layouts.newest(), layoutOf(1, 8));
      const any = { before: null, limit: 10, subject: null, actor: null, from: null, to: null };
      const rows = await openOperationsCatalog(sql).audited({ ...any, action: 'log grow' });
      assert.deepEqual(
        rows.map(({ actor, subject, detail }) => [actor, subject, detail]),
        [['admin', 'layout 1', { before: layoutOf(0, 4).partitions, after: layoutOf(1, 8).partitions }]],
      );
    });

    it('keep the first one for a key that was asked for before its game was founded', async () => {
      const uuid = foundedUuid('feed', 'foreseen', 0);
      assert.equal(await countOf(uuid), 4, 'no game is founded under it yet');
      assert.equal(await found('foreseen'), uuid);
      assert.equal(await countOf(uuid), 4);
      const league = randomUUID();
      assert.deepEqual([await countOf(league), await countOf(league)], [4, 4]);
    });

    it('give one answer to all, while games are founded, asked for and a layout is added', async () => {
      const names = Array.from({ length: 20 }, (_, number) => `race-${number}`);
      const ask = (name: string) => countOf(foundedUuid('feed', name, 0));
      const asked = names.map(async (name, number) => {
        if (number % 2 === 0) await found(name);
        return ask(name);
      });
      const added = layouts.add(layoutOf(2, 16), 'admin');
      const founded = names.map((name, number) => (number % 2 === 0 ? ask(name) : found(name)));
      const first = await Promise.all(asked);
      await Promise.all(founded);
      assert.ok(await added);
      assert.deepEqual(await Promise.all(names.map(ask)), first);
    });

    it('of a game that an older release founds is the first', async () => {
      const id = randomUUID();
      await sql.query(
        `insert into games (id, league, home_name, away_name, founder_source, first_start, scheduled_start)
         values ($1, 'MLB', 'a', 'b', 'feed', now(), now())`,
        [id],
      );
      assert.equal(await countOf(id), 4);
    });
  });
}
