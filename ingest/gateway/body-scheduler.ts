// Whose work runs next. CPU work on bodies is done in slices of a millisecond; between two slices the rest of the process runs, above all
// readers. Slices alternate between keys, and the first slices of a task go first if its key has no other work in progress, so that a small
// push does not wait for another key's large one. While several keys bring work, it takes at most a third of the time, so that the other
// parts of their pushes do not wait. Independent of the work.
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import { ActiveKeys } from '../../core/scheduling/active-keys.ts';
import { KeyedLane } from '../../core/scheduling/keyed-lane.ts';
import { KeyedQueue } from '../../core/scheduling/keyed-queue.ts';
import { runUntil, type Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';

/** Runs the task in slices of `key`. Rejects with what the task throws. */
type RunTask = <Result>(key: string, task: Task<Result>) => Promise<Result>;

/**
 * Runs work on one piece of a body; the next piece is read only afterwards. Unlike a new task, a piece does not go before the work of other
 * keys: its body is in progress. The work does not throw.
 */
type RunPiece = (key: string, work: () => void) => Promise<void>;

/** Waits outside the lane, which continues meanwhile; then the work enters the lane again and continues. */
export type Aside = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/** Runs the work when no other work of the lane is in progress, under any key. */
type Lane = <Result>(key: string, work: (aside: Aside) => Promise<Result>) => Promise<Result>;

export type BodyScheduler = {
  run: RunTask;
  piece: RunPiece;
  /** The lane of bodies so large that there is memory for one at a time. */
  large: Lane;
};

/** How long the event loop is blocked at most, as far as the tasks allow. */
const slice: Micros = 1_000;

/** Added to the measured work on a piece: the kernel and Node read it from its connection before the scheduler can measure anything. */
const readingOfPiece: Micros = 300;

/** How many times as long as it worked it rests while several keys bring work. */
const timesOfWork = 2;

/** How long a key counts as active after bringing work. */
const besideFor: Micros = 10_000_000;

/**
 * Slices of a task that go first. A small push needs one; it needs another where a busy machine stopped the process in the middle of it, or
 * where garbage was collected.
 */
const slicesFirst = 3;

/** After this many slices in a row for tasks that go first, one goes to the others. */
const mostFirst = 4;

type TurnClock = Pick<Clock, 'now' | 'elapsed' | 'sleep'>;

/** `behindLarge`: runs after each work of the lane, before the next one begins. `isAlone`: no other key has brought work lately. */
export function openBodyScheduler(
  clock: TurnClock,
  behindLarge: (isAlone: boolean) => Promise<void> = async () => {},
): BodyScheduler {
  const { run, piece, isOnly } = openSlices(clock);
  return { run, piece, large: openLane((key) => behindLarge(isOnly(key))) };
}

type Behind = (key: string) => Promise<void>;

/** `advance`: runs until the given time; returns whether it has ended. `first`: how many of its next slices go first. */
type Job = { advance: (until: Micros) => boolean; first: number };

function openSlices(clock: TurnClock): { run: RunTask; piece: RunPiece; isOnly(key: string): boolean } {
  const elapsed = (): Micros => elapsedBy(clock);
  /** Jobs that go first, and the others. */
  const fresh = new KeyedQueue<Job>();
  const begun = new KeyedQueue<Job>();
  let running = false;
  /** Work time since the last rest. */
  let spent: Micros = 0;
  let first = 0;
  let resting: AbortController | null = null;
  /** The keys that bring work or have slices. */
  const active = new ActiveKeys(besideFor);

  /**
   * Rests in proportion to its work if other keys bring work too; ends early when a key brings work that goes first. Work also takes long
   * where the process was stopped meanwhile: jobs that go first do not wait for that.
   */
  async function rest(): Promise<void> {
    const worked = fresh.size > 0 ? Math.min(spent, slice) : spent;
    resting = new AbortController();
    await clock.sleep(active.isAlone(elapsed()) ? 0 : (timesOfWork * worked) / 1_000, resting.signal);
    resting = null;
  }

  function take(): { key: string; item: Job } | null {
    first = first < mostFirst ? first + 1 : 0;
    return first === 0 ? (begun.take() ?? fresh.take()) : (fresh.take() ?? begun.take());
  }

  function putBack(key: string, job: Job): void {
    job.first -= 1;
    if (job.first > 0) {
      fresh.add(key, job, true);
      return;
    }
    begun.add(key, job, true);
    for (const next of fresh.takeOf(key)) begun.add(key, { ...next, first: 0 });
  }

  async function takeSlices(): Promise<void> {
    running = true;
    for (let next = take(); next !== null; next = take()) {
      const { key, item: job } = next;
      const began = elapsed();
      active.note(key, began);
      // A job that goes first has a whole slice, whatever the job before it left of the last one.
      if (!job.advance(began + slice - (job.first > 0 ? 0 : spent))) putBack(key, job);
      spent += elapsed() - began;
      if (spent < slice) continue;
      await rest();
      spent = 0;
    }
    running = false;
  }

  function start(queue: KeyedQueue<Job>, key: string, job: Job): void {
    active.note(key, elapsed());
    queue.add(key, job);
    if (!running) void takeSlices();
  }

  const run: RunTask = <Result>(key: string, task: Task<Result>) => {
    const done = Promise.withResolvers<Result>();
    if (!begun.has(key) && !fresh.has(key)) resting?.abort();
    const advance: Job['advance'] = (until) => runUntil(task, () => elapsed() >= until, done);
    if (begun.has(key)) start(begun, key, { advance, first: 0 });
    else start(fresh, key, { advance, first: slicesFirst });
    return done.promise;
  };
  const piece: RunPiece = (key, work) => {
    const done = Promise.withResolvers<void>();
    const advance = (): boolean => {
      work();
      if (!active.isAlone(elapsed())) spent += readingOfPiece;
      done.resolve();
      return true;
    };
    start(begun, key, { advance, first: 0 });
    return done.promise;
  };
  return { run, piece, isOnly: (key) => active.isOnly(key, elapsed()) };
}

/** Opens a lane: one work at a time, alternating between keys. */
export function openLane(behind: Behind = async () => {}): Lane {
  const lane = new KeyedLane();
  return <Result>(key: string, work: (aside: Aside) => Promise<Result>) => {
    const done = Promise.withResolvers<Result>();
    lane.enter(key, (first) => {
      let leave = first;
      const aside: Aside = async (wait) => {
        // Starts waiting before the next work begins.
        const waited = (async () => wait())();
        leave();
        try {
          return await waited;
        } finally {
          leave = await new Promise((enter) => lane.enter(key, enter));
        }
      };
      // Wrapped, so that work that throws synchronously rejects as well and the lane continues.
      void (async () => work(aside))()
        .then(done.resolve, done.reject)
        .then(() => behind(key))
        .finally(() => leave());
    });
    return done.promise;
  };
}
