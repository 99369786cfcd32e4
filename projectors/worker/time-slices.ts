// Shares this process's processor between its partitions. Folding and encoding run in slices of some milliseconds: between two of them
// everything else of the process runs, and the next slice goes to another partition. So no large image, file or backlog of one partition
// holds up the others, or a reader.
import type { Clock } from '../../core/ports/clock.ts';
import { runUntil, type Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';

/** Runs the task in slices. Rejects with what it throws. */
export type RunTask = <Result>(task: Task<Result>) => Promise<Result>;

/** How long the event loop is held, as far as the tasks allow. */
const slice: Micros = 2_000;

/** Runs a task until the given time; returns whether it has ended. */
type Job = (until: Micros) => boolean;

export function openTimeSlices(clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>): RunTask {
  const elapsed = (): Micros => clock.elapsed?.() ?? clock.now();
  const waiting: Job[] = [];
  let running = false;
  /** Work time since the rest of the process last ran. */
  let spent: Micros = 0;

  async function run(): Promise<void> {
    running = true;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const began = elapsed();
      if (!job(began + slice - spent)) waiting.push(job);
      spent += elapsed() - began;
      if (spent < slice) continue;
      await clock.sleep(0);
      spent = 0;
    }
    running = false;
  }

  return <Result>(task: Task<Result>) => {
    const done = Promise.withResolvers<Result>();
    waiting.push((until) => runUntil(task, () => elapsed() >= until, done));
    if (!running) void run();
    return done.promise;
  };
}
