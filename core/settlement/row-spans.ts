// Sets of row numbers as spans, for removals: union, difference, count.
import type { RowSpan } from '../ports/catalog/settlement.ts';

/** The same numbers in ascending order, each once. */
export function mergedSpans(spans: readonly RowSpan[]): RowSpan[] {
  const merged: RowSpan[] = [];
  for (const [first, last] of spans.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1) merged.push([first, last]);
    else merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return merged;
}

/** The numbers of `spans` that are not in `others`, in ascending order. */
export function spansWithout(spans: readonly RowSpan[], others: readonly RowSpan[]): RowSpan[] {
  let left = mergedSpans(spans);
  for (const [first, last] of mergedSpans(others)) {
    left = left.flatMap(([from, to]): RowSpan[] => {
      if (to < first || from > last) return [[from, to]];
      const before: RowSpan[] = from < first ? [[from, first - 1]] : [];
      return to > last ? [...before, [last + 1, to]] : before;
    });
  }
  return left;
}

/** How many numbers are in spans that do not overlap. */
export function countOf(spans: readonly RowSpan[]): number {
  return spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** As typed on the command line: `12,40-45`. */
export function spansText(spans: readonly RowSpan[]): string {
  return spans.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
