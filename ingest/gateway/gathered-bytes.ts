// Collects the bytes of a body in one buffer as they arrive, so that none is held twice, and returns the buffer's memory to the system as
// soon as nothing reads it: the garbage collector would let tens of megabytes accumulate.

const firstBytes = 16 * 1024;

export class GatheredBytes {
  readonly #most: number;
  #place = new ArrayBuffer(firstBytes);
  #size = 0;

  /** `most`: the highest number of bytes expected. */
  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (size > this.#place.byteLength)
      this.#place = this.#place.transfer(Math.max(size, Math.min(2 * this.#place.byteLength, this.#most)));
    new Uint8Array(this.#place).set(chunk, this.#size);
    this.#size = size;
  }

  bytes(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#place, 0, this.#size);
  }

  giveBack(): void {
    this.#place.transfer(0);
    this.#place = new ArrayBuffer(0);
    this.#size = 0;
  }
}

/** Frees the buffer of bytes that nothing reads any more, including everything else in it. */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
