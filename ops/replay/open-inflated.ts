// The bytes of a file, inflated according to its name: `.gz` and `.zst` with all members or frames. Incomplete data, and bytes after the
// last member or frame, fail the stream.
import { createReadStream, type ReadStream } from 'node:fs';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { FrameWalk } from '../../core/zstd/frame-walk.ts';

export function openInflated(file: string): Readable {
  const raw = createReadStream(file);
  if (file.endsWith('.gz')) return gunzipped(raw);
  if (file.endsWith('.zst')) return joined(joined(raw, new FramePieces()), createZstdDecompress());
  return raw;
}

/** node:zlib continues with the next member by itself. It stops at a zero byte, which shows only in how many bytes it has consumed. */
function gunzipped(raw: ReadStream): Readable {
  const gunzip = createGunzip();
  const check = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush(done) {
      const behind = raw.bytesRead - gunzip.bytesWritten;
      done(behind === 0 ? null : new Error(`bytes follow the last gzip member, from byte ${gunzip.bytesWritten}`));
    },
  });
  return joined(joined(raw, gunzip), check);
}

/** Splits a zstd stream after each frame: node:zlib stops there, and continues with the next piece. */
class FramePieces extends Transform {
  readonly #walk = new FrameWalk();

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    try {
      for (const end of this.#walk.endsIn(chunk)) {
        this.push(chunk.subarray(from, end));
        from = end;
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    if (from < chunk.length) this.push(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#walk.end();
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

/** Pipes `from` into `to`; when one ends, so does the other. */
function joined<To extends Transform>(from: Readable, to: To): To {
  from.on('error', (error) => to.destroy(error));
  to.on('close', () => from.destroy());
  return from.pipe(to);
}
