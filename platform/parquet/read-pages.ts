// Reads the pages of a column chunk: parses their headers and unpacks their zstd frames. Knows only what pages.ts writes.
import { zstdDecompressSync } from 'node:zlib';
import {
  fieldOf,
  integerOf,
  ParquetFormatError,
  type ThriftField,
  ThriftReader,
  thriftType,
} from '../../core/parquet/thrift-reader.ts';
import { encoding, pageType, zstdMagic } from './pages.ts';

/** A page: `entries` counts its levels, or its dictionary entries. */
export type Page = { readonly entries: number; readonly valueEncoding: number; readonly body: Uint8Array };

type ChunkPages = { readonly dictionary: Page | null; readonly data: Page };

/** Larger pages are legal, but the header must prove true before anything that large is allocated. */
const largestAtOnce = 4_194_304;

/** The pages of the chunk `bytes[start, end)`: the data page, and the dictionary page that may precede it. */
export function readPages(bytes: Uint8Array, start: number, end: number): ChunkPages {
  let at = start;
  const next = (type: number): Page | null => {
    const reader = new ThriftReader(bytes, at, end);
    const fields = reader.struct();
    const i32 = (id: number) => integerOf(bytes, fieldOf(fields, id, thriftType.i32));
    if (i32(1) !== type) return null;
    const [length, compressed] = [i32(2), i32(3)];
    if (length < 0 || compressed < 0 || compressed > end - reader.at) throw damaged('is longer than its column');
    at = reader.at + compressed;
    const header = headerOf(bytes, fieldOf(fields, type === pageType.data ? 5 : 7, thriftType.struct));
    return { ...header, body: frameContent(bytes.subarray(reader.at, at), length) };
  };
  const dictionary = next(pageType.dictionary);
  const data = next(pageType.data);
  if (data === null || at !== end) throw damaged('is not as this service writes it');
  if (dictionary !== null && dictionary.valueEncoding !== encoding.plain) throw damaged('has no plain dictionary');
  return { dictionary, data };
}

function headerOf(bytes: Uint8Array, { start, end }: ThriftField): { entries: number; valueEncoding: number } {
  const fields = new ThriftReader(bytes, start, end).struct();
  const i32 = (id: number) => integerOf(bytes, fieldOf(fields, id, thriftType.i32));
  return { entries: i32(1), valueEncoding: i32(2) };
}

/** The content of a zstd frame. A stored block is used in place; calling the decompressor takes some 20 µs. */
function frameContent(frame: Uint8Array, length: number): Uint8Array {
  return storedContent(frame, length) ?? decompressed(frame, length);
}

/** The content of a frame of a single stored block. */
function storedContent(frame: Uint8Array, length: number): Uint8Array | null {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 9 || view.getUint32(0, true) !== zstdMagic) return null;
  // The content size in the frame's header takes one, two or four bytes.
  const block = { 32: 6, 96: 7, 160: 9 }[frame[4]!];
  if (block === undefined || frame.length !== block + 3 + length) return null;
  const header = frame[block]! | (frame[block + 1]! << 8) | (frame[block + 2]! << 16);
  // A last block of raw bytes.
  return header === ((length << 3) | 1) ? frame.subarray(block + 3) : null;
}

function decompressed(frame: Uint8Array, length: number): Uint8Array {
  let content: Uint8Array;
  try {
    const chunkSize = Math.max(64, Math.min(length, largestAtOnce));
    content = zstdDecompressSync(frame, { chunkSize, maxOutputLength: Math.max(1, length) });
  } catch (cause) {
    throw new ParquetFormatError('a page is not a zstd frame of the length in its header', { cause });
  }
  if (content.length !== length) throw damaged('has another length than in its header');
  return content;
}

function damaged(how: string): ParquetFormatError {
  return new ParquetFormatError(`a page ${how}`);
}
