// What a final file says of itself in its key-value metadata (settlement.md, "When a game closes" 3).
import { fileMetadata } from '../../core/parquet/file-metadata.ts';
import type { FileMetadata } from '../../core/parquet/footer.ts';
import type { FinalDataset } from '../../core/settlement/reasons.ts';

/** The rules by which closing lines, results and timelines are made. */
const ruleset = 'sds-us-1';

export function finalMetadata(dataset: FinalDataset, game: { gameId: string; league: string }): FileMetadata {
  const metadata = new Map(fileMetadata({ dataset, schemaVersion: 'v1', file: 'final', ...game }));
  if (dataset !== 'sportsbook-lines') metadata.set('sds.ruleset', ruleset);
  return metadata;
}
