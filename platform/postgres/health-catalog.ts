// The health reports, one row per process. The reporter is this catalog object: a process that opens several reports several times.

import type { HealthReport, Reason } from '../../core/health/reason.ts';
import type { HealthCatalog } from '../../core/ports/catalog/health.ts';
import { newUuid } from '../process/ids.ts';
import { newestMigration } from './migrate.ts';
import type { Sql } from './sql.ts';
import { jsonParameter } from './values.ts';

export function openHealthCatalog(sql: Sql): HealthCatalog {
  const instance = newUuid();
  return {
    async report({ roles, reasons }) {
      await sql.query(
        `with old as (delete from health_reports where reported_at < now() - interval '1 minute' and instance <> $1)
         insert into health_reports (instance, roles, reasons, newest_migration, reported_at) values ($1, $2, $3, $4, now())
         on conflict (instance) do update
           set roles = excluded.roles, reasons = excluded.reasons, newest_migration = excluded.newest_migration,
             reported_at = excluded.reported_at`,
        [instance, roles, jsonParameter(reasons), newestMigration()],
        'report_health',
      );
    },
    async reports() {
      const { rows } = await sql.query(
        `select roles, reasons from health_reports
         where instance <> $1 and reported_at > now() - interval '10 seconds' order by roles, instance`,
        [instance],
        'health_reports',
      );
      return rows.map((row): HealthReport => ({ roles: row.roles as string, reasons: row.reasons as Reason[] }));
    },
    async withdraw() {
      await sql.query('delete from health_reports where instance = $1', [instance]);
    },
  };
}
