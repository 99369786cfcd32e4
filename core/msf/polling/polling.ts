// Decides the next request and its time, as data, from the known games, the answers so far and the tokens of the minute
// (docs/revisions.md#poller). Time is an argument; the poller makes the requests. A league's `latest_updates` goes first, then what has
// changed. If the tokens are too few, everything else slows down by the same factor, and nothing starves.
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';
import { gameEventId } from '../ids.ts';
import { isFollowed, type PolledGame, phaseOf } from './paces.ts';
import { pollingOf } from './polled-feeds.ts';
import { PullBudget, tokensPerMinute } from './pull-budget.ts';
import type { PullFacts } from './pull-facts.ts';
import { type WantedPull, wantedPulls } from './pull-plan.ts';
import { type PolledLeague, type Pull, polledLeagues, pullKey, pullWeight, subjectOf } from './pulls.ts';

export type PollStep =
  /** `force` false: the source may answer that nothing has changed since this key's last request. */
  { kind: 'ask'; pull: Pull; force: boolean } | { kind: 'wait'; until: Micros };

export type PullAnswer =
  /** The source sent content, and the log has it. */
  | { kind: 'content'; facts: PullFacts }
  /** The source sent content, but the bodies of its league are those of another source: the log has none of it. */
  | { kind: 'other-source'; facts: PullFacts }
  | { kind: 'unchanged' }
  | { kind: 'no-content' }
  /** No such game, or no such season at the moment. */
  | { kind: 'unknown' }
  | { kind: 'not-subscribed' }
  | { kind: 'key-refused' }
  | { kind: 'too-many'; retryAfter: Micros | null }
  /** The source is about to publish, or its answer could not be read. */
  | { kind: 'trouble' }
  | { kind: 'unreachable' }
  /** The source sent content, but the log could not take it. */
  | { kind: 'not-taken' }
  /** The source sent content, and taking it failed for a reason of its own. */
  | { kind: 'failed'; facts: PullFacts };

