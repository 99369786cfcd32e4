// String order by UTF-8 bytes. JavaScript compares UTF-16 units, which gives another order when one side has a character beyond U+FFFF (a
// surrogate pair, units D800–DFFF) and the other one of U+E000–FFFF.

/** Negative, zero or positive as `a` sorts before, with or after `b` by UTF-8 bytes. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** A unit's rank in code point order: surrogates rank above all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
