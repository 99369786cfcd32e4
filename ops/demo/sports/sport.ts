// The demo's model of a sport: its length, its plays, their form in MySportsFeeds' bodies, their effect on a box score, and the player
// markets that books offer. Independent of teams, leagues and time.
import type { Side } from '../../../core/msf/states/body-ids.ts';
import type { DemoPlayer, FeedTeam } from '../rosters.ts';

export type DemoPlay = {
  number: number;
  /** Seconds of play since the start. */
  at: number;
  side: Side;
  /** The player's slot in the roster. */
  slot: number;
  /** The slot of a second player: who assisted, caught, stole or pitched. */
  other: number | null;
  action: string;
  /** Whether it succeeded: scored, caught, on goal. */
  made: boolean;
  /** Yards, bases, or the points of the shot. */
  gain: number;
  points: number;
};

/** A play without its position in a game. */
export type Drawn = Omit<DemoPlay, 'number' | 'at' | 'side'>;

/** A number in [0, 1) for one question about a play, always the same. */
export type Roll = (of: string) => number;

/** What a play adds to a player's statistic, `group.name`. A statistic that ends in `Lng` takes the maximum instead of the sum. */
export type StatCredit = readonly [side: Side, slot: number, stat: string, by: number];

/** Over and under at a line; without a line, only `yes`. */
export type DemoPlayerMarket = { market: string; slot: number; line: number | null };

/** The participants of a play, as its body names them. */
export type Cast = { team: FeedTeam; player: DemoPlayer | null; own: DemoPlayer | null; opponent: DemoPlayer | null };

export type SportRules = {
  periods: number;
  /** Seconds per period. */
  seconds: number;
  /** The name of a period in scores and in plays. */
  part: 'quarter' | 'period' | 'inning';
  partOfPlays: 'quarter' | 'period' | 'inning';
  /** The second of the play that follows the one at `at`. */
  next(at: number, roll: Roll): number;
  sideAt(at: number, roll: Roll): Side;
  /** What happens at `at`: one play, or several that belong together. */
  draw(at: number, roll: Roll): readonly Drawn[];
  /** An extra last play for a game that would end level. */
  decider(at: number): Drawn;
  /** The same play, credited to another player. */
  corrected(play: DemoPlay): DemoPlay;
  /** The action of a play, under its name in the feed. */
  actionOf(play: DemoPlay, cast: Cast): { [action: string]: object };
  /** Every player has these, starting at 0. */
  statistics: readonly string[];
  credits(play: DemoPlay): readonly StatCredit[];
  /** Statistics that depend on the clock instead of plays. */
  timed(clock: number): readonly StatCredit[];
  playerMarkets: readonly DemoPlayerMarket[];
};

export function opponentOf(side: Side): Side {
  return side === 'away' ? 'home' : 'away';
}

/** A play with nothing but its action. */
export function plain(action: string, slot: number): Drawn {
  return { action, slot, other: null, made: false, gain: 0, points: 0 };
}

/** One of `weighted`, chosen by weight. */
export function pick(weighted: readonly (readonly [string, number])[], roll: number): string {
  let left = roll * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  const found = weighted.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? weighted[0])?.[0] ?? '';
}

/** One of `slots`, favouring the first ones. */
export function favoured(slots: readonly number[], roll: number): number {
  return slots[Math.floor(roll ** 1.3 * slots.length)] ?? 0;
}

/** The slot after this one in `slots`; one that is not among them is returned unchanged. */
export function slotAfter(slots: readonly number[], slot: number): number {
  const at = slots.indexOf(slot);
  return at < 0 ? slot : (slots[(at + 1) % slots.length] ?? slot);
}
