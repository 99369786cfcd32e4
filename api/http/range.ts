// The Range header (RFC 9110, 14.2), as far as the service honours it: one range of bytes. Several ranges are answered with the whole file;
// other units are ignored (docs/interface.md#ranges). Numbers may have any length.

/** One range: from `first` to `last` (null: to the end), or the last `suffix` bytes. */
export type ByteRange = { first: number; last: number | null } | { suffix: number };

export type RangeHeader =
  | { kind: 'one'; range: ByteRange }
  /** No usable range: another unit, or several ranges. */
  | { kind: 'whole' }
  | { kind: 'malformed' };

const tokenForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const rangeForm = /^([0-9]*)-([0-9]*)$/;

/** Reads the header's value. */
export function parseRange(field: string): RangeHeader {
  const equals = field.indexOf('=');
  if (equals === -1) return { kind: 'malformed' };
  const unit = field.slice(0, equals);
  if (!tokenForm.test(unit)) return { kind: 'malformed' };
  if (unit.toLowerCase() !== 'bytes') return { kind: 'whole' };
  let found: ByteRange | null = null;
  let count = 0;
  for (const part of field.slice(equals + 1).split(',')) {
    const text = part.trim();
    // An empty list element is ignored (RFC 9110, 5.6.1).
    if (text === '') continue;
    found = parseOne(text);
    if (found === null) return { kind: 'malformed' };
    count += 1;
  }
  if (found === null) return { kind: 'malformed' };
  return count === 1 ? { kind: 'one', range: found } : { kind: 'whole' };
}

function parseOne(text: string): ByteRange | null {
  const parts = rangeForm.exec(text);
  if (parts === null) return null;
  const first = parts[1] as string;
  const last = parts[2] as string;
  if (first === '') return last === '' ? null : { suffix: numberOf(last) };
  if (last === '') return { first: numberOf(first), last: null };
  const range = { first: numberOf(first), last: numberOf(last) };
  return range.last < range.first ? null : range;
}

/** Digits as a number. With more digits than a size can have, not counting leading zeros, it means "beyond every file". */
function numberOf(digits: string): number {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 15 ? Number.MAX_SAFE_INTEGER : Number(significant);
}

/** The bytes [start, end) that a range selects in a file of `size` bytes; null if it cannot be satisfied. */
export function resolveRange(range: ByteRange, size: number): { start: number; end: number } | null {
  if ('suffix' in range) {
    if (range.suffix === 0 || size === 0) return null;
    return { start: Math.max(0, size - range.suffix), end: size };
  }
  if (range.first >= size) return null;
  return { start: range.first, end: range.last === null ? size : Math.min(size, range.last + 1) };
}
