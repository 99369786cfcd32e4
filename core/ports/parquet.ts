// Rows to Parquet bytes and back. The encoder is the driver's; what a file may append to is decided by the plans of the projectors.
import type { Column } from '../../schemas/datasets/column.ts';
import type { FileMetadata } from '../parquet/footer.ts';
import type { FileRef } from './object-store.ts';

/** A row keyed by column name, values as `schemas/datasets` describes them. */
export type ParquetRow = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[] | null>
>;

export interface ParquetWriter {
  /**
   * One file. The same rows and metadata give the same bytes, whatever `like` is: the rows of a file before this one, which may be as many and
   * mostly the same, so that not all has to be encoded anew. Rows that are given with it or as it change no more.
   */
  encode(
    dataset: string,
    rows: readonly ParquetRow[],
    metadata: FileMetadata,
    like?: readonly ParquetRow[] | null,
  ): Uint8Array;
  /** The file `onto` with `rows` after its own, without re-encoding those (but merging small row groups as they pile up). */
  append(dataset: string, onto: Uint8Array, rows: readonly ParquetRow[], metadata: FileMetadata): Uint8Array;
  /** All rows of a file, in order. */
  decode(dataset: string, bytes: Uint8Array): readonly ParquetRow[];
  /** The same under the columns that the file has itself, which need not be its dataset's any more. */
  decodeOwnColumns(bytes: Uint8Array): { columns: readonly Column[]; rows: readonly ParquetRow[] };
}

/**
 * A file that a flush has to write, as data. `onto`: the committed file whose rows come first, or null. `form` `tail`: row groups may be
 * stitched, the file shares the flush's object; `shared`: encoded at once, shares the flush's object; `own`: one row group, an object of its own;
 * `kept`: encoded at once, shares an object with those of the flush that also stay for ever. `like`: as `ParquetWriter.encode` has it.
 */
export type PlannedFile = {
  name: string;
  dataset: string;
  rows: readonly ParquetRow[];
  metadata: FileMetadata;
  onto: FileRef | null;
  form: 'tail' | 'shared' | 'own' | 'kept';
  like: readonly ParquetRow[] | null;
};

/** Where the runner put a planned file. */
export type WrittenFile = { ref: FileRef; rows: number };
