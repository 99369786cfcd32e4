// Turns of the partitions of a process at its processor. Folding and encoding are done in slices of some milliseconds: between two of them
// everything else of the process runs, and the next slice goes to another partition. So no large image, file or backlog of one partition
// holds up the others, or a reader.
import type { Clock } from '../../core/ports/clock.ts';
import { runUntil, type Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';

/** Takes the steps in slices. Rejects with what they throw. */
export type RunTask = <Result>(steps: Task<Result>) => Promise<Result>;

/** How long the event loop is held, as far as the steps allow. */
const slice: Micros = 2_000;

/** Takes steps until the time; whether they have come to their end. */
type Job = (until: Micros) => boolean;

export function openWorkTurns(clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>): RunTask {
  const elapsed = (): Micros => clock.elapsed?.() ?? clock.now();
  const waiting: Job[] = [];
  let running = false;
  /** Since the rest of the process had its turn. */
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

  return <Result>(steps: Task<Result>) => {
    const done = Promise.withResolvers<Result>();
    waiting.push((until) => runUntil(steps, () => elapsed() >= until, done));
    if (!running) void run();
    return done.promise;
  };
}
