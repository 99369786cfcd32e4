// The life of a game by its log: its status, the first signs of play, and every start it had. These decide when the game closes, and T0,
// the start of play (docs/settlement.md#when-a-game-closes). Plain, JSON-safe data; the fold owns it and passes in the log time.
// Independent of records and quotes.
import { hasEnded } from '../games/status.ts';
import { type Micros, microsPerMinute } from '../units.ts';

export type GameLifecycle = {
  status: { status: string; at: Micros } | null;
  /** `at` of the first status STARTED. */
  startedAt: Micros | null;
  /** The smallest timestamp of a row whose record had `in_play` true. */
  inPlayAt: Micros | null;
  /** Every change of the game's start, with the log time after the record that changed it. */
  starts: { logTime: Micros | null; start: Micros }[];
};

/** T0 and its basis: a status, a source's flag, or the planned start. */
export type StartOfPlay = {
  basis: 'status' | 'in_play' | 'scheduled';
  t0: Micros;
  scheduledStart: Micros;
  actualStart: Micros | null;
};

/** How much log time a finished game stays open, so that its status can still be corrected. */
const grace: Micros = 10 * microsPerMinute;

export function newLifecycle(): GameLifecycle {
  return { status: null, startedAt: null, inPlayAt: null, starts: [] };
}

export function noteStatus(lifecycle: GameLifecycle, status: { status: string; at: Micros }): void {
  lifecycle.status = { status: status.status, at: status.at };
  if (status.status === 'STARTED') lifecycle.startedAt ??= status.at;
}

/** Notes the game's start after a record, changed or not; null if not known yet. */
export function noteStart(lifecycle: GameLifecycle, start: Micros | null, logTime: Micros | null): void {
  const { starts } = lifecycle;
  const last = starts.at(-1);
  if (start === null || start === last?.start) return;
  // Several changes at one log time: the last one counts. The very first start is kept: it counts if log time was never before T0.
  if (starts.length > 1 && last!.logTime === logTime) last!.start = start;
  else starts.push({ logTime, start });
}

/** Notes that a record with `in_play` true made rows with this timestamp. */
export function noteInPlay(lifecycle: GameLifecycle, timestamp: Micros): void {
  if (lifecycle.inPlayAt === null || timestamp < lifecycle.inPlayAt) lifecycle.inPlayAt = timestamp;
}

/** Whether the game closes by itself at this log time. */
export function isOver({ status }: GameLifecycle, logTime: Micros | null): boolean {
  if (status === null || logTime === null) return false;
  return hasEnded(status.status) && logTime >= status.at + grace;
}

/** T0 of a game that closes now; null if the log has neither play nor a start. */
export function startOfPlay(lifecycle: GameLifecycle): StartOfPlay | null {
  if (lifecycle.startedAt !== null) return actual(lifecycle, 'status', lifecycle.startedAt);
  if (lifecycle.inPlayAt !== null) return actual(lifecycle, 'in_play', lifecycle.inPlayAt);
  const last = lifecycle.starts.at(-1);
  if (last === undefined) return null;
  return { basis: 'scheduled', t0: last.start, scheduledStart: last.start, actualStart: null };
}

/** A game that began before any source reported a start: its scheduled start is the actual one. */
function actual(lifecycle: GameLifecycle, basis: 'status' | 'in_play', t0: Micros): StartOfPlay {
  const { starts } = lifecycle;
  const known = starts.findLast(({ logTime }) => logTime === null || logTime < t0) ?? starts[0];
  return { basis, t0, scheduledStart: known?.start ?? t0, actualStart: t0 };
}
