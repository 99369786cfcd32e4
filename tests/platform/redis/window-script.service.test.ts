// The two rules of docs/metering.md#sliding-window over hours of made-up time: the script that Redis runs is the real one, but for its clock,
// which the test turns; so are the limiters of several instances with their own clocks, which lease tokens, return them, and die with
// leased ones.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Grant, type LeaseQuestion, leaseMs } from '../../../core/limits/leased-tokens.ts';
import { type RequestWindow, requestWindow } from '../../../core/limits/request-window.ts';
import type { UsesReport } from '../../../core/limits/unreported-uses.ts';
import type { RateLimiter } from '../../../core/ports/rate-limiter.ts';
import { windowScript } from '../../../platform/redis/scripts.ts';
import { openSharedRateLimiter } from '../../../platform/redis/shared-rate-limiter.ts';
import { windows } from '../../support/builders/request-windows.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const service = await services.redis();
const realClock = "redis.call('TIME')";
const script = windowScript.replace(realClock, '{KEYS[3], KEYS[4]}');

/** Redis's time in ms, from which the clocks of the instances differ. */
class World {
  time = 1_000_000;
  /** Whether the shared count can be reached. */
  up = true;
  /**
   * Whether the shared count knows everything admitted, and all leases have ended that were open when an instance
   * decided alone.
   */
  allTold = true;
  #aloneAt = 0;
  /** How many answers are lost; their requests are counted all the same. */
  lost = 0;
  slowestMs = 0;
  readonly #redis: Redis;
  readonly #window: RequestWindow;
  readonly #prefix = unique('windows');
  readonly #asleep = new Set<() => void>();
  #asking = 0;
  #leases = 0;
  #instances = 0;

  constructor(redis: Redis, window: RequestWindow) {
    this.#redis = redis;
    this.#window = window;
  }

  /** A limiter of an instance whose clock is `offset` ahead. */
  instance(offset: number, delays: () => number, instances = 1): RateLimiter {
    this.#instances += 1;
    const name = `instance-${this.#instances}`;
    return openSharedRateLimiter({
      count: {
        ready: () => this.up,
        instances: () => instances,
        ask: (subject, limit, question, uses) => this.#ask(name, subject, limit, question, uses, delays()),
        close: async () => {},
      },
      window: this.#window,
      now: () => this.time + offset,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          const wake = (): void => {
            this.#asleep.delete(wake);
            resolve();
          };
          this.#asleep.add(wake);
          signal.addEventListener('abort', wake);
        }),
      newLeaseId: () => {
        this.#leases += 1;
        return `lease-${this.#leases}`;
      },
    });
  }

  async #ask(
    instance: string,
    subject: string,
    limit: number,
    question: LeaseQuestion,
    { first, ages }: UsesReport,
    delay: number,
  ): Promise<Grant> {
    const { take, extra, leaseId, endedId, uses } = question;
    this.#asking += 1;
    try {
      this.time += delay;
      this.slowestMs = Math.max(this.slowestMs, delay);
      const name = `${this.#prefix}:${subject}`;
      const micros = Math.floor(this.time * 1_000);
      const clock = [`${Math.floor(micros / 1e6)}`, `${micros % 1e6}`];
      const lease = [leaseMs, leaseId, endedId];
      const args = [this.#window.ms, limit, take, extra, ...lease, instance, first, ages.length, ...ages, ...uses];
      const reply = await this.#redis.eval(script, 4, name, `${name}:times`, ...clock, ...args);
      if (this.lost > 0) {
        this.lost -= 1;
        this.#aloneAt = this.time;
        throw new Error('the answer is lost');
      }
      const [taken, leased, free, resetMs, at, leaseEnd] = reply as [number, number, number, number, number, number];
      return { taken, leased, free, resetMs, at, leaseEnd };
    } finally {
      this.#asking -= 1;
    }
  }

  /** Lets every instance report what has ended. */
  async sweep(): Promise<void> {
    for (const wake of [...this.#asleep]) wake();
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#asking > 0);
    if (this.up && this.lost === 0 && this.time > this.#aloneAt + leaseMs + 2) this.allTold = true;
  }

  lose(answers: number): void {
    this.allTold = false;
    this.lost = answers;
  }

  turn(up: boolean): void {
    this.allTold = false;
    this.#aloneAt = this.time;
    this.up = up;
  }
}

type Admitted = { times: number[]; refusals: number };

/** Sends `count` requests at once and records when each was admitted. */
async function burst(world: World, limiter: RateLimiter, limit: number, count: number): Promise<Admitted> {
  const noted: Admitted = { times: [], refusals: 0 };
  const note = (admitted: boolean): void => {
    if (admitted) noted.times.push(world.time);
    else noted.refusals += 1;
  };
  await Promise.all(
    Array.from({ length: count }, () => {
      const answer = limiter.admit('key', limit);
      if (answer instanceof Promise) return answer.then(({ admitted }) => note(admitted));
      note(answer.admitted);
      return null;
    }),
  );
  return noted;
}

/** A step of what clients do; a long pause is as long beside the window as beside a minute. */
const step = ({ ms }: RequestWindow) =>
  fc.record({
    pause: fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 5, noNaN: true }),
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 0, max: 65_000 }).map((pause) => (pause * ms) / 60_000),
      fc.constantFrom(ms - 10, ms, ms + 10),
    ),
    count: fc.integer({ min: 1, max: 40 }),
    instance: fc.nat({ max: 3 }),
    sweeps: fc.boolean(),
    dies: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
    turns: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
  });
