// Finds where the frames of a zstd stream end (RFC 8878, 3.1). Reads only the lengths in frame and block headers, without inflating,
// because decompressors stop after the first frame. Takes a stream in pieces of any size.

/** The bytes are not a sequence of whole zstd frames. */
export class BadFrames extends Error {
  override readonly name = 'BadFrames';
}

/** Each frame costs a turn of the inflater, whatever its content: this many cost no more than a large body. Readers refuse more. */
export const mostFrames = 2_000;

type Field = 'magic' | 'skippable size' | 'descriptor' | 'block header';

const fieldBytes: Readonly<Record<Field, number>> = {
  magic: 4,
  'skippable size': 4,
  descriptor: 1,
  'block header': 3,
};

const zstdMagic = 0xfd2fb528;
/** The first of sixteen; the last digit varies. */
const skippableMagic = 0x184d2a50;
const checksumBytes = 4;
const dictionaryIdBytes = [0, 1, 2, 4] as const;
const contentSizeBytes = [0, 2, 4, 8] as const;
const rleBlock = 1;
const reservedBlock = 3;

export class FrameWalk {
  /** The next field to read, after `#skip` more bytes. */
  #field: Field = 'magic';
  #skip = 0;
  #value = 0;
  #collected = 0;
  #hasChecksum = false;
  /** Whether the frame ends with the skipped bytes. */
  #isLast = false;
  #walked = 0;

  /** The offsets in `piece` at which a frame ends, ascending. @throws BadFrames */
  endsIn(piece: Uint8Array): number[] {
    const ends: number[] = [];
    let at = 0;
    while (at < piece.length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, piece.length - at);
        this.#skip -= skipped;
        at += skipped;
      } else {
        this.#value += (piece[at] as number) * 2 ** (8 * this.#collected);
        this.#collected += 1;
        at += 1;
        if (this.#collected === fieldBytes[this.#field]) this.#read(this.#walked + at);
      }
      if (this.#isLast && this.#skip === 0) {
        this.#isLast = false;
        ends.push(at);
      }
    }
    this.#walked += piece.length;
    return ends;
  }

  /** Call at the end of the stream. @throws BadFrames when the last frame is incomplete */
  end(): void {
    const isBetween = this.#field === 'magic' && this.#collected === 0 && this.#skip === 0;
    if (!isBetween) throw new BadFrames(`the last zstd frame is incomplete: the bytes end after ${this.#walked}`);
  }

  /** Interprets the field that is complete at `end`, counted from the beginning of the stream. */
  #read(end: number): void {
    const value = this.#value;
    this.#value = 0;
    this.#collected = 0;
    switch (this.#field) {
      case 'magic':
        if (value === zstdMagic) this.#field = 'descriptor';
        else if (value - (value % 16) === skippableMagic) this.#field = 'skippable size';
        else throw new BadFrames(`no zstd frame begins at byte ${end - fieldBytes.magic}`);
        break;
      case 'skippable size':
        this.#close(value);
        break;
      case 'descriptor': {
        const isSingleSegment = (value & 0x20) !== 0;
        const windowBytes = isSingleSegment ? 0 : 1;
        const sizeBytes = contentSizeBytes[value >> 6] as number;
        this.#skip = windowBytes + (dictionaryIdBytes[value & 3] as number) + Math.max(sizeBytes, 1 - windowBytes);
        this.#hasChecksum = (value & 4) !== 0;
        this.#field = 'block header';
        break;
      }
      case 'block header': {
        const type = (value >> 1) & 3;
        if (type === reservedBlock) throw new BadFrames(`a zstd block of the reserved type at byte ${end - 3}`);
        const bytes = type === rleBlock ? 1 : value >> 3;
        if ((value & 1) === 0) this.#skip = bytes;
        else this.#close(bytes + (this.#hasChecksum ? checksumBytes : 0));
      }
    }
  }

  #close(bytes: number): void {
    this.#skip = bytes;
    this.#isLast = true;
    this.#field = 'magic';
  }
}

/** The frames of a whole body, skippable ones included, in order. @throws BadFrames */
export function framesOf(body: Uint8Array): Uint8Array[] {
  const walk = new FrameWalk();
  let from = 0;
  const frames = walk.endsIn(body).map((end) => {
    const frame = body.subarray(from, end);
    from = end;
    return frame;
  });
  walk.end();
  return frames;
}
