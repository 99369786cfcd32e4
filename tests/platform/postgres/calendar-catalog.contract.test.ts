// The clock of the catalog and the month that DEMO shows where none is configured: docs/interface.md#history-windows.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import type { CalendarCatalog } from '../../../core/ports/catalog/calendar.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { openArtifactsCatalog } from '../../../platform/postgres/artifacts-catalog.ts';
import { openCalendarCatalog } from '../../../platform/postgres/calendar-catalog.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of await allTestServers()) {
  describe(`the calendar on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let calendar: CalendarCatalog;
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      calendar = openCalendarCatalog(sql);
      await openGamesCatalog(sql).seedTeams();
    });

    /** A game at about noon of that date in New York. */
    async function gameOf(date: string): Promise<string> {
      const [resolution] = await openGamesCatalog(sql).resolve('tests', [
        {
          by: 'event',
          league: 'MLB',
          eventId: `event of ${date}`,
          homeTeam: 'New York Yankees',
          awayTeam: 'Boston Red Sox',
          commenceTime: Date.parse(`${date}T17:00:00Z`) * 1_000,
        },
      ]);
      assert.equal(resolution?.kind, 'resolved');
      return resolution.kind === 'resolved' ? resolution.game.uuid : '';
    }

    async function settle(gameUuid: string): Promise<void> {
      const file = { key: `finals/${gameUuid}` as ObjectKey, offset: 0, size: 1, sha256: 'ab'.repeat(32) };
      const lines = { dataset: 'closing-lines', version: 1, rows: 1, file, reason: 'settled' };
      await openArtifactsCatalog(sql).land(gameUuid, [lines]);
    }

    /** The month before the month of a date. */
    function monthBefore(month: string): string {
      const [year, number] = month.split('-').map(Number) as [number, number];
      return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
    }

    it("is the database's clock", async () => {
      const { now } = await calendar.calendar();
      assert.ok(Math.abs(now - Date.now() * 1_000) < 60_000_000);
    });

    it('names the newest month that was over and holds a settled game', async () => {
      assert.equal((await calendar.calendar()).newestSettledMonth, null);
      const present = easternDate((await calendar.calendar()).now).slice(0, 7);
      const last = monthBefore(present);
      const older = monthBefore(last);
      await settle(await gameOf(`${present}-01`));
      assert.equal((await calendar.calendar()).newestSettledMonth, null, 'a month that goes on is not over');
      const unsettled = await gameOf(`${last}-27`);
      await settle(await gameOf(`${older}-03`));
      assert.equal((await calendar.calendar()).newestSettledMonth, older, 'games that have not settled do not count');
      await settle(unsettled);
      assert.equal((await calendar.calendar()).newestSettledMonth, last);
      await settle(await gameOf(`${monthBefore(older)}-15`));
      assert.equal((await calendar.calendar()).newestSettledMonth, last);
    });
  });
}
