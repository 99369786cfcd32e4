// The catalog of final artifacts. One transaction changes the rows, the use of their objects and the notice, so that the live log stops
// being served at the same instant at which the final file starts (I16).
import type {
  Artifact,
  ArtifactsCatalog,
  LandedArtifact,
  Landing,
  ServedData,
} from '../../core/ports/catalog/artifacts.ts';
import type { ObjectKey } from '../../core/ports/object-store.ts';
import type { Micros } from '../../core/units.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { topics } from '../../schemas/events/topics.ts';
import { landedNotice, logWithSegments, micros, toServedLog } from './live-catalog.ts';
import type { Sql, SqlRow } from './sql.ts';
import { jsonParameter } from './values.ts';

export function openArtifactsCatalog(sql: Sql): ArtifactsCatalog {
  return {
    land: (gameUuid, artifacts) => sql.transaction((transaction) => landArtifacts(transaction, gameUuid, artifacts)),
    artifact: (gameUuid, dataset, version) => artifactOf(sql, gameUuid, dataset, version),
    versions: (gameUuid, dataset) => versionsOf(sql, gameUuid, dataset),
    served: (gameUuid) => servedData(sql, gameUuid),
  };
}

/**
 * The work of `land`, inside the caller's transaction. Only files that land count as uses of their objects: the objects of a late landing
 * are unused, and collected like those of any attempt that did not commit.
 */
export async function landArtifacts(
  sql: Sql,
  gameUuid: string,
  artifacts: readonly LandedArtifact[],
): Promise<Landing> {
  const { rows } = await sql.query(
    `with wanted as (
       select a.*, (select coalesce(max(h.version), 0) from artifacts h where h.game_uuid = $1::uuid and h.dataset = a.dataset) as newest
       from jsonb_to_recordset($2::jsonb)
         as a (dataset text, version integer, rows bigint, key text, "offset" bigint, size bigint, sha256 text, reason text)
     ), landed as (
       insert into artifacts (game_uuid, dataset, version, rows, key, byte_offset, size, sha256, reason)
       select $1::uuid, dataset, version, rows, key, "offset", size, sha256, reason
       from wanted order by dataset
       on conflict (game_uuid, dataset, version) do nothing
       returning dataset, version, rows, key, byte_offset + size as end_offset
     ), uses as (
       select key, max(end_offset) as size, count(*)::integer as files from landed group by key order by key
     ), used as (
       insert into objects (key, size, files) select key, size, files from uses
       on conflict (key) do update set files = objects.files + excluded.files where objects.files > 0
       returning key
     ), outgoing as (
       insert into outbox (topic, key, value)
       select '${topics.publications}', $1::uuid::text, jsonb_build_object('game_uuid', $1::uuid, 'kind', 'final', 'generation', 0,
         'version', version, 'seq', null, 'rows', rows, 'dataset', dataset)
       from landed order by dataset
     ), notices as (
       select pg_notify('serving', $1::uuid || ' ${landedNotice}') where exists (select from landed)
     )
     select (select count(*) from notices) as notices,
       array(select key from uses except select key from used) as given_up,
       array(select format('%s version %s after %s', dataset, version, newest) from wanted where version > newest + 1) as too_new,
       array(select dataset from landed order by dataset) as landed,
       array(select dataset from wanted except select dataset from landed order by dataset) as left_as_they_are`,
    [gameUuid, jsonParameter(artifacts.map(({ file, ...facts }) => ({ ...facts, ...file })))],
  );
  const outcome = rows[0] as Record<'given_up' | 'too_new' | 'landed' | 'left_as_they_are', string[]>;
  // The object may be deleted at any moment; nothing may depend on it again.
  if (outcome.given_up.length > 0) throw new Error(`objects given up for collection: ${outcome.given_up.join(', ')}`);
  if (outcome.too_new.length > 0)
    throw new Error(`versions that do not follow the newest: ${outcome.too_new.join(', ')}`);
  return { landed: outcome.landed, left: outcome.left_as_they_are };
}

const artifactColumns = 'game_uuid, dataset, version, rows, key, byte_offset, size, sha256, landed_at, reason';

async function artifactOf(
  sql: Sql,
  gameUuid: string,
  dataset: string,
  version: number | null,
): Promise<Artifact | null> {
  const { rows } = await sql.query(
    `select ${artifactColumns} from artifacts where game_uuid = $1 and dataset = $2 and version = coalesce($3, version)
     order by version desc limit 1`,
    [gameUuid, dataset, version],
    'artifact',
  );
  return rows[0] === undefined ? null : toArtifact(rows[0]);
}

async function versionsOf(sql: Sql, gameUuid: string, dataset: string): Promise<Artifact[]> {
  const { rows } = await sql.query(
    `select ${artifactColumns} from artifacts where game_uuid = $1 and dataset = $2 order by version desc`,
    [gameUuid, dataset],
    'artifact_versions',
  );
  return rows.map(toArtifact);
}

async function servedData(sql: Sql, gameUuid: string): Promise<ServedData> {
  const { rows } = await sql.query(
    `select log.*, (
       select coalesce(jsonb_agg(jsonb_build_object('game_uuid', a.game_uuid, 'dataset', a.dataset, 'version', a.version, 'rows', a.rows,
         'key', a.key, 'byte_offset', a.byte_offset, 'size', a.size, 'sha256', a.sha256, 'landed_at', ${micros('a.landed_at')},
         'reason', a.reason) order by a.dataset), '[]')
       from (select distinct on (v.dataset) v.* from artifacts v where v.game_uuid = $1 order by v.dataset, v.version desc) as a
     ) as artifacts,
     (select n.first_seq from settlements s join live_logs n
        on n.game_uuid = s.game_uuid and n.generation = (s.closed ->> 'generation')::integer
      where s.game_uuid = $1) as closed_from
     from (select) as once left join lateral (
       ${logWithSegments}
       where l.game_uuid = $1
         and not exists (select from artifacts f where f.game_uuid = $1 and f.dataset = '${sportsbookLines.name}')
       order by l.generation desc limit 1
     ) as log on true`,
    [gameUuid],
    'served_data',
  );
  const row = rows[0] as SqlRow;
  return {
    log: row.game_uuid === null ? null : toServedLog(row),
    closedFrom: row.closed_from as number | null,
    artifacts: (row.artifacts as SqlRow[]).map(toArtifact),
  };
}

function toArtifact(row: SqlRow): Artifact {
  return {
    gameUuid: row.game_uuid as string,
    dataset: row.dataset as string,
    version: row.version as number,
    rows: row.rows as number,
    file: {
      key: row.key as ObjectKey,
      offset: row.byte_offset as number,
      size: row.size as number,
      sha256: row.sha256 as string,
    },
    landedAt: row.landed_at as Micros,
    reason: row.reason as string,
  };
}
