// Typed arrays as base64 in saved games. Little-endian, as is every platform the service runs on.

export function packed(numbers: Float64Array | Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

export function unpacked(text: string): ArrayBuffer {
  const bytes = Buffer.from(text, 'base64');
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}
