// The revisions of a game's `game-state` stream, each with its row as it then was: from the archives, and from what no archive holds yet. So a
// timeline can be built at any time, whatever is still listed.
import type { ArchiveDocument } from '../../core/msf/streams/archive-document.ts';
import type { FilePart, ServedStream } from '../../core/ports/catalog/msf.ts';
import { parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { GameStateRow } from '../../schemas/datasets/game-state.ts';
import { committedFile } from './committed-file.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

type GameStateRevision = {
  epoch: string;
  revision: number;
  sourceUpdatedAt: Micros;
  /** Null: the stream had no row then. */
  row: GameStateRow | null;
};

type Change = Omit<GameStateRevision, 'row'> & { kind: string; files: readonly FilePart[] };

const readsAtOnce = 8;
const revisionsPerQuery = 500;

/** Those of the stream's current epoch above `after` up to its head that may have changed the row, in order. @throws InputDamaged */
export async function* gameStateRevisions(
  tools: Pick<SettlementTools, 'msf' | 'history' | 'objects' | 'parquet'>,
  stream: ServedStream,
  after: number,
): AsyncGenerator<GameStateRevision> {
  let waiting: Change[] = [];
  for await (const change of changesOf(tools, stream)) {
    // A game has one row, so a change of it replaces the state; any other kind changes none.
    if (change.kind === 'replace' && change.revision > after) waiting.push(change);
    if (waiting.length < readsAtOnce) continue;
    yield* await Promise.all(waiting.map((each) => readRow(tools, each)));
    waiting = [];
  }
  yield* await Promise.all(waiting.map((each) => readRow(tools, each)));
}

async function* changesOf(
  { msf, history }: Pick<SettlementTools, 'msf' | 'history'>,
  { scopeUuid, dataset, epoch, head }: ServedStream,
): AsyncGenerator<Change> {
  let reached = 0;
  for (const archive of await history.archives({ scopeUuid, dataset }, epoch)) {
    const { revisions } = JSON.parse(archive.document) as ArchiveDocument;
    for (const { revision, revision_kind: kind, source_observation: source } of revisions) {
      const files = archive.changes.find((change) => change.revision === revision)?.files ?? [];
      const sourceUpdatedAt = parseRfc3339(source.source_updated_at);
      if (sourceUpdatedAt === null) throw new InputDamaged(`archive ${archive.id} has a revision without a time`);
      yield { epoch, revision, sourceUpdatedAt, kind, files };
      reached = revision;
    }
  }
  const through = head?.revision ?? 0;
  while (reached < through) {
    const query = { scopeUuid, dataset, epoch, after: reached, through, limit: revisionsPerQuery };
    const revisions = await msf.revisions(query);
    if (revisions[0]?.revision !== reached + 1) {
      throw new InputDamaged(`revision ${reached + 1} of ${dataset} ${scopeUuid} is in no archive and not listed`);
    }
    for (const { revision, kind, sourceObservation, changeFiles } of revisions) {
      const { source_updated_at: sourceUpdatedAt } = sourceObservation;
      yield { epoch, revision, sourceUpdatedAt, kind, files: changeFiles };
      reached = revision;
    }
  }
}

async function readRow(
  { objects, parquet }: Pick<SettlementTools, 'objects' | 'parquet'>,
  { epoch, revision, sourceUpdatedAt, files }: Change,
): Promise<GameStateRevision> {
  const rows = [];
  for (const { file } of files) rows.push(...parquet.decodeOwnColumns(await committedFile(objects, file)).rows);
  return { epoch, revision, sourceUpdatedAt, row: (rows[0] ?? null) as GameStateRow | null };
}
