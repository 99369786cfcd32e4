// A stream of a game's dataset in real Parquet that a test publishes to.
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import type { Scope } from '../../../core/msf/types.ts';
import { fileMetadata } from '../../../core/parquet/file-metadata.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import type { gameState } from '../../../schemas/datasets/game-state.ts';
import type { plays } from '../../../schemas/datasets/plays.ts';
import { type FakeMsf, FakeStream } from '../fakes/fake-msf.ts';

export function openParquetStream(
  to: { msf: FakeMsf; objects: Pick<ObjectStore, 'put'> },
  scope: Scope,
  { name, schemaVersion, columns, primaryKey }: typeof plays | typeof gameState,
): FakeStream<ParquetRow> {
  const metadata = (file: 'snapshot' | 'change') => fileMetadata({ dataset: name, schemaVersion, file });
  return new FakeStream<ParquetRow>(
    to,
    scope,
    name,
    {
      keyOf: (row) => JSON.stringify(primaryKey.map((column) => row[column])),
      lineOf: (row) => canonicalLine(columns, row),
      encodeState: (rows) => parquetWriter.encode(name, rows, metadata('snapshot')),
      encodeChange: (changes) =>
        parquetWriter.encode(
          changeFileName(name),
          changes.map(({ op, row }) => ({ ...row, _op: op })),
          metadata('change'),
        ),
    },
    4,
  );
}
