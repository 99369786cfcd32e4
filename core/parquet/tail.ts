// The open tail of a log: one Parquet file that grows by whole row groups. An append costs the new bytes, one concatenation and a footer,
// however much the tail holds. Every version is a complete file, and the bytes of a group never change (docs/durability.md#the-open-tail).
// Independent of rows, columns and compression.
import { ByteSink } from './byte-sink.ts';
import { dataStart, type FileMetadata, type Footer, magicBytes, readFooter, writeFooter } from './footer.ts';
import { moveGroup, type RowGroup } from './row-group.ts';
import { sameBytes } from './same-bytes.ts';
import { ParquetFormatError } from './thrift-reader.ts';

/** A whole file, `bytes`, and its footer, whose groups refer only to their own bytes. */
export type Tail = Footer & { readonly bytes: Uint8Array };

/** Opens a file for appending. Throws ParquetFormatError on anything but a whole Parquet file. */
export function openTail(bytes: Uint8Array): Tail {
  const footer = readFooter(bytes);
  return { ...footer, groups: footer.groups.map((group, ordinal) => moveGroup(group, group.start, ordinal)), bytes };
}

/** The tail with the groups of `file` appended; `file` must have the same schema. */
export function append(tail: Tail, file: Uint8Array, metadata: FileMetadata = tail.metadata): Tail {
  return replaceLast(tail, 0, file, metadata);
}

/** The tail with its last `count` groups replaced by those of `file`: used to merge small groups into one. */
export function replaceLast(tail: Tail, count: number, file: Uint8Array, metadata: FileMetadata = tail.metadata): Tail {
  return join(tail, tail.groups.slice(0, tail.groups.length - count), [file], metadata);
}

/** One file with the groups of all `files`, in order. There must be at least one, and all must have the same schema. */
export function stitch(files: readonly Uint8Array[], metadata?: FileMetadata): Tail {
  const [first, ...others] = files;
  if (!first) throw new ParquetFormatError('there is no file to stitch');
  const tail = openTail(first);
  return join(tail, tail.groups, others, metadata ?? tail.metadata);
}

/** A file of the groups `[from, to)` of `tail` alone. */
export function keepGroups(tail: Tail, from: number, to: number): Tail {
  return join(tail, tail.groups.slice(from, to), [], tail.metadata);
}

/** A new file of the groups `kept` of `tail` and all groups of `files`. */
function join(tail: Tail, kept: readonly RowGroup[], files: readonly Uint8Array[], metadata: FileMetadata): Tail {
  const groups: RowGroup[] = [];
  const pieces: Uint8Array[] = [];
  let at = dataStart;
  const add = (bytes: Uint8Array, group: RowGroup, moves: boolean) => {
    groups.push(moves ? moveGroup(group, at, groups.length) : group);
    pieces.push(bytes.subarray(group.start, group.end));
    at += group.end - group.start;
  };
  for (const group of kept) add(tail.bytes, group, group.start !== at);
  for (const bytes of files) {
    const footer = readFooter(bytes);
    if (!sameBytes(footer.schema, tail.schema)) throw new ParquetFormatError('the files have different schemas');
    for (const group of footer.groups) add(bytes, group, true);
  }
  return assemble(tail, groups, pieces, at, metadata);
}

function assemble(
  head: Footer,
  groups: readonly RowGroup[],
  pieces: readonly Uint8Array[],
  start: number,
  metadata: FileMetadata,
): Tail {
  const sink = new ByteSink(4096);
  const footer = writeFooter(sink, { ...head, groups, metadata });
  const bytes = new Uint8Array(start + sink.length);
  bytes.set(magicBytes);
  let end = dataStart;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  bytes.set(sink.bytes.subarray(0, sink.length), end);
  return { ...footer, start, bytes };
}
