// The body of an answer that the API may have charged already. What was received stays in memory until it is on disk, so that its readers get
// it also where the disk cannot take it: they would ask again, and be charged again.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** What the header fields of an answer say of its body; null: nothing. */
export type Promised = { size: number | null; sha256: string | null };

/** The body ended before its end. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** An answer that is not kept: it was truncated, or its bytes do not match its tag. */
export class NotAsPromised extends Error {
  override readonly name = 'NotAsPromised';
}

/** @throws NotAsPromised when a body of this size and digest is another one */
export function checkPromise(promised: Promised, size: number, sha256: string): void {
  if (promised.size !== null && size !== promised.size)
    throw new NotAsPromised(`has ${size} bytes instead of ${promised.size}`);
  if (promised.sha256 !== null && sha256 !== promised.sha256) throw new NotAsPromised('has not the bytes of its ETag');
}

/** An iteration that ends early leaves the rest to the next one. */
export class ChargedBody implements AsyncIterable<Uint8Array> {
  readonly #from: Readable;
  readonly #received: Uint8Array[] = [];
  #isWhole = false;

  constructor(from: Readable) {
    this.#from = from;
  }

  /** @throws CutOff */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.#isWhole) return;
    try {
      for await (const chunk of this.#from.iterator({ destroyOnReturn: false })) {
        this.#received.push(chunk as Uint8Array);
        yield chunk as Uint8Array;
      }
    } catch (error) {
      throw new CutOff('was cut off', { cause: error });
    }
    this.#isWhole = true;
  }

  /** All of it, what was iterated over included. @throws CutOff, or NotAsPromised */
  async inMemory(promised: Promised): Promise<{ bytes: Uint8Array; sha256: string }> {
    for await (const _ of this);
    const bytes = Buffer.concat(this.#received);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    checkPromise(promised, bytes.length, sha256);
    return { bytes, sha256 };
  }
}
