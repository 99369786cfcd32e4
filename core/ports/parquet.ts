// Rows to Parquet bytes and back. The encoder is the driver's; what a file may append to is decided by the plans of the projectors.
import type { Column } from '../../schemas/datasets/column.ts';
import type { FileMetadata } from '../parquet/footer.ts';
import type { FileRef } from './object-store.ts';

/** A row keyed by column name, values as `schemas/datasets` describes them. */
export type ParquetRow = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[] | null>
>;

/** Some rows of a file, in order, as its columns hold them: they become objects only where somebody asks. */
export interface RowBatch {
  readonly count: number;
  /** The rows, made anew at each call. */
  rows(): readonly ParquetRow[];
}

/** A file whose rows come some at a time. It holds one row group and the bytes of those before; once a call threw it is of no use. */
export interface ParquetFile {
  /** A batch of a file with the same columns is added without becoming rows, which is several times quicker. */
  add(rows: readonly ParquetRow[] | RowBatch): void;
  /** The whole file. To be called once, after all rows. */
  finish(): Uint8Array;
}

/** Bytes of a file that are asked for as they are needed. Never fewer than asked, or it throws. */
export type FileBytes = { readonly size: number; read(offset: number, length: number): Promise<Uint8Array> };

/** A file of which a row group at a time is read. */
export interface StoredFile {
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly metadata: FileMetadata;
  /** All rows, in order, a row group at a time. */
  batches(): AsyncIterable<RowBatch>;
}

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
  /** A file that is written as its rows come. The same rows and metadata give the bytes that `encode` gives, whatever the batches are. */
  openFile(dataset: string, metadata: FileMetadata): ParquetFile;
  /** All rows of a file, in order. */
  decode(dataset: string, bytes: Uint8Array): readonly ParquetRow[];
  /** The same, a row group at a time; without a dataset, whatever the columns of the file are. */
  batches(dataset: string | null, bytes: Uint8Array): Iterable<RowBatch>;
  /** The same under the columns that the file has itself, which need not be its dataset's any more. */
  decodeOwnColumns(bytes: Uint8Array): { columns: readonly Column[]; rows: readonly ParquetRow[] };
  /** A file too large to be held, whose columns are the dataset's; without a dataset, whatever they are. */
  openStored(dataset: string | null, bytes: FileBytes): Promise<StoredFile>;
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
