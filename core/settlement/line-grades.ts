// Grades a margin against a line. A quarter line is two half stakes, on the lines a quarter below and above it. Values and margins are in
// ten-thousandths, lines in thousandths; the arithmetic is exact.
import { type Grade, graded, notGraded } from './grade.ts';

const quarter = 2_500;

/** A line in the unit of values. */
export function lineValue(line: number): number {
  return line * 10;
}

/** The grade of a side that is `margin` above its line (win: above 0, push: 0). docs/settlement.md#team-markets. */
export function gradeMargin(margin: number, line: number, value: number): Grade {
  const half = isQuarterLine(line) ? quarter : 0;
  const [better, worse] = [Math.sign(margin + half), Math.sign(margin - half)];
  if (better > 0 && worse < 0) return notGraded('value_between');
  if (better > 0) return graded(worse > 0 ? 'win' : 'half_win', value);
  if (worse < 0) return graded(better < 0 ? 'loss' : 'half_loss', value);
  return graded('push', value);
}

/** Whether `value` is above the line; for a quarter line, above the upper of its two. */
export function isAboveLine(value: number, line: number): boolean {
  return value > lineValue(line) + (isQuarterLine(line) ? quarter : 0);
}

/** Whether four times the line is an odd number. */
function isQuarterLine(line: number): boolean {
  return Math.abs(line) % 500 === 250;
}
