// Sets of record indexes as parameters of type `int8multirange`: a push of thousands of records is mostly one range.

/** The indexes, unordered and possibly repeated, as the text of a multirange. */
export function indexSetText(indexes: readonly number[]): string {
  const sorted = Float64Array.from(indexes).sort();
  const ranges: string[] = [];
  let from = 0;
  for (let at = 1; at <= sorted.length; at += 1) {
    const last = sorted[at - 1] as number;
    if (at < sorted.length && (sorted[at] as number) <= last + 1) continue;
    ranges.push(`[${sorted[from]},${last + 1})`);
    from = at;
  }
  return `{${ranges.join(',')}}`;
}
