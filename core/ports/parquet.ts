// Converts rows to Parquet bytes and back. The driver provides the encoder; the projectors' plans decide which file to append to.
import type { Column } from '../../schemas/datasets/column.ts';
import type { FileMetadata } from '../parquet/footer.ts';
import type { Task } from '../scheduling/task.ts';
import type { FileRef } from './object-store.ts';

/** A row keyed by column name, values as `schemas/datasets` describes them. */
export type ParquetRow = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[] | null>
>;

/** Some rows of a file, in order and by column; they become objects only on demand. */
export interface RowBatch {
  readonly count: number;
  /** The rows, created anew on each call. */
  rows(): readonly ParquetRow[];
}

/** A file that is written some rows at a time. It holds one row group and the bytes of those before; after a throw it is unusable. */
export interface ParquetFile {
  /** A batch of a file with the same columns is added without becoming rows, which is several times faster. */
  add(rows: readonly ParquetRow[] | RowBatch): void;
  /** The whole file. Call it once, after all rows. */
  finish(): Uint8Array;
}

/** A file's bytes, read on demand. `read` returns exactly `length` bytes or throws. */
export type FileBytes = { readonly size: number; read(offset: number, length: number): Promise<Uint8Array> };

/** A file that is read one row group at a time. */
export interface StoredFile {
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly metadata: FileMetadata;
  /** All rows, in order, one row group at a time. */
  batches(): AsyncIterable<RowBatch>;
}

export interface ParquetWriter {
  /**
   * The file of these rows. The same rows and metadata give the same bytes, whatever `like` is. `like`: the rows of a previous file, whose
   * equal columns need not be encoded again. The caller must not change the given rows afterwards.
   */
  encode(
    dataset: string,
    rows: readonly ParquetRow[],
    metadata: FileMetadata,
    like?: readonly ParquetRow[] | null,
  ): Uint8Array;
  /** `encode` in steps. */
  encoding(...file: Parameters<ParquetWriter['encode']>): Task<Uint8Array>;
  /**
   * The file `onto` with `rows` appended, without re-encoding its own (except to merge small row groups as they accumulate). In steps; none
   * of them changes `onto`.
   */
  appending(dataset: string, onto: Uint8Array, rows: readonly ParquetRow[], metadata: FileMetadata): Task<Uint8Array>;
  /** A file that is written as its rows come. The same rows and metadata give the same bytes as `encode`, however they are batched. */
  openFile(dataset: string, metadata: FileMetadata): ParquetFile;
  /** All rows of a file, in order. */
  decode(dataset: string, bytes: Uint8Array): readonly ParquetRow[];
  /** The same, one row group at a time; without a dataset, any columns are accepted. */
  batches(dataset: string | null, bytes: Uint8Array): Iterable<RowBatch>;
  /** The rows [from, to) of a file, in order. Only the row groups that hold them are decoded. */
  slice(dataset: string, bytes: Uint8Array, from: number, to: number): readonly ParquetRow[];
  /** A file with the rows [from, to) of `bytes`, at least one; its metadata record `from`. Row groups inside the range keep their bytes. */
  cut(dataset: string, bytes: Uint8Array, from: number, to: number): Uint8Array;
  /** All rows, with the file's own columns, which may differ from its dataset's by now. */
  decodeOwnColumns(bytes: Uint8Array): { columns: readonly Column[]; rows: readonly ParquetRow[] };
  /** A file too large for memory, with the dataset's columns; without a dataset, any columns are accepted. */
  openStored(dataset: string | null, bytes: FileBytes): Promise<StoredFile>;
}

/**
 * A file that a flush has to write, as data. `onto`: the committed file whose rows come first, or null. `form` `tail`: row groups may be
 * stitched, the file shares the flush's object; `shared`: encoded at once, shares the flush's object; `own`: one row group, an object of
 * its own; `kept`: encoded at once, shares an object with the flush's other permanent files. `like`: see `ParquetWriter.encode`.
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
