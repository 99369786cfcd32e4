// The coverage of a revision: how complete its history is (docs/revisions.md#verification; docs/revisions.md#revision-rules). Independent
// of why something is missing.
import type { League } from '../../../schemas/reference/leagues.ts';
import { formatMicros, parseRfc3339 } from '../../time/rfc3339.ts';
import type { Micros } from '../../units.ts';
import { playFormOf } from '../play-forms.ts';
import type { Coverage, MsfDataset } from '../types.ts';

/** `start` and `end`: `source_updated_at` of the first and the last applied observation of the dataset's own feeds, in log order. */
type Covered = {
  start: Micros;
  end: Micros;
  /** Holes in a rebuilt history, as `<from>/<to> <reason>`. */
  holes: readonly string[];
};

/** The most gaps that a reset may name, and the longest text of one. */
export const mostHoles = 1_000;
const longestHole = 256;

/** The coverage of a stream. `legacy_partial` takes precedence over `degraded`; an open gap ends in `..`. */
export function coverageOf(dataset: MsfDataset, league: League, { start, end, holes }: Covered): Coverage {
  const unverified = dataset === 'plays' && !playFormOf(league).isSeen;
  const gaps = unverified ? [...holes, `${formatMicros(start)}/.. unverified-shape`] : holes;
  const state = holes.length > 0 ? 'legacy_partial' : gaps.length > 0 ? 'degraded' : 'complete';
  return { state, coverage_start: start, coverage_end: end, gaps };
}

/** Whether the coverage changed. An `end` that moved does not count as a change. */
export function isOtherCoverage(a: Coverage, b: Coverage): boolean {
  return a.state !== b.state || a.gaps.length !== b.gaps.length || a.gaps.some((gap, index) => gap !== b.gaps[index]);
}

/** Whether these are gaps as a revision names them: `<from>/<to> <reason>`, with `..` for an open end. */
export function areHoles(gaps: readonly string[]): boolean {
  return gaps.length <= mostHoles && gaps.every(isHole);
}

function isHole(gap: string): boolean {
  if (gap.length > longestHole || !gap.isWellFormed() || gap.includes('\0')) return false;
  const slash = gap.indexOf('/');
  const space = gap.indexOf(' ');
  if (slash < 0 || space < slash || space === gap.length - 1) return false;
  const to = gap.slice(slash + 1, space);
  return parseRfc3339(gap.slice(0, slash)) !== null && (to === '..' || parseRfc3339(to) !== null);
}
