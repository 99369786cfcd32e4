// Whose turn it is to be worked on. What a body costs in CPU is done in slices of a millisecond: between two of them the rest of the
// process has a turn, readers above all. The slices go to one key after the other, and first to keys none of whose work goes on: a small push
// waits for no large one of another key. While several keys bring work it takes half of the time at most, so that what else a push needs of the
// process finds it at rest. Unaware of what the work is.
import { KeyedLane } from '../../core/keyed-lane.ts';
import { KeyedQueue } from '../../core/keyed-queue.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Steps, takeSome } from '../../core/steps.ts';
import type { Micros } from '../../core/units.ts';

/** Takes the steps, as many at a time as the turn of `key` is long. Rejects with what they throw. */
type TakeSteps = <Result>(key: string, steps: Steps<Result>) => Promise<Result>;

/** Waits beside the lane, which goes on meanwhile: the work goes on when it is its turn again. */
export type Aside = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/** Does the work when no other of the lane is under way, whatever its key. */
type Lane = <Result>(key: string, work: (aside: Aside) => Promise<Result>) => Promise<Result>;

export type Turns = {
  steps: TakeSteps;
  /** The lane of bodies so large that there is memory for one of them. */
  large: Lane;
};

/** How long the loop of the process is held, as far as the steps allow. */
const slice: Micros = 1_000;

/** For how long a key that has brought work counts beside the others. */
const besideFor: Micros = 1_000_000;

/** So many slices in a row go to keys that go first; then one goes to the others. */
const mostFirst = 4;

type TurnClock = Pick<Clock, 'now' | 'elapsed' | 'sleep'>;

/** `behindLarge`: what is done behind each work of the lane, before the next one begins. */
export function openTurns(clock: TurnClock, behindLarge?: Behind): Turns {
  return { steps: openSlices(clock), large: openLane(behindLarge) };
}

type Behind = () => Promise<void>;

/** Takes steps until the time; whether they have come to their end. */
type Job = (until: Micros) => boolean;

function openSlices(clock: TurnClock): TakeSteps {
  const elapsed = (): Micros => clock.elapsed?.() ?? clock.now();
  /** Of keys of which something goes on, and of the others. */
  const begun = new KeyedQueue<Job>();
  const fresh = new KeyedQueue<Job>();
  let running = false;
  /** Since others had their turn. */
  let spent: Micros = 0;
  let first = 0;
  let resting: AbortController | null = null;
  /** Whose work came last, and when last one's came behind another's. */
  let newest: { key: string | null; otherAt: Micros } = { key: null, otherAt: Number.NEGATIVE_INFINITY };

  /** As long as it was worked, where others bring work as well; until a key brings some that goes first. */
  async function rest(): Promise<void> {
    const isAlone = elapsed() - newest.otherAt > besideFor;
    resting = new AbortController();
    await clock.sleep(isAlone ? 0 : spent / 1_000, resting.signal);
    resting = null;
  }

  function note(key: string): void {
    if (key !== newest.key) newest = { key, otherAt: newest.key === null ? newest.otherAt : elapsed() };
    if (!begun.has(key)) resting?.abort();
  }

  function take(): { key: string; item: Job } | null {
    first = first < mostFirst ? first + 1 : 0;
    return first === 0 ? (begun.take() ?? fresh.take()) : (fresh.take() ?? begun.take());
  }

  function goesOn(key: string, job: Job): void {
    begun.add(key, job, true);
    for (const next of fresh.takeOf(key)) begun.add(key, next);
  }

  async function run(): Promise<void> {
    running = true;
    for (let next = take(); next !== null; next = take()) {
      const began = elapsed();
      if (!next.item(began + slice - spent)) goesOn(next.key, next.item);
      spent += elapsed() - began;
      if (spent < slice) continue;
      await rest();
      spent = 0;
    }
    running = false;
  }

  return <Result>(key: string, steps: Steps<Result>) => {
    const done = Promise.withResolvers<Result>();
    note(key);
    (begun.has(key) ? begun : fresh).add(key, (until) => takeSome(steps, () => elapsed() >= until, done));
    if (!running) void run();
    return done.promise;
  };
}

/** Opens a lane: one at a time, in turns between keys. */
export function openLane(behind: Behind = async () => {}): Lane {
  const lane = new KeyedLane();
  return <Result>(key: string, work: (aside: Aside) => Promise<Result>) => {
    const done = Promise.withResolvers<Result>();
    lane.enter(key, (first) => {
      let leave = first;
      const aside: Aside = async (wait) => {
        // It waits already when the next one begins.
        const waited = (async () => wait())();
        leave();
        try {
          return await waited;
        } finally {
          leave = await new Promise((enter) => lane.enter(key, enter));
        }
      };
      // What throws before it begins rejects as well: the lane goes on behind it.
      void (async () => work(aside))()
        .then(done.resolve, done.reject)
        .then(behind)
        .finally(() => leave());
    });
    return done.promise;
  };
}
