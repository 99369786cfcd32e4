// The progress of rebuilds as notices: a command hears the projector that carries its order out, wherever either runs.
import type { RebuildProgress, RebuildsCatalog } from '../../core/ports/catalog/rebuilds.ts';
import type { Sql } from './sql.ts';
import { jsonParameter } from './values.ts';

const channel = 'rebuilds';

export function openRebuildsCatalog(sql: Sql): RebuildsCatalog {
  return {
    async tellProgress(progress) {
      await sql.query('select pg_notify($1, $2)', [channel, jsonParameter(progress)]);
    },
    watchProgress: (onProgress) =>
      sql.listen(
        channel,
        (payload) => onProgress(JSON.parse(payload) as RebuildProgress),
        () => {},
      ),
  };
}
