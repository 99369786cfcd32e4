// Minimum and maximum of a column chunk. Readers skip row groups by them, so they are exact or absent. Text is ordered by its UTF-8 bytes,
// which differs from JavaScript's order where a surrogate pair meets U+E000–FFFF.

/** Null if there is no value, or none that a reader could rely on. */
export type Bounds<T> = { readonly least: T; readonly greatest: T } | null;

/** Longer texts have no bounds: no query looks up a whole document, and truncated bounds are easy to get wrong. */
const longestText = 256;
const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;

/** Bounds of `texts`; null if there are none, if they are too long, or if a text is not valid Unicode and will be stored differently. */
export function textBounds(texts: readonly string[]): Bounds<string> {
  let least = texts[0];
  let greatest = least;
  if (least === undefined || greatest === undefined) return null;
  for (const text of texts) {
    if (!text.isWellFormed()) return null;
    if (comesBefore(text, least)) least = text;
    else if (comesBefore(greatest, text)) greatest = text;
  }
  if (least.length > longestText || greatest.length > longestText) return null;
  return { least, greatest };
}

function comesBefore(a: string, b: string): boolean {
  if (a === b) return false;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) < rank(right);
  }
  return a.length < b.length;
}

/** Maps code units so that surrogates, which encode code points above U+FFFF, sort last. */
function rank(unit: number): number {
  if (unit < firstSurrogate) return unit;
  return unit < firstAfterSurrogates ? unit + 0x2000 : unit - 0x800;
}

/** Bounds of the first `count` of `numbers`. */
export function numberBounds(numbers: Float64Array, count: number): Bounds<number> {
  if (count === 0) return null;
  let least = numbers[0]!;
  let greatest = least;
  for (let index = 1; index < count; index++) {
    const value = numbers[index]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { least, greatest };
}
