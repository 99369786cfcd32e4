// How often each feed is wanted, from the games that are known and the hour: live games every 15 s, the others as `poll_after` says
// (docs/interface.md#poll-hint; docs/revisions.md#poller). Unaware of what was asked and answered.
import { easternDate } from '../../time/eastern-date.ts';
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';
import type { PolledGame, PolledLeague, Pull } from './pulls.ts';

export type WantedPull = {
  pull: Pull;
  every: Micros;
  /** How soon again once it is said to have moved. */
  everyMoved: Micros;
  /** Not at all while nothing says that it has moved. */
  onlyMoved: boolean;
  /** Its game is over: what it says now is to be confirmed by one more look. */
  afterEnd: boolean;
};

export type GamePhase = 'far' | 'today' | 'near' | 'live' | 'review' | 'over' | 'past';

const hour = microsPerHour;
const minute = microsPerMinute;

/** A game that goes on for longer is one whose status nobody moves any more. */
const longestGame = 12 * hour;
/** How late a start may be without a word before it is no longer waited for every 15 s. */
const startIsAwaited = 6 * hour;
const correctionsFor = 36 * hour;

const paces: Readonly<Record<GamePhase, Micros>> = {
  live: 15 * microsPerSecond,
  near: 30 * microsPerSecond,
  today: 5 * minute,
  review: 5 * minute,
  over: 5 * minute,
  far: hour,
  past: hour,
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
  if (since >= -hour) return 'near';
  return easternDate(startTime) === easternDate(now) ? 'today' : 'far';
}

/** All that is wanted of a league. */
export function wantedPulls(league: PolledLeague, games: Iterable<PolledGame>, now: Micros): WantedPull[] {
  const wanted: WantedPull[] = [];
  const want = (about: Partial<Pull> & Pick<Pull, 'feed'>, every: Micros, more: Partial<WantedPull> = {}): void => {
    const pull = { league, game: null, day: null, ...about };
    wanted.push({ pull, every, everyMoved: Math.min(every, 5 * minute), onlyMoved: false, afterEnd: false, ...more });
  };
  let pace = paces.far;
  const days = new Map<string, Set<GamePhase>>();
  for (const game of games) {
    const phase = phaseOf(game, now);
    pace = Math.min(pace, paces[phase]);
    if (phase !== 'far' && phase !== 'past') noteDay(days, game.startTime, phase);
    wantOfGame(game.id, phase, want);
  }
  want({ feed: 'latest_updates' }, pace);
  // Every game of the season is in it: its own day tells sooner of a game that moves.
  want({ feed: 'games' }, 6 * hour, { everyMoved: hour });
  want({ feed: 'players' }, 24 * hour);
  want({ feed: 'injuries' }, pace < hour ? 15 * minute : hour);
  for (const [day, phases] of days) {
    const has = (...any: GamePhase[]): boolean => any.some((phase) => phases.has(phase));
    want({ feed: 'games', day }, has('live', 'near') ? minute : 5 * minute);
    if (has('live', 'near', 'today')) want({ feed: 'odds_gamelines', day }, 15 * minute);
    if (has('review', 'over')) {
      want({ feed: 'player_gamelogs', day }, hour);
      want({ feed: 'team_gamelogs', day }, hour);
    }
  }
  return wanted;
}

type Want = (about: Partial<Pull> & Pick<Pull, 'feed'>, every: Micros, more?: Partial<WantedPull>) => void;

function wantOfGame(game: number, phase: GamePhase, want: Want): void {
  if (phase === 'far') return;
  if (phase === 'today' || phase === 'near') {
    want({ feed: 'lineup', game }, Math.max(paces[phase], minute));
    return;
  }
  const onlyMoved = phase === 'past';
  const afterEnd = phase === 'over';
  if (phase === 'live') want({ feed: 'lineup', game }, paces.today);
  want({ feed: 'playbyplay', game }, paces[phase], { onlyMoved, afterEnd });
  want({ feed: 'boxscore', game }, paces[phase], { onlyMoved, afterEnd });
}

function noteDay(days: Map<string, Set<GamePhase>>, startTime: Micros, phase: GamePhase): void {
  const day = easternDate(startTime).replaceAll('-', '');
  const phases = days.get(day) ?? new Set();
  days.set(day, phases.add(phase));
}
