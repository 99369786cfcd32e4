// How often a game is worth a look, by where it is: live games every 15 s, the others as `poll_after` says (docs/interface.md#poll-hint;
// docs/revisions.md#poll-order). Unaware of feeds.
import { easternDate } from '../../time/eastern-date.ts';
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';

/** A game as far as polling is concerned. */
export type PolledGame = { id: number; startTime: Micros; playedStatus: string };

export type GamePhase = 'far' | 'today' | 'near' | 'live' | 'review' | 'over' | 'past';

/** How often something is wanted. */
export type PollPace = {
  every: Micros;
  /** How soon again once it is said to have moved; left out: 5 minutes at most. */
  everyMoved?: Micros;
  /** Not at all while nothing says that it has moved. */
  onlyMoved?: boolean;
  /** Its game is over: what it says now is to be confirmed by one more look. */
  afterEnd?: boolean;
};

/** MSF has stopped updating the status of a game that has been live for longer. */
const longestGame = 12 * microsPerHour;
/** How late a start may be without a word before it is no longer waited for every 15 s. */
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

/** Where a game is, seen from the poller. */
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

/** Of the feeds about a game's progress: nothing before the game begins, and of a past game only what changed. */
export function paceOfProgress(phase: GamePhase): PollPace | null {
  if (phase === 'far' || phase === 'today' || phase === 'near') return null;
  return { every: paces[phase], onlyMoved: phase === 'past', afterEnd: phase === 'over' };
}

/** Whether a day has a game in one of `phases`. */
export function hasGameIn(phases: readonly GamePhase[], day: ReadonlySet<GamePhase>): boolean {
  return phases.some((phase) => day.has(phase));
}
