// Which request to make next, and when, as data: from what is known of games, what the answers so far were, and the tokens of the minute
// (docs/revisions.md#poller). Time is an argument; the poller makes the requests. A league's `latest_updates` goes first, then what
// moved; when the tokens do not do for all, everything else becomes slower by the same factor and nothing starves.
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';
import type { PolledGame } from './paces.ts';
import { pollingOf } from './polled-feeds.ts';
import { PullBudget, tokensPerMinute } from './pull-budget.ts';
import type { PullFacts } from './pull-facts.ts';
import { type WantedPull, wantedPulls } from './pull-plan.ts';
import { type PolledLeague, type Pull, polledLeagues, pullKey, pullWeight, subjectOf } from './pulls.ts';

export type PollStep =
  /** `force` false: the source may say that nothing is new since this key asked last. */
  { kind: 'ask'; pull: Pull; force: boolean } | { kind: 'wait'; until: Micros };

export type PullAnswer =
  /** Content, and the log has it. */
  | { kind: 'content'; facts: PullFacts }
  | { kind: 'unchanged' }
  | { kind: 'no-content' }
  /** No such game, or no such season at the moment. */
  | { kind: 'unknown' }
  | { kind: 'not-subscribed' }
  | { kind: 'key-refused' }
  | { kind: 'too-many'; retryAfter: Micros | null }
  /** The source is about to publish, or its answer was no body. */
  | { kind: 'trouble' }
  | { kind: 'unreachable' }
  /** Content that the log could not take. */
  | { kind: 'not-taken' };

type Asked = {
  /** Start of the newest request; null before the first. */
  askedAt: Micros | null;
  wantedSince: Micros;
  asking: boolean;
  restUntil: Micros;
  /** Answers in a row that brought nothing, and whether the newest of them may be another as soon as it has rested. */
  inVain: number;
  again: boolean;
  /** Whether the newest content that the source has given this key is in the log. */
  held: boolean;
  /** When that content came. */
  contentAt: Micros;
  /** The stamp that was told when what is held was asked for, or was last said to be the newest; and the one of the request under way. */
  stampHeld: string | null;
  stampAsked: string | null;
  /** Content that was asked for when its game was known to be over is in the log. */
  confirmed: boolean;
  confirming: boolean;
};

type Stamp = { first: string; newest: string };
type LeagueState = { games: Map<number, PolledGame>; stamps: Map<string, Stamp> };
type Due = { wanted: WantedPull; asked: Asked; at: Micros; every: Micros };

const second = microsPerSecond;
const shortest: Micros = 2 * second;
const longest: Micros = microsPerMinute;
const longestWithoutContent: Micros = 5 * microsPerMinute;
/** However a key is subscribed: who asks again sooner after content may be told that nothing is new although something is. */
const longestSubscription: Micros = 10 * microsPerMinute;
/** What keeps every request from being of use; and what has kept an answer away for the moment only. */
const pausing: ReadonlySet<PullAnswer['kind']> = new Set(['key-refused', 'too-many', 'unreachable', 'not-taken']);
const passing: ReadonlySet<PullAnswer['kind']> = new Set([...pausing, 'trouble']);
/** What is said to be unmoved is looked at all the same: the list of updates may itself be an old one. */
const unmovedFactor = 4;

export class Polling {
  readonly #ownKey: boolean;
  readonly #budget = new PullBudget();
  readonly #asked = new Map<string, Asked>();
  readonly #leagues = new Map<PolledLeague, LeagueState>();
  /** Feeds of a league that the key has no right to, until when. */
  readonly #barred = new Map<string, Micros>();
  #pausedUntil: Micros = 0;
  /** Pauses of everything in a row; after the first, one request looks whether it is over. */
  #pauses = 0;
  #inFlight = 0;

  /** `ownKey`: no other program asks with this key. What another has spent of the minute before `now` is not known. */
  constructor(now: Micros, ownKey: boolean) {
    this.#ownKey = ownKey;
    for (const league of polledLeagues) this.#leagues.set(league, { games: new Map(), stamps: new Map() });
    this.#budget.spend(now, tokensPerMinute / 2);
  }

