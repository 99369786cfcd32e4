// Publishes the log of a game to a fake catalog as a projector would: real Parquet of its segments and boards, and its
// manifest facts. The files are also written to a folder, for readers outside this code base.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import type { GameState } from '../../../core/live/game-state.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type FakeCatalog, someTime } from '../fakes/api-fakes.ts';

export type LogOfGame = { state: GameState; rows: readonly QuoteRow[]; segments: readonly number[] };

/** The paths of the files. */
export type PublishedFiles = { segments: string[]; boards: string[] };

const none = new Map<string, string>();

/** Publishes version `version`; only its last segment is open. */
export async function publishLog(
  to: { catalog: FakeCatalog; objects: Pick<ObjectStore, 'put'>; folder: string },
  { state, rows, segments }: LogOfGame,
  version: number,
): Promise<PublishedFiles> {
  const { operators, ...facts } = liveFacts(state);
  const paths: PublishedFiles = { segments: [], boards: [] };

  async function put(
    kind: keyof PublishedFiles,
    dataset: string,
    name: string,
    of: readonly object[],
  ): Promise<FileRef> {
    const bytes = Buffer.from(parquetWriter.encode(dataset, of as readonly ParquetRow[], none));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `${state.uuid}/${version}/${name}` as ObjectKey;
    await to.objects.put(key, bytes);
    const path = join(to.folder, `${state.uuid}-${version}-${name}.parquet`);
    writeFileSync(path, bytes);
    paths[kind].push(path);
    return { key, offset: 0, size: bytes.length, sha256 };
  }

  const cut: ServedLog['closed'][number][] = [];
  let from = 0;
  for (const [index, count] of segments.entries()) {
    const seq = state.firstSeq + index;
    const own = rows.slice(from, from + count);
    from += count;
    const { key, size, sha256 } = await put('segments', 'sportsbook-lines', `segment-${seq}`, own);
    const times = own.map(({ timestamp }) => timestamp);
    const bounds = { min_timestamp: Math.min(...times), max_timestamp: Math.max(...times) };
    cut.push({ seq, rows: count, ...bounds, key, size, sha256 });
  }
  const boards = [];
  for (const { code } of operatorsWithRows(state)) {
    const own = boardRows(state, code);
    boards.push({ operator: code, rows: own.length, file: await put('boards', 'board', `board-${code}`, own) });
  }
  const last = cut.at(-1);
  to.catalog.commit({
    ...{ gameUuid: state.uuid, generation: facts.generation, version, firstSeq: facts.firstSeq },
    ...{ rows: rows.length, appliedThrough: facts.appliedThrough, updatedAt: someTime, boards, operators },
    closed: cut.slice(0, -1),
    tail:
      last === undefined ? null : { ...last, file: { key: last.key, offset: 0, size: last.size, sha256: last.sha256 } },
  });
  return paths;
}
