// Bytes of a body that are put into one place as they come, so that none of them is held twice, and given back to the system as soon as nothing
// reads them: the garbage collector lets tens of megabytes of them pile up before it looks.

const firstBytes = 16 * 1024;

export class GatheredBytes {
  readonly #most: number;
  #place = new ArrayBuffer(firstBytes);
  #size = 0;

  /** `most`: how many are expected at most. */
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

/** Gives back the memory of bytes that nothing reads any more, nor what else is in it. */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