const runs = fc
  .constantFrom(...windows)
  .chain((window) =>
    fc.record({ window: fc.constant(window), given: fc.array(step(window), { minLength: 5, maxLength: 60 }) }),
  );
const limits = fc.constantFrom(1, 7, 30, 120, 1_000);
const delays = fc.infiniteStream(fc.double({ min: 0, max: 8, noNaN: true }));

describe('limiters with leases over one count', skipFor(service.skip), () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(service.url);
    assert.notEqual(script, windowScript);
  });
  afterAll(() => redis?.disconnect());

  // A violation would need a token used after the end of its lease, or reported with an earlier time than that of its
  // use.
  it('admit no more than the limit in any 60 seconds, whichever instances die with leased tokens', async () => {
    await fc.assert(
      fc.asyncProperty(runs, limits, delays, async ({ window, given }, limit, stream) => {
        const world = new World(redis, window);
        const delay = (): number => stream.next().value as number;
        const offsets = [0, -900_000, 123_456.789, 5e9];
        const limiters = offsets.map((offset) => world.instance(offset, delay));
        const admitted: number[] = [];
        for (const { pause, count, instance, sweeps, dies } of given) {
          world.time += pause;
          if (sweeps) await world.sweep();
          // A killed instance does not close; another takes its place, with an empty memory.
          if (dies) limiters[instance] = world.instance(offsets[instance] as number, delay);
          admitted.push(...(await burst(world, limiters[instance] as RateLimiter, limit, count)).times);
        }
        admitted.forEach((time, index) => {
          // Redis's clock has whole microseconds.
          const within = admitted.slice(0, index + 1).filter((earlier) => time - earlier < window.ms - 0.001).length;
          assert.ok(within <= limit, `${within} of ${limit} in the window before ${time}`);
        });
      }),
      { numRuns: 150 },
    );
  });

  // A violation would need an admission that its instance does not report, or reports with too early a time.
  it('know of what each has admitted alone while the count was away, once all have told', async () => {
    let after = 0;
    await fc.assert(
      fc.asyncProperty(runs, limits, delays, async ({ window, given }, limit, stream) => {
        const world = new World(redis, window);
        const delay = (): number => stream.next().value as number;
        const limiters = [0, -900_000, 123_456.789, 5e9].map((offset) => world.instance(offset, delay, 4));
        const admitted: number[] = [];
        for (const { pause, count, instance, sweeps, dies, turns } of given) {
          world.time += pause;
          if (turns) world.turn(!world.up);
          if (dies && world.up) world.lose(2);
          if (sweeps || dies) await world.sweep();
          if (dies) await world.sweep();
          const together = world.up && world.allTold;
          const { times } = await burst(world, limiters[instance] as RateLimiter, limit, count);
          admitted.push(...times);
          if (!together || times.length === 0) continue;
          const last = times.at(-1) as number;
          const within = admitted.filter((earlier) => last - earlier < window.ms - 0.001).length;
          assert.ok(within <= limit, `${within} of ${limit} in the window before ${last}`);
          after += 1;
        }
      }),
      { numRuns: 150 },
    );
    assert.ok(after > 60, `${after} bursts were decided together`);
  });

  it('count once what an instance tells again because the answer was lost', async () => {
    const world = new World(redis, requestWindow);
    const [first, second] = [world.instance(77_000, () => 0, 2), world.instance(0, () => 0, 2)];
    world.turn(false);
    assert.equal((await burst(world, first, 100, 100)).times.length, 50, 'its share');
    world.turn(true);
    world.lose(1);
    await world.sweep();
    assert.equal((await burst(world, second, 100, 30)).times.length, 30);
    world.turn(false);
    world.time += 5;
    assert.equal((await burst(world, second, 100, 100)).times.length, 20, 'its share, but for what it has had');
    world.turn(true);
    world.lose(3);
    await world.sweep();
    await world.sweep();
    world.time += 59_997;
    assert.equal((await burst(world, first, 100, 100)).times.length, 80, 'all but the last 20 have left the window');
  });

  // A violation would need a token that is neither used nor returned when its holder asks again.
  it('admit through one instance exactly what a window without leases would', async () => {
    await fc.assert(
      fc.asyncProperty(runs, limits, delays, async ({ window, given }, limit, stream) => {
        const world = new World(redis, window);
        const limiter = world.instance(77_000, () => stream.next().value as number);
        const admitted: number[] = [];
        for (const { pause, count, sweeps } of given) {
          world.time += pause;
          if (sweeps) await world.sweep();
          const began = world.time;
          const { times, refusals } = await burst(world, limiter, limit, count);
          admitted.push(...times);
          if (refusals === 0) continue;
          // Refused only while the window was full: at most an answer's time had passed since the earlier admissions
          // left it.
          const full = admitted.filter((time) => began - time < window.ms + 2 * world.slowestMs + 2).length;
          assert.ok(full >= limit, `${refusals} refused with ${full} of ${limit} counted`);
        }
      }),
      { numRuns: 150 },
    );
  });
});
