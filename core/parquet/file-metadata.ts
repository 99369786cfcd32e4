// The key-value metadata of our Parquet files (docs/durability.md#file-metadata). The same rows must give the same bytes, so it contains
// nothing about the attempt, the process or the time.
import type { Dataset } from '../../schemas/datasets/column.ts';
import type { FileMetadata } from './footer.ts';

type FileFacts = {
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
  /** The rules that computed the rows from their inputs. */
  readonly ruleset?: string;
};

const writer = 'sports-data-service';
/** See docs/settlement.md. The rows of a log are recorded, not computed: they have no ruleset. */
const settlementRuleset = 'sds-us-1';

/** The metadata of a file. `writeFooter` adds its row count. */
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
    ['sds.ruleset', facts.ruleset],
    ['sds.writer', writer],
  ];
  const metadata = new Map<string, string>();
  for (const [key, value] of pairs) if (value !== undefined) metadata.set(key, String(value));
  return metadata;
}

/**
 * The metadata of a final file. For sportsbook-lines it repeats that of the segments, in the same order, except that it says `final` and
 * has no `sds.seq`, which belongs to one segment.
 */
export function finalMetadata({ name, schemaVersion }: Dataset, gameId: string): FileMetadata {
  const facts: FileFacts = { dataset: name, schemaVersion, file: 'final', gameId };
  return fileMetadata(name === 'sportsbook-lines' ? facts : { ...facts, ruleset: settlementRuleset });
}

/** The metadata of a file that has the rows of another from row `from` on. */
export function metadataFrom(metadata: FileMetadata, from: number): FileMetadata {
  return new Map(metadata).set('sds.from_row', String(from));
}