  /** The next request, which counts as made; or how long there is none, unless an answer comes. */
  next(now: Micros): PollStep {
    this.#pausedUntil = Math.min(this.#pausedUntil, now + microsPerHour);
    if (this.#pausedUntil > now) return { kind: 'wait', until: this.#pausedUntil };
    if (this.#pauses > 0 && this.#inFlight > 0) return { kind: 'wait', until: now + longest };
    const due = polledLeagues.flatMap((league) => this.#dueOf(league, now));
    const first = due.filter(({ at }) => at <= now).sort((a, b) => goesBefore(a, b, now))[0];
    if (first === undefined) return { kind: 'wait', until: Math.min(now + longest, ...due.map(({ at }) => at)) };
    const { pull, afterEnd } = first.wanted;
    const weight = pullWeight(pull);
    const until = this.#budget.readyAt(now, weight);
    if (until > now) return { kind: 'wait', until };
    this.#budget.spend(now, weight);
    const { asked } = first;
    asked.askedAt = now;
    asked.asking = true;
    this.#inFlight += 1;
    asked.stampAsked = this.#stampOf(pull)?.newest ?? null;
    asked.confirming = afterEnd;
    const force = !this.#ownKey || !asked.held || (afterEnd && !asked.confirmed);
    return { kind: 'ask', pull, force };
  }

  /** What became of a request. */
  answered(pull: Pull, answer: PullAnswer, now: Micros): void {
    const asked = this.#askedOf(pull, now);
    asked.asking = false;
    this.#inFlight -= 1;
    if (!pausing.has(answer.kind)) this.#pauses = 0;
    if (answer.kind === 'content' || (answer.kind === 'unchanged' && asked.held)) {
      asked.inVain = 0;
      asked.restUntil = 0;
      asked.again = false;
      if (answer.kind === 'content') this.#taken(pull, asked, answer.facts, now);
      else if ((asked.askedAt ?? now) - asked.contentAt >= longestSubscription) asked.stampHeld = asked.stampAsked;
      return;
    }
    asked.inVain += 1;
    asked.again = passing.has(answer.kind);
    asked.restUntil = now + this.#restAfter(pull, answer, asked.inVain, now);
  }

  #taken(pull: Pull, asked: Asked, { games, stamps }: PullFacts, now: Micros): void {
    asked.held = true;
    asked.contentAt = now;
    asked.stampHeld = asked.stampAsked;
    if (asked.confirming) asked.confirmed = true;
    const league = this.#leagues.get(pull.league) as LeagueState;
    for (const game of games) league.games.set(game.id, game);
    for (const [subject, newest] of stamps ?? []) {
      const first = league.stamps.get(subject)?.first ?? newest;
      league.stamps.set(subject, { first, newest });
    }
  }

  /** How long to leave a pull alone, and whether all of them, after an answer that brought nothing. */
  #restAfter(pull: Pull, answer: PullAnswer, inVain: number, now: Micros): Micros {
    const pauseAll = (rest: Micros): Micros => {
      this.#pausedUntil = Math.max(this.#pausedUntil, now + rest);
      return 0;
    };
    // Those that were under way together fail together, once.
    if (pausing.has(answer.kind) && this.#pausedUntil <= now) this.#pauses += 1;
    switch (answer.kind) {
      case 'no-content':
      case 'unchanged':
        return doubled(15 * second, inVain, longestWithoutContent);
      case 'unknown':
        return pull.game === null ? microsPerHour : doubled(5 * microsPerMinute, inVain, microsPerHour);
      case 'not-subscribed':
        this.#barred.set(`${pull.league} ${pull.feed}`, now + microsPerHour);
        return microsPerHour;
      case 'key-refused':
        return pauseAll(5 * microsPerMinute);
      case 'too-many':
        return pauseAll(Math.min(Math.max(answer.retryAfter ?? microsPerMinute, second), microsPerHour));
      case 'unreachable':
        return pauseAll(doubled(shortest, this.#pauses, longest));
      case 'not-taken':
        // The source has given it, the log has not got it: it is asked for in full.
        this.#askedOf(pull, now).held = false;
        return pauseAll(doubled(shortest, this.#pauses, longest));
      default:
        return doubled(shortest, inVain, longest);
    }
  }

  /** All that a league wants, and when; what is being asked already is not among it. */
  #dueOf(league: PolledLeague, now: Micros): Due[] {
    const { games } = this.#leagues.get(league) as LeagueState;
    const due: Due[] = [];
    let updatesFirst = false;
    for (const wanted of wantedPulls(league, games.values(), now)) {
      if ((this.#barred.get(`${league} ${wanted.pull.feed}`) ?? 0) > now) continue;
      const one = this.#dueAt(wanted, now);
      if (one === null) continue;
      // While it fails, the others do without it.
      if (wanted.pull.feed === 'latest_updates' && one.asked.inVain === 0)
        updatesFirst = one.asked.asking || one.at <= now;
      if (!one.asked.asking) due.push(one);
    }
    return updatesFirst ? due.filter(({ wanted }) => wanted.pull.feed === 'latest_updates') : due;
  }

  #dueAt(wanted: WantedPull, now: Micros): Due | null {
    const { pull, every: usual, everyMoved, onlyMoved, afterEnd } = wanted;
    const moved = this.#hasMoved(pull, onlyMoved);
    if (onlyMoved && moved !== true) return null;
    const asked = this.#askedOf(pull, now);
    const pace = afterEnd && asked.confirmed ? microsPerHour : usual;
    const confirms = afterEnd && !asked.confirmed;
    const every = moved === true ? everyMoved : moved === false && !confirms ? pace * unmovedFactor : pace;
    if (asked.again) return { wanted, asked, at: asked.restUntil, every };
    if (asked.askedAt === null) {
      const at = asked.wantedSince + pollingOf(pull.feed).firstAfter;
      return { wanted, asked, at, every: Math.min(every, microsPerMinute) };
    }
    const next = asked.askedAt + (asked.inVain > 0 ? Math.min(every, microsPerHour) : every);
    return { wanted, asked, at: Math.max(next, asked.restUntil), every };
  }

  /** Whether its content is said to be newer than what is held, or than it was (`sinceFirst`) when it was first listed; null: nothing is said. */
  #hasMoved(pull: Pull, sinceFirst: boolean): boolean | null {
    const stamp = this.#stampOf(pull);
    if (stamp === null) return null;
    const held = this.#asked.get(pullKey(pull))?.stampHeld ?? (sinceFirst ? stamp.first : null);
    return held === null ? null : stamp.newest !== held;
  }

  #stampOf(pull: Pull): Stamp | null {
    return this.#leagues.get(pull.league)?.stamps.get(subjectOf(pull)) ?? null;
  }

  #askedOf(pull: Pull, now: Micros): Asked {
    const key = pullKey(pull);
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = {
        askedAt: null,
        wantedSince: now,
        asking: false,
        restUntil: 0,
        inVain: 0,
        again: false,
        held: false,
        contentAt: now,
        stampHeld: null,
        stampAsked: null,
        confirmed: false,
        confirming: false,
      };
      this.#asked.set(key, asked);
    }
    // A clock that was set back has not made the future.
    asked.wantedSince = Math.min(asked.wantedSince, now);
    asked.askedAt = asked.askedAt === null ? null : Math.min(asked.askedAt, now);
    asked.contentAt = Math.min(asked.contentAt, now);
    asked.restUntil = Math.min(asked.restUntil, now + microsPerHour);
    return asked;
  }
}

/** Updates, which the rest of their league waits for; else the one that is later by more of its own intervals, or wanted more often. */
function goesBefore(a: Due, b: Due, now: Micros): number {
  const waits = ({ wanted }: Due): number => (wanted.pull.feed === 'latest_updates' ? 0 : 1);
  const lateness = ({ at, every }: Due): number => (now - at) / every;
  return waits(a) - waits(b) || lateness(b) - lateness(a) || a.every - b.every;
}

function doubled(first: Micros, times: number, most: Micros): Micros {
  return Math.min(first * 2 ** Math.min(times - 1, 20), most);
}
