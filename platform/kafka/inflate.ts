// A bounded buffer for decompressed batches, whatever size a producer claims (docs/interface.md#transport-limits).
export const maxInflatedBytes = 16 * 1024 * 1024;

/** The bytes of a batch are corrupt, or inflate to more than the cap. */
export class BadCompression extends Error {
  override readonly name = 'BadCompression';
}

/** Output that grows as it is written, up to the cap. */
export class InflatedBytes {
  private bytes: Buffer;
  private length = 0;

  constructor(expected: number) {
    if (expected > maxInflatedBytes) throw new BadCompression(`a batch inflates to ${expected} bytes`);
    this.bytes = Buffer.allocUnsafe(Math.max(64, expected));
  }

  append(source: Buffer, from: number, length: number): void {
    if (from + length > source.length) throw new BadCompression('compressed bytes end early');
    this.reserve(length);
    source.copy(this.bytes, this.length, from, from + length);
    this.length += length;
  }

  /** Repeats `length` bytes from `distance` back; source and target may overlap. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.length) throw new BadCompression('a copy reaches before the beginning');
    this.reserve(length);
    const { bytes } = this;
    for (let at = this.length; at < this.length + length; at++) bytes[at] = bytes[at - distance] as number;
    this.length += length;
  }

  done(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    if (needed > maxInflatedBytes) throw new BadCompression(`a batch inflates to more than ${maxInflatedBytes} bytes`);
    const larger = Buffer.allocUnsafe(Math.min(maxInflatedBytes, Math.max(needed, 2 * this.bytes.length)));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
