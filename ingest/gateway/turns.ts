// Whose turn it is to be worked on. What a body costs in CPU is done in slices of a few milliseconds: between two of them everybody else of
// the process has a turn, readers above all, and the slices go to one key after the other. Unaware of what the work is.
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
const slice: Micros = 3_000;

type TurnClock = Pick<Clock, 'now' | 'elapsed' | 'sleep'>;

export function openTurns(clock: TurnClock): Turns {
  return { steps: openSlices(clock), large: openLane() };
}

/** Takes steps until the time; whether they have come to their end. */
type Job = (until: Micros) => boolean;

function openSlices(clock: TurnClock): TakeSteps {
  const elapsed = (): Micros => clock.elapsed?.() ?? clock.now();
  const waiting = new KeyedQueue<Job>();
  let running = false;
  /** Since others had their turn. */
  let spent: Micros = 0;

  async function run(): Promise<void> {
    running = true;
    for (let next = waiting.take(); next !== null; next = waiting.take()) {
      const began = elapsed();
      if (!next.item(began + slice - spent)) waiting.add(next.key, next.item, true);
      spent += elapsed() - began;
      if (spent < slice) continue;
      await clock.sleep(0);
      spent = 0;
    }
    running = false;
  }

  return <Result>(key: string, steps: Steps<Result>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.add(key, (until) => {
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
