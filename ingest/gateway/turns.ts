// Whose turn it is to be worked on. What a body costs in CPU is done in slices of a millisecond: between two of them everybody else of the
// process has a turn, readers above all. The slices go to one key after the other, and first to keys none of whose work goes on: a small push
// waits for no large one of another key. Unaware of what the work is.
import { KeyedQueue } from '../../core/keyed-queue.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Steps } from '../../core/steps.ts';
import type { Micros } from '../../core/units.ts';

/** Takes the steps, as many at a time as the turn of `key` is long. Rejects with what they throw. */
export type TakeSteps = <Result>(key: string, steps: Steps<Result>) => Promise<Result>;

/** Does the work when no other of the lane is under way, whatever its key. */
export type Lane = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export type Turns = {
  steps: TakeSteps;
  /** The lane of bodies so large that there is memory for one of them. */
  large: Lane;
};

/** How long the loop of the process is held, as far as the steps allow. */
const slice: Micros = 1_000;

/** So many slices in a row go to keys that go first; then one goes to the others. */
const mostFirst = 4;

type TurnClock = Pick<Clock, 'now' | 'elapsed' | 'sleep'>;

export function openTurns(clock: TurnClock): Turns {
  return { steps: openSlices(clock), large: openLane() };
}

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
      await clock.sleep(0);
      spent = 0;
    }
    running = false;
  }

  return <Result>(key: string, steps: Steps<Result>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    (begun.has(key) ? begun : fresh).add(key, (until) => {
      try {
        for (;;) {
          const step = steps.next();
          if (step.done === true) {
            resolve(step.value);
            return true;
          }
          if (elapsed() >= until) return false;
        }
      } catch (error) {
        reject(error);
        return true;
      }
    });
    if (!running) void run();
    return promise;
  };
}

/** Opens a lane: one at a time, in turns between keys. */
export function openLane(): Lane {
  const waiting = new KeyedQueue<() => Promise<void>>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (let next = waiting.take(); next !== null; next = waiting.take()) await next.item();
    running = false;
  }

  return <Result>(key: string, work: () => Promise<Result>) => {
    const done = Promise.withResolvers<Result>();
    waiting.add(key, () => work().then(done.resolve, done.reject));
    if (!running) void run();
    return done.promise;
  };
}
