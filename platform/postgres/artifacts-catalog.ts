// The catalog of final artifacts. Landing moves all at once — the rows, the use of their objects, the notice —, so that the instant
// at which a game's live log is served no more is the one at which its final file is (I16).
import type { Artifact, ArtifactsCatalog, LandedArtifact, ServedData } from '../../core/ports/catalog/artifacts.ts';
import type { Micros } from '../../core/units.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { topics } from '../../schemas/events/topics.ts';
import { landedNotice, logWithSegments, micros, toServedLog } from './live-catalog.ts';
import type { Row, Sql } from './sql.ts';
import { jsonParameter } from './values.ts';

export function openArtifactsCatalog(sql: Sql): ArtifactsCatalog {
  return {
    land: (gameUuid, artifacts) => sql.transaction((transaction) => landArtifacts(transaction, gameUuid, artifacts)),
    artifact: (gameUuid, dataset) => artifactOf(sql, gameUuid, dataset),
    served: (gameUuid) => servedData(sql, gameUuid),
  };
}

/**
 * What `land` does, within a transaction of the caller. Only files that land count as uses of their objects: those of a landing that
 * came too late are nobody's, and are collected like any attempt that did not commit.
 */
export async function landArtifacts(sql: Sql, gameUuid: string, artifacts: readonly LandedArtifact[]): Promise<void> {
  const { rows } = await sql.query(
    `with landed as (
       insert into artifacts (game_uuid, dataset, rows, key, byte_offset, size, sha256)
       select $1::uuid, a.dataset, a.rows, a.key, a."offset", a.size, a.sha256
       from jsonb_to_recordset($2::jsonb) as a (dataset text, rows bigint, key text, "offset" bigint, size bigint, sha256 text)
       order by a.dataset
       on conflict (game_uuid, dataset) do nothing
       returning dataset, rows, key, byte_offset + size as reach
     ), uses as (
       select key, max(reach) as size, count(*)::integer as files from landed group by key order by key
     ), used as (
       insert into objects (key, size, files) select key, size, files from uses
       on conflict (key) do update set files = objects.files + excluded.files where objects.files > 0
       returning key
     ), outgoing as (
       insert into outbox (topic, key, value)
       select '${topics.publications}', $1::uuid::text, jsonb_build_object('game_uuid', $1::uuid, 'kind', 'final', 'generation', 0,
         'version', 0, 'seq', null, 'rows', rows, 'dataset', dataset)
       from landed order by dataset
     ), notices as (
       select pg_notify('serving', $1::uuid || ' ${landedNotice}') where exists (select from landed)
     )
     select (select count(*) from notices) as notices, array(select key from uses except select key from used) as given_up`,
    [gameUuid, jsonParameter(artifacts.map(({ dataset, rows: count, file }) => ({ dataset, rows: count, ...file })))],
  );
  const givenUp = rows[0]?.given_up as string[];
  // Its bytes may be gone at any moment; nothing may come to depend on them again.
  if (givenUp.length > 0) throw new Error(`objects given up for collection: ${givenUp.join(', ')}`);
}

const artifactColumns = 'game_uuid, dataset, rows, key, byte_offset, size, sha256, landed_at';

async function artifactOf(sql: Sql, gameUuid: string, dataset: string): Promise<Artifact | null> {
  const { rows } = await sql.query(
    `select ${artifactColumns} from artifacts where game_uuid = $1 and dataset = $2`,
    [gameUuid, dataset],
    'artifact',
  );
  return rows[0] === undefined ? null : toArtifact(rows[0]);
}

async function servedData(sql: Sql, gameUuid: string): Promise<ServedData> {
  const { rows } = await sql.query(
    `select log.*, (
       select coalesce(jsonb_agg(jsonb_build_object('game_uuid', a.game_uuid, 'dataset', a.dataset, 'rows', a.rows, 'key', a.key,
         'byte_offset', a.byte_offset, 'size', a.size, 'sha256', a.sha256, 'landed_at', ${micros('a.landed_at')}) order by a.dataset), '[]')
       from artifacts a where a.game_uuid = $1) as artifacts
     from (select) as once left join lateral (
       ${logWithSegments}
       where l.game_uuid = $1
         and not exists (select from artifacts f where f.game_uuid = $1 and f.dataset = '${sportsbookLines.name}')
       order by l.generation desc limit 1
     ) as log on true`,
    [gameUuid],
    'served_data',
  );
  const row = rows[0] as Row;
  return {
    log: row.game_uuid === null ? null : toServedLog(row),
    artifacts: (row.artifacts as Row[]).map(toArtifact),
  };
}

function toArtifact(row: Row): Artifact {
  return {
    gameUuid: row.game_uuid as string,
    dataset: row.dataset as string,
    rows: row.rows as number,
    file: {
      key: row.key as string,
      offset: row.byte_offset as number,
      size: row.size as number,
      sha256: row.sha256 as string,
    },
    landedAt: row.landed_at as Micros,
  };
}
