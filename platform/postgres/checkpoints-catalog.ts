// Who owns a partition and how far it is committed: the rows behind the fence of every commit.
import type {
  CheckpointsCatalog,
  Claim,
  ProgressCatalog,
  SavedState,
  Snapshot,
  StoredCheckpoint,
  StreamKey,
} from '../../core/ports/catalog/checkpoints.ts';
import type { Sql, SqlRow } from './sql.ts';
import { textParameter } from './values.ts';

export function openCheckpointsCatalog(sql: Sql): CheckpointsCatalog & ProgressCatalog {
  return {
    claim: (stream, ownerId) => claimStream(sql, stream, ownerId),
    position: (stream) => positionOf(sql, stream),
    nextOffsets: (projector, topic) => nextOffsetsOf(sql, projector, topic),
    halt: (stream, ownerEpoch, reason) => haltStream(sql, stream, ownerEpoch, reason),
  };
}

async function claimStream(sql: Sql, stream: StreamKey, ownerId: string): Promise<Claim> {
  const { rows } = await sql.query(
    `insert into stream_state (projector, topic, partition, owner_epoch, owner_id) values ($1, $2, $3, 1, $4)
     on conflict (projector, topic, partition) do update
       set owner_epoch = stream_state.owner_epoch + 1, owner_id = excluded.owner_id, updated_at = now(), halted = null
     returning owner_epoch, next_offset, encode(fold_digest, 'hex') as fold_digest, snapshot_key, snapshot_offset,
       older_snapshots, log_version`,
    [stream.projector, stream.topic, stream.partition, ownerId],
  );
  const row = rows[0] as SqlRow;
  return {
    ownerEpoch: row.owner_epoch as number,
    nextOffset: row.next_offset as number,
    foldDigest: row.fold_digest as string | null,
    snapshot: snapshotOf(row),
    logVersion: row.log_version as string | null,
  };
}

function snapshotOf({ snapshot_key: key, snapshot_offset: offset, older_snapshots: older }: SqlRow): Snapshot | null {
  return key === null ? null : { key: key as string, offset: offset as number, older: older as SavedState[] };
}

async function haltStream(sql: Sql, stream: StreamKey, ownerEpoch: number, reason: string): Promise<void> {
  await sql.query(
    `update stream_state set halted = $5, updated_at = now()
     where projector = $1 and topic = $2 and partition = $3 and owner_epoch = $4`,
    [stream.projector, stream.topic, stream.partition, ownerEpoch, textParameter(reason)],
  );
}

async function positionOf(sql: Sql, stream: StreamKey): Promise<StoredCheckpoint | null> {
  const { rows } = await sql.query(
    `select owner_epoch, next_offset, encode(fold_digest, 'hex') as fold_digest from stream_state
     where projector = $1 and topic = $2 and partition = $3`,
    [stream.projector, stream.topic, stream.partition],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    ownerEpoch: row.owner_epoch as number,
    nextOffset: row.next_offset as number,
    foldDigest: row.fold_digest as string | null,
  };
}

async function nextOffsetsOf(sql: Sql, projector: string, topic: string): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql.query(
    'select partition, next_offset from stream_state where projector = $1 and topic = $2',
    [projector, topic],
    'next_offsets',
  );
  return new Map(rows.map((row) => [row.partition as number, row.next_offset as number]));
}
