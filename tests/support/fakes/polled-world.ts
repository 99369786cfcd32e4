// A source as the scheduler of polls sees it, in simulated time: games with statuses, stamps of updates, answers that a
// test can replace. It makes the requests that the scheduler names, a few at a time, and records the time and cost of
// each.

import type { PolledGame } from '../../../core/msf/polling/paces.ts';
import type { PullAnswer } from '../../../core/msf/polling/polling.ts';
import { Polling } from '../../../core/msf/polling/polling.ts';
import type { PullFacts } from '../../../core/msf/polling/pull-facts.ts';
import { type PolledLeague, type Pull, pullPath, pullWeight, subjectOf } from '../../../core/msf/polling/pulls.ts';
import { type Micros, microsPerSecond } from '../../../core/units.ts';

export type MadeRequest = { at: Micros; path: string; pull: Pull; force: boolean; weight: number };

export type PolledWorld = {
  now: Micros;
  games: Map<PolledLeague, PolledGame[]>;
  /** Stamps of a league's updates by subject; null: the league has none. */
  stamps: Map<PolledLeague, Map<string, string> | null>;
  /** An answer that replaces the usual one. */
  bend: (pull: Pull, now: Micros) => PullAnswer | null;
  latency: Micros;
  requests: MadeRequest[];
  polling: Polling;
};

const mostInFlight = 4;

export function polledWorld(now: Micros, ownKey = false): PolledWorld {
  return {
    now,
    games: new Map(),
    stamps: new Map(),
    bend: () => null,
    latency: microsPerSecond / 4,
    requests: [],
    polling: new Polling(now, ownKey),
  };
}

/** Advances time by `duration`. Sleepers wake at their times, or when an answer comes. */
export function passTime(world: PolledWorld, duration: Micros): void {
  const end = world.now + duration;
  const inFlight: { pull: Pull; answer: PullAnswer; at: Micros }[] = [];
  while (world.now < end) {
    const step = inFlight.length < mostInFlight ? world.polling.next(world.now) : null;
    if (step?.kind === 'ask') {
      const { pull, force } = step;
      world.requests.push({ at: world.now, path: pullPath(pull), pull, force, weight: pullWeight(pull) });
      const answer = world.bend(pull, world.now) ?? usualAnswer(world, pull);
      inFlight.push({ pull, answer, at: world.now + world.latency });
      continue;
    }
    const answered = inFlight.sort((a, b) => a.at - b.at)[0];
    world.now = Math.min(end, answered?.at ?? end, step?.until ?? end);
    if (answered !== undefined && answered.at <= world.now) {
      inFlight.shift();
      world.polling.answered(answered.pull, answered.answer, world.now);
    }
  }
}

function usualAnswer(world: PolledWorld, pull: Pull): PullAnswer {
  return { kind: 'content', facts: factsIn(world, pull) };
}

function factsIn({ games, stamps }: PolledWorld, { league, feed, game }: Pull): PullFacts {
  const known = games.get(league) ?? [];
  if (feed === 'latest_updates') return { games: [], stamps: stamps.get(league) ?? null };
  if (feed === 'games') return { games: known, stamps: null };
  return { games: known.filter(({ id }) => id === game), stamps: null };
}

/** The times of the requests that `which` selects, in seconds after `from`. */
export function secondsOf(world: PolledWorld, from: Micros, which: (request: MadeRequest) => boolean): number[] {
  return world.requests.filter(which).map(({ at }) => Math.round((at - from) / microsPerSecond));
}

export const about =
  (subject: string) =>
  ({ pull }: MadeRequest): boolean =>
    subjectOf(pull) === subject;
