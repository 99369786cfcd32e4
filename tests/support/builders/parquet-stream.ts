// A stream of a dataset of MySportsFeeds in real Parquet that a test publishes to, for readers who use it as any client would.
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import type { MsfDataset, Scope } from '../../../core/msf/types.ts';
import { fileMetadata } from '../../../core/parquet/file-metadata.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import { type FakeMsf, FakeStream } from '../fakes/fake-msf.ts';

/** `key`: the column that names a row of the state. */
export function openParquetStream(
  to: { msf: FakeMsf; objects: Pick<ObjectStore, 'put'> },
  scope: Scope,
  dataset: MsfDataset,
  key: string,
): FakeStream<ParquetRow> {
  const { columns, schemaVersion } = datasetNamed(dataset);
  const metadata = (file: 'snapshot' | 'change') => fileMetadata({ dataset, schemaVersion, file });
  const codec = {
    keyOf: (row: ParquetRow) => String(row[key]),
    lineOf: (row: ParquetRow) => canonicalLine(columns, row),
    encodeState: (rows: readonly ParquetRow[]) => parquetWriter.encode(dataset, rows, metadata('snapshot')),
    encodeChange: (changes: readonly { op: string; row: ParquetRow }[]) =>
      parquetWriter.encode(
        changeFileName(dataset),
        changes.map(({ op, row }) => ({ ...row, _op: op })),
        metadata('change'),
      ),
  };
  return new FakeStream(to, scope, dataset, codec, 4);
}
