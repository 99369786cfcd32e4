// What the demo knows of a sport: how long it is played, what happens in it, how a play reads in MySportsFeeds' form, what a play counts for
// in a box score, and which player markets books make of it. Unaware of teams, leagues and of the hour.
import type { DemoPlayer, FeedTeam } from '../rosters.ts';

export type Side = 'away' | 'home';

export type DemoPlay = {
  number: number;
  /** Seconds of play since the start. */
  at: number;
  side: Side;
  /** Of the player in the roster. */
  slot: number;
  /** Of a second player: who assisted, caught, stole, pitched. */
  other: number | null;
  action: string;
  /** Whether it came off: scored, caught, on goal. */
  made: boolean;
  /** Yards, bases, or what the shot was worth. */
  gain: number;
  points: number;
};

/** A play before it has its place in a game. */
export type Drawn = Omit<DemoPlay, 'number' | 'at' | 'side'>;

/** A number in [0, 1) for one question about a play, always the same one. */
export type Roll = (of: string) => number;

/** What a play adds to a player's statistic, `group.name`. Of one that ends in `Lng` the greatest counts, not the sum. */
export type Credit = readonly [side: Side, slot: number, stat: string, by: number];

/** Over and under at a line; without a line, `yes` alone. */
export type PlayerMarket = { market: string; slot: number; line: number | null };

/** Those who take part in a play, as its body names them. */
export type Cast = { team: FeedTeam; player: DemoPlayer | null; own: DemoPlayer | null; opponent: DemoPlayer | null };

export type Sport = {
  periods: number;
  /** Of a period. */
  seconds: number;
  /** What a period is called in scores, and in plays. */
  part: 'quarter' | 'period' | 'inning';
  partOfPlays: 'quarter' | 'period' | 'inning';
  /** The second of the play that follows one at `at`. */
  next(at: number, roll: Roll): number;
  sideAt(at: number, roll: Roll): Side;
  /** What happens at `at`: one play, or one and what follows from it. */
  draw(at: number, roll: Roll): readonly Drawn[];
  /** The last play of a game that would end level. */
  decider(at: number): Drawn;
  /** The same play told of another player. */
  corrected(play: DemoPlay): DemoPlay;
  /** The action of a play under its name in the feed. */
  told(play: DemoPlay, cast: Cast): { [action: string]: object };
  /** Each player has these, from 0 on. */
  statistics: readonly string[];
  credits(play: DemoPlay): readonly Credit[];
  /** What counts by the clock and not by plays. */
  timed(clock: number): readonly Credit[];
  playerMarkets: readonly PlayerMarket[];
};

export function opponentOf(side: Side): Side {
  return side === 'away' ? 'home' : 'away';
}

/** A play in which nothing but the action happens. */
export function plain(action: string, slot: number): Drawn {
  return { action, slot, other: null, made: false, gain: 0, points: 0 };
}

/** One of `weighted`, by its weight. */
export function pick(weighted: readonly (readonly [string, number])[], roll: number): string {
  let left = roll * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  const found = weighted.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? weighted[0])?.[0] ?? '';
}

/** One of `slots`, the first ones more often. */
export function favoured(slots: readonly number[], roll: number): number {
  return slots[Math.floor(roll ** 1.3 * slots.length)] ?? 0;
}

/** The slot after this one in `slots`; one that is not among them stays. */
export function slotAfter(slots: readonly number[], slot: number): number {
  const at = slots.indexOf(slot);
  return at < 0 ? slot : (slots[(at + 1) % slots.length] ?? slot);
}
