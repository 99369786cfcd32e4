// When revisions go into an archive, when a stream is settled, and when its revisions are forgotten (docs/revisions.md#archives;
// docs/revisions.md#retention). Time passes by ticks, so a replay cuts the same archives. Independent of files: here an archive is a span
// of revisions.
import { type Micros, microsPerHour } from '../../units.ts';
import type { KeptRun, ScopeState, StreamState } from './scope-state.ts';

/** The span of an archive's revisions, all of one epoch. */
export type ArchiveSpan = { first: number; last: number };

const mostRevisions = 64;
const day: Micros = 24 * microsPerHour;
/** Waiting time: after COMPLETED, and, for a stream that never settles or has settled, after its last revision. */
const quietTime: Micros = day;
const listedFor: Micros = 30 * day;
/** How long a revision is kept after it is no longer listed. */
const keptUnlistedFor: Micros = 7 * day;

/** Archives all revisions that no archive has yet; null if there are none. Also used at the end of an epoch. */
export function takeArchive(stream: StreamState): ArchiveSpan | null {
  const { firstUnarchived: first, head: last } = stream;
  if (first > last) return null;
  stream.firstUnarchived = last + 1;
  return { first, last };
}

/** The archive that the newest revision completes, if any: at 64 revisions, and at settlement by `verified`. */
export function archiveAfterCut(stream: StreamState, isOfGame: boolean): ArchiveSpan | null {
  const { head, lastCutAt } = stream;
  if (!isOfGame || stream.settledAt !== null) stream.runs = [...stream.runs, { through: head, since: lastCutAt }];
  else if (stream.status === 'verified') return settle(stream, lastCutAt);
  return head - stream.firstUnarchived + 1 >= mostRevisions ? takeArchive(stream) : null;
}

/** What a stream does because time has passed. */
type TimedEffect = { archives: ArchiveSpan[]; forgot: boolean };

/** Does everything that is due at `now`. */
export function passTime(stream: StreamState, completedAt: Micros | null, isOfGame: boolean, now: Micros): TimedEffect {
  const archives: ArchiveSpan[] = [];
  const cut = (span: ArchiveSpan | null): void => {
    if (span !== null) archives.push(span);
  };
  const settlesAt = settlementDue(stream, completedAt, isOfGame);
  if (settlesAt !== null && settlesAt <= now) cut(settle(stream, now));
  const archivedAt = quietDue(stream, isOfGame);
  if (archivedAt !== null && archivedAt <= now) cut(takeArchive(stream));

  const listedFrom = Math.max(stream.listedFrom, unlistedThrough(stream, now) + 1);
  const deletedBelow = Math.max(stream.deletedBelow, deletedThrough(stream, now) + 1);
  const forgot = listedFrom > stream.listedFrom || deletedBelow > stream.deletedBelow;
  if (listedFrom > stream.firstUnarchived) cut(takeArchive(stream));
  stream.listedFrom = listedFrom;
  stream.deletedBelow = deletedBelow;
  stream.runs = stream.runs.filter(({ through }) => through >= deletedBelow);
  return { archives, forgot };
}

/** When the stream next needs a tick; null if it waits for none. */
export function dueAt(stream: StreamState, { completedAt, scope }: ScopeState): Micros | null {
  const isOfGame = scope.kind === 'game';
  const due = [settlementDue(stream, completedAt, isOfGame), quietDue(stream, isOfGame), forgettingDue(stream)];
  const times = due.filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** A stream that was not verified settles 24 h after COMPLETED. */
function settlementDue(stream: StreamState, completedAt: Micros | null, isOfGame: boolean): Micros | null {
  return isOfGame && stream.settledAt === null && completedAt !== null ? completedAt + quietTime : null;
}

/** League streams and late corrections: 24 h after the last unarchived revision. */
function quietDue(stream: StreamState, isOfGame: boolean): Micros | null {
  if (stream.firstUnarchived > stream.head || (isOfGame && stream.settledAt === null)) return null;
  return stream.lastCutAt + quietTime;
}

/** Revisions other than the head are unlisted 30 days after settlement or publication, and deleted a week later. */
function forgettingDue(stream: StreamState): Micros | null {
  const { runs, head, listedFrom, deletedBelow } = stream;
  let due: Micros | null = null;
  for (const [index, { through, since }] of runs.entries()) {
    const last = Math.min(through, head - 1);
    if (last < deletedBelow) continue;
    const isLast = deletedBelow === through;
    const next = last >= listedFrom ? since + listedFor : unlistedAt(stream, index, isLast) + keptUnlistedFor;
    if (due === null || next < due) due = next;
  }
  return due;
}

/**
 * The earliest time at which revisions of a run could be unlisted: 30 days after the run's `since`. `isLast`: the run's last revision,
 * which was the head until the next run began and could not be unlisted before that.
 */
function unlistedAt({ runs }: StreamState, index: number, isLast: boolean): Micros {
  const since = (runs[index] as KeptRun).since + listedFor;
  return isLast ? Math.max(since, runs[index + 1]?.since ?? since) : since;
}

/** The newest revision that is unlisted at `now`; never the head. 0 if there is none. */
function unlistedThrough({ runs, head }: StreamState, now: Micros): number {
  const past = runs.findLast(({ since }) => since + listedFor <= now);
  return past === undefined ? 0 : Math.min(past.through, head - 1);
}

/** The newest revision that may be deleted at `now`, a week after it could be unlisted; never the head. 0 if there is none. */
function deletedThrough(stream: StreamState, now: Micros): number {
  const { runs, head } = stream;
  const could = (index: number, isLast: boolean) => unlistedAt(stream, index, isLast) + keptUnlistedFor <= now;
  const index = runs.findLastIndex((_, each) => could(each, false));
  if (index < 0) return 0;
  const { through } = runs[index] as KeptRun;
  return Math.min(could(index, true) ? through : through - 1, head - 1);
}

function settle(stream: StreamState, at: Micros): ArchiveSpan | null {
  stream.settledAt = at;
  stream.runs = [{ through: stream.head, since: at }];
  return takeArchive(stream);
}
