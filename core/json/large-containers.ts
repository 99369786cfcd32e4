// The containers of a body that are too large to parse in one piece, with the positions at which to cut them: their own commas, about one
// per piece. Filled while the body is scanned; costs a few numbers per level of depth.

/** Bytes of a piece, which takes some tenths of a millisecond to parse. */
export const pieceBytes = 16 * 1024;

/** The offset after its last byte, and the commas at which to cut it. A piece is only larger than `pieceBytes` if it is a single entry. */
export type LargeContainer = { end: number; cuts: readonly number[] };

/** Deeper containers are never parsed. */
const deepest = 80;

export class LargeContainers {
  /** By the offset of the opening bracket. */
  readonly found = new Map<number, LargeContainer>();
  readonly #pieceBytes: number;
  readonly #starts = new Int32Array(deepest);
  /** The offset after the last cut, and the last comma. */
  readonly #from = new Int32Array(deepest);
  readonly #comma = new Int32Array(deepest);
  readonly #cuts: (number[] | null)[] = new Array<null>(deepest).fill(null);

  constructor(largestPiece: number) {
    this.#pieceBytes = largestPiece;
  }

  open(depth: number, at: number): void {
    if (depth >= deepest) return;
    this.#starts[depth] = at;
    this.#from[depth] = at + 1;
    this.#comma[depth] = at;
    this.#cuts[depth] = null;
  }

  comma(depth: number, at: number): void {
    if (depth < 1 || depth >= deepest) return;
    this.#cutBefore(depth, at);
    if (at - (this.#from[depth] as number) >= this.#pieceBytes) this.#cut(depth, at);
    this.#comma[depth] = at;
  }

  close(depth: number, at: number): void {
    if (depth < 1 || depth >= deepest) return;
    this.#cutBefore(depth, at);
    const cuts = this.#cuts[depth];
    if (cuts === null || cuts === undefined) {
      if (at - (this.#starts[depth] as number) < this.#pieceBytes) return;
    }
    this.found.set(this.#starts[depth] as number, { end: at + 1, cuts: cuts ?? [] });
  }

  /** Cuts before the entry that ends at `at` if it and the preceding ones together would be too large for a piece. */
  #cutBefore(depth: number, at: number): void {
    const from = this.#from[depth] as number;
    const before = this.#comma[depth] as number;
    if (before >= from && at - from > this.#pieceBytes) this.#cut(depth, before);
  }

  #cut(depth: number, at: number): void {
    const cuts = this.#cuts[depth] ?? [];
    cuts.push(at);
    this.#cuts[depth] = cuts;
    this.#from[depth] = at + 1;
  }
}
