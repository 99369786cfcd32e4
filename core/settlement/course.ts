// What a game's log has told of its course: its status, the first signs of play and each start it was given. From it follow
// when the game closes and T0, the start of play (docs/settlement.md#when-a-game-closes). Plain data that
// JSON keeps; the fold owns it and passes the log time in. Unaware of records, quotes and of what a close does.
import { hasEnded } from '../games/status.ts';
import { type Micros, microsPerMinute } from '../units.ts';

export type GameCourse = {
  status: { status: string; at: Micros } | null;
  /** `at` of the first status STARTED. */
  startedAt: Micros | null;
  /** The smallest timestamp of a row whose record told `in_play` true. */
  inPlayAt: Micros | null;
  /** Each change of the game's start, with the log time after the record that changed it. */
  starts: { logTime: Micros | null; start: Micros }[];
};

/** T0 and what it rests on: a status, a source's flag, or the start that was planned. */
export type StartOfPlay = {
  basis: 'status' | 'in_play' | 'scheduled';
  t0: Micros;
  scheduledStart: Micros;
  actualStart: Micros | null;
};

/** How much log time a game that has ended stays open: time for a status that is taken back. */
const grace: Micros = 10 * microsPerMinute;

export function newCourse(): GameCourse {
  return { status: null, startedAt: null, inPlayAt: null, starts: [] };
}

export function tellStatus(course: GameCourse, status: { status: string; at: Micros }): void {
  course.status = { status: status.status, at: status.at };
  if (status.status === 'STARTED') course.startedAt ??= status.at;
}

/** Says what the game's start is after a record, changed or not; null is a start that is not known yet. */
export function tellStart(course: GameCourse, start: Micros | null, logTime: Micros | null): void {
  const { starts } = course;
  const last = starts.at(-1);
  if (start === null || start === last?.start) return;
  // Of several changes at one log time the last one stands. The first start of all is kept: it counts where log time never was before T0.
  if (starts.length > 1 && last!.logTime === logTime) last!.start = start;
  else starts.push({ logTime, start });
}

/** Says that a record told `in_play` true and made rows of this timestamp. */
export function tellInPlay(course: GameCourse, timestamp: Micros): void {
  if (course.inPlayAt === null || timestamp < course.inPlayAt) course.inPlayAt = timestamp;
}

/** Whether the game closes by itself once log time is `logTime`. */
export function isOver({ status }: GameCourse, logTime: Micros | null): boolean {
  if (status === null || logTime === null) return false;
  return hasEnded(status.status) && logTime >= status.at + grace;
}

/** T0 of a game that closes now; null where neither play nor a start was ever told. */
export function startOfPlay(course: GameCourse): StartOfPlay | null {
  if (course.startedAt !== null) return actual(course, 'status', course.startedAt);
  if (course.inPlayAt !== null) return actual(course, 'in_play', course.inPlayAt);
  const last = course.starts.at(-1);
  if (last === undefined) return null;
  return { basis: 'scheduled', t0: last.start, scheduledStart: last.start, actualStart: null };
}

/** Of a game that began without a start that anyone had told, the scheduled start is the actual one. */
function actual(course: GameCourse, basis: 'status' | 'in_play', t0: Micros): StartOfPlay {
  const { starts } = course;
  const known = starts.findLast(({ logTime }) => logTime === null || logTime < t0) ?? starts[0];
  return { basis, t0, scheduledStart: known?.start ?? t0, actualStart: t0 };
}
