// How often to poll a game, by its phase: live games every 15 s, the others as `poll_after` says (docs/interface.md#poll-hint;
// docs/revisions.md#poll-order). Independent of feeds.
import { easternDate } from '../../time/eastern-date.ts';
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';

/** A game, as far as polling needs it. */
export type PolledGame = { id: number; startTime: Micros; playedStatus: string };

export type GamePhase = 'far' | 'today' | 'near' | 'live' | 'review' | 'over' | 'past';

/** How often to request something. */
export type PollPace = {
  every: Micros;
  /** The interval once the source reports a change; if left out, `every` but at most 5 minutes. */
  everyMoved?: Micros;
  /** No requests until the source reports a change. */
  onlyMoved?: boolean;
  /** The game is over: one more request must confirm its content. */
  afterEnd?: boolean;
};

/** A game that is LIVE for longer: MSF no longer updates its status. */
const longestGame = 12 * microsPerHour;
/** A game whose start is overdue for longer is no longer polled every 15 s. */
const startIsAwaited = 6 * microsPerHour;
const correctionsFor = 36 * microsPerHour;

export const paces: Readonly<Record<GamePhase, Micros>> = {
  live: 15 * microsPerSecond,
  near: 30 * microsPerSecond,
  today: 5 * microsPerMinute,
  review: 5 * microsPerMinute,
  over: 5 * microsPerMinute,
  far: microsPerHour,
  past: microsPerHour,
};

/** The phase of a game, as the poller sees it. */
export function phaseOf({ startTime, playedStatus }: PolledGame, now: Micros): GamePhase {
  const since = now - startTime;
  if (playedStatus.startsWith('COMPLETED')) {
    if (since > correctionsFor) return 'past';
    return playedStatus === 'COMPLETED' ? 'over' : 'review';
  }
  if (since > longestGame) return 'past';
  if (playedStatus === 'LIVE') return 'live';
  if (since >= 0) return since <= startIsAwaited ? 'live' : 'today';
  if (since >= -microsPerHour) return 'near';
  return easternDate(startTime) === easternDate(now) ? 'today' : 'far';
}

/** Whether the poller follows a game of this phase: it is of today, is on, or has ended within these days. */
export function isFollowed(phase: GamePhase): boolean {
  return phase !== 'far' && phase !== 'past';
}

/** For feeds about a game's progress: no requests before the game begins, and for a past game only after a reported change. */
export function paceOfProgress(phase: GamePhase): PollPace | null {
  if (phase === 'far' || phase === 'today' || phase === 'near') return null;
  return { every: paces[phase], onlyMoved: phase === 'past', afterEnd: phase === 'over' };
}

/** Whether a day has a game in one of `phases`. */
export function hasGameIn(phases: readonly GamePhase[], day: ReadonlySet<GamePhase>): boolean {
  return phases.some((phase) => day.has(phase));
}