type Asked = {
  /** Start of the newest request; null before the first. */
  askedAt: Micros | null;
  wantedSince: Micros;
  asking: boolean;
  restUntil: Micros;
  /** Consecutive answers without content; `again`: whether to repeat the request as soon as its pause ends. */
  inVain: number;
  again: boolean;
  /** Whether the newest content that the source sent to this key is in the log. */
  held: boolean;
  /** Whether the log refused that content because the league's bodies are another source's. News of it then speeds nothing up. */
  refused: boolean;
  /** When that content was received. */
  contentAt: Micros;
  /**
   * The stamp of the content in the log: the one known when it was requested, or when the source last confirmed it. `stampAsked`: that of
   * the current request.
   */
  stampHeld: string | null;
  stampAsked: string | null;
  /** The log has content that was requested after its game was known to be over. */
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
/**
 * Whatever a key's subscription: after content, a request within this time may be answered "nothing new" although there is something new.
 */
const longestSubscription: Micros = 10 * microsPerMinute;
/** `pausing`: answers that make every request useless for now. `passing`: answers whose cause will pass. */
const pausing: ReadonlySet<PullAnswer['kind']> = new Set(['key-refused', 'too-many', 'unreachable', 'not-taken']);
const passing: ReadonlySet<PullAnswer['kind']> = new Set([...pausing, 'trouble', 'failed']);
/** Feeds that are reported unchanged are polled anyway, this many times slower: the list of updates may itself be out of date. */
const unmovedFactor = 4;

export class Polling {
  readonly #ownKey: boolean;
  readonly #budget = new PullBudget();
  readonly #asked = new Map<string, Asked>();
  readonly #leagues = new Map<PolledLeague, LeagueState>();
  /** Feeds of a league that the key may not read, and until when to believe that. */
  readonly #barred = new Map<string, Micros>();
  #pausedUntil: Micros = 0;
  /** Consecutive pauses of all requests; after each pause, one request checks whether it is over. */
  #pauses = 0;
  #inFlight = 0;

  /** `ownKey`: no other program uses this key. Otherwise what others spent in the minute before `now` is unknown. */
  constructor(now: Micros, ownKey: boolean) {
    this.#ownKey = ownKey;
    for (const league of polledLeagues) this.#leagues.set(league, { games: new Map(), stamps: new Map() });
    this.#budget.spend(now, tokensPerMinute / 2);
  }

  /** The next request, which counts as made; or how long to wait, unless an answer comes first. */
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

  /** Reports the answer to a request. */
  answered(pull: Pull, answer: PullAnswer, now: Micros): void {
    const asked = this.#askedOf(pull, now);
    asked.asking = false;
    this.#inFlight -= 1;
    if (!pausing.has(answer.kind)) this.#pauses = 0;
    const hasContent = answer.kind === 'content' || answer.kind === 'other-source';
    if (hasContent || (answer.kind === 'unchanged' && asked.held)) {
      asked.inVain = 0;
      asked.restUntil = 0;
      asked.again = false;
      if (hasContent) {
        this.#learn(pull, answer.facts);
        note(asked, answer.kind, now);
      } else if ((asked.askedAt ?? now) - asked.contentAt >= longestSubscription) asked.stampHeld = asked.stampAsked;
      return;
    }
    asked.inVain += 1;
    asked.again = passing.has(answer.kind);
    asked.restUntil = now + this.#restAfter(pull, answer, asked.inVain, now);
  }

  /** The events of the games that are followed now (docs/revisions.md#poll-order). */
  eventsFollowed(now: Micros): string[] {
    return [...this.#leagues].flatMap(([league, { games }]) =>
      [...games.values()].flatMap((game) => (isFollowed(phaseOf(game, now)) ? [gameEventId(league, game.id)] : [])),
    );
  }

  #learn(pull: Pull, { games, stamps }: PullFacts): void {
    const league = this.#leagues.get(pull.league) as LeagueState;
    for (const game of games) league.games.set(game.id, game);
    for (const [subject, newest] of stamps ?? []) {
      const first = league.stamps.get(subject)?.first ?? newest;
      league.stamps.set(subject, { first, newest });
    }
  }

  /** How long to pause this request, or all requests, after an answer without content. */
  #restAfter(pull: Pull, answer: PullAnswer, inVain: number, now: Micros): Micros {
    const pauseAll = (rest: Micros): Micros => {
      this.#pausedUntil = Math.max(this.#pausedUntil, now + rest);
      return 0;
    };
    // Requests that were in progress together fail together; their failure counts once.
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
        // The source sent content that the log does not have, so the next request asks for all of it.
        this.#askedOf(pull, now).held = false;
        return pauseAll(doubled(shortest, this.#pauses, longest));
      case 'failed':
        this.#learn(pull, answer.facts);
        this.#askedOf(pull, now).held = false;
        return doubled(shortest, inVain, longestWithoutContent);
      default:
        return doubled(shortest, inVain, longest);
    }
  }

  /** All requests that are due for a league, and when; those in progress are left out. */
  #dueOf(league: PolledLeague, now: Micros): Due[] {
    const { games } = this.#leagues.get(league) as LeagueState;
    const due: Due[] = [];
    let updatesFirst = false;
    for (const wanted of wantedPulls(league, games.values(), now)) {
      if ((this.#barred.get(`${league} ${wanted.pull.feed}`) ?? 0) > now) continue;
      const one = this.#dueAt(wanted, now);
      if (one === null) continue;
      // While `latest_updates` fails, the others continue without it.
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
    const unmoved = confirms ? pace : pace * unmovedFactor;
    const every = asked.refused || moved === null ? pace : moved ? everyMoved : unmoved;
    if (asked.again) return { wanted, asked, at: asked.restUntil, every };
    if (asked.askedAt === null) {
      const at = asked.wantedSince + pollingOf(pull.feed).firstAfter;
      return { wanted, asked, at, every: Math.min(every, microsPerMinute) };
    }
    const next = asked.askedAt + (asked.inVain > 0 ? Math.min(every, microsPerHour) : every);
    return { wanted, asked, at: Math.max(next, asked.restUntil), every };
  }

  /**
   * Whether the source reports newer content than the log has, or (`sinceFirst`) than when the entry was first listed; null: the source
   * reports nothing.
   */
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
        refused: false,
        contentAt: now,
        stampHeld: null,
        stampAsked: null,
        confirmed: false,
        confirming: false,
      };
      this.#asked.set(key, asked);
    }
    // If the clock was set back, times must not lie in the future.
    asked.wantedSince = Math.min(asked.wantedSince, now);
    asked.askedAt = asked.askedAt === null ? null : Math.min(asked.askedAt, now);
    asked.contentAt = Math.min(asked.contentAt, now);
    asked.restUntil = Math.min(asked.restUntil, now + microsPerHour);
    return asked;
  }
}

/** Notes that the source sent content, and whether the log has it. */
function note(asked: Asked, kind: 'content' | 'other-source', now: Micros): void {
  asked.held = kind === 'content';
  asked.refused = kind === 'other-source';
  asked.contentAt = now;
  asked.stampHeld = asked.held ? asked.stampAsked : null;
  if (asked.held && asked.confirming) asked.confirmed = true;
}

/**
 * `latest_updates` goes first, because the rest of its league waits for it; then the request that is late by more of its own intervals, or
 * has the shorter interval.
 */
function goesBefore(a: Due, b: Due, now: Micros): number {
  const waits = ({ wanted }: Due): number => (wanted.pull.feed === 'latest_updates' ? 0 : 1);
  const lateness = ({ at, every }: Due): number => (now - at) / every;
  return waits(a) - waits(b) || lateness(b) - lateness(a) || a.every - b.every;
}

function doubled(first: Micros, times: number, most: Micros): Micros {
  return Math.min(first * 2 ** Math.min(times - 1, 20), most);
}
