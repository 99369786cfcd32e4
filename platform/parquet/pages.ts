// A page: its header and its bytes as a zstd frame. A small page is a frame of one stored block: calling the compressor takes some 50 µs,
// as much as the rest of a small file, to save a few hundred bytes.
import { constants, zstdCompressSync } from 'node:zlib';
import type { ByteSink } from '../../core/parquet/byte-sink.ts';
import { ThriftWriter } from '../../core/parquet/thrift-writer.ts';

export const encoding = { plain: 0, runs: 3, deltas: 5, dictionary: 8 } as const;

export const pageType = { data: 0, dictionary: 2 } as const;

/** Bytes of a page, header included. */
export type PageSize = { readonly uncompressed: number; readonly compressed: number };

export const zstdCodec = 6;

export const zstdMagic = 0xfd2fb528;
const largestBlock = 131_072;
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The file being written, and the page size from which compressing pays. */
export type PageTarget = { readonly file: ByteSink; readonly compressFrom: number };

/** Appends a data page of `entries` level entries, whose levels and values are `body`. */
export function writeDataPage(target: PageTarget, body: ByteSink, entries: number, valueEncoding: number): PageSize {
  return writePage(target, body, pageType.data, (writer) => {
    const header = writer.beginField(5);
    writer.i32(1, entries);
    writer.i32(2, valueEncoding);
    writer.i32(3, encoding.runs);
    writer.i32(4, encoding.runs);
    writer.end(header);
  });
}

/** Appends a dictionary page of `entries` plain values. */
export function writeDictionaryPage(target: PageTarget, body: ByteSink, entries: number): PageSize {
  return writePage(target, body, pageType.dictionary, (writer) => {
    const header = writer.beginField(7);
    writer.i32(1, entries);
    writer.i32(2, encoding.plain);
    writer.end(header);
  });
}

function writePage(
  { file, compressFrom }: PageTarget,
  body: ByteSink,
  type: number,
  describe: (writer: ThriftWriter) => void,
): PageSize {
  const start = file.length;
  const frame = body.length >= compressFrom ? compressed(body) : null;
  const writer = new ThriftWriter(file);
  const outer = writer.begin();
  writer.i32(1, type);
  writer.i32(2, body.length);
  writer.i32(3, frame?.length ?? storedFrameLength(body.length));
  describe(writer);
  writer.end(outer);
  const headerLength = file.length - start;
  if (frame) file.raw(frame);
  else writeStoredFrame(file, body);
  return { uncompressed: headerLength + body.length, compressed: file.length - start };
}

/** The body as a compressed frame, or null if that is not smaller. */
function compressed(body: ByteSink): Uint8Array | null {
  const frame = zstdCompressSync(body.bytes.subarray(0, body.length), fastest);
  return frame.length < body.length ? frame : null;
}

/** A zstd frame (RFC 8878) of raw blocks, with the content size in its header. */
function writeStoredFrame(file: ByteSink, body: ByteSink): void {
  const { length } = body;
  file.int32(zstdMagic);
  if (length < 256) {
    file.byte(0x20);
    file.byte(length);
  } else if (length < 65_792) {
    file.byte(0x60);
    file.byte((length - 256) & 255);
    file.byte((length - 256) >> 8);
  } else {
    file.byte(0xa0);
    file.int32(length);
  }
  let at = 0;
  do {
    const end = Math.min(length, at + largestBlock);
    const header = ((end - at) << 3) | (end === length ? 1 : 0);
    file.byte(header & 255);
    file.byte((header >> 8) & 255);
    file.byte(header >> 16);
    file.raw(body.bytes, at, end);
    at = end;
  } while (at < length);
}

function storedFrameLength(length: number): number {
  const header = length < 256 ? 6 : length < 65_792 ? 7 : 9;
  return header + 3 * Math.max(1, Math.ceil(length / largestBlock)) + length;
}
