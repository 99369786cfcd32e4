// What a file on disk says of itself: its key-value metadata (architecture.md, "Parquet, everywhere"). The same rows must give
// the same bytes, so nothing of the attempt, the process or the hour is in it.
import type { FileMetadata } from './footer.ts';

export type FileFacts = {
  readonly dataset: string;
  readonly schemaVersion: string;
  readonly file: 'segment' | 'board' | 'final' | 'snapshot' | 'change';
  readonly gameId?: string;
  readonly league?: string;
  readonly operator?: string;
  readonly seq?: number;
  readonly streamEpoch?: string;
  readonly revision?: number;
  readonly digest?: string;
};

const writer = 'sports-data-service';

/** The metadata of a file; its row count is added by whoever writes the footer. */
export function fileMetadata(facts: FileFacts): FileMetadata {
  const pairs: [string, string | number | undefined][] = [
    ['sds.dataset', facts.dataset],
    ['sds.schema_version', facts.schemaVersion],
    ['sds.file', facts.file],
    ['sds.game_id', facts.gameId],
    ['sds.league', facts.league],
    ['sds.operator', facts.operator],
    ['sds.seq', facts.seq],
    ['sds.stream_epoch', facts.streamEpoch],
    ['sds.revision', facts.revision],
    ['sds.digest', facts.digest],
    ['sds.writer', writer],
  ];
  const metadata = new Map<string, string>();
  for (const [key, value] of pairs) if (value !== undefined) metadata.set(key, String(value));
  return metadata;
}
