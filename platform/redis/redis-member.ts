// A process' place at a shared count in Redis. A Redis that is gone, frozen or slow is found out by a heartbeat twice a second, or by the questions
// that waited 50 ms for it; from then on no request waits for it until a heartbeat was answered. A command that was given up may still be run
// when Redis wakes: then it has counted too much, never too little. The heartbeats also tell how many instances there are; while Redis is away
// they count each other elsewhere, so that one that starts meanwhile takes its share and no more. Unaware of what is counted.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { within } from '../process/deadline.ts';
import { instancesScript } from './window-script.ts';

const patienceMs: Millis = 50;
const connectMs: Millis = 1_000;
const reconnectMs: Millis = 200;
const beatMs: Millis = 500;
const beatWhileAwayMs: Millis = 250;
/** An instance counts for so long after its last heartbeat. */
const instanceMs: Millis = 5_000;
/** How often they count each other elsewhere. */
const elsewhereMs: Millis = 2_000;
/** So many questions in a row have to fail before it is asked no more. */
const failuresThatOpen = 5;

export type RedisMember = {
  /** Whether it is to be asked now. */
  ready(): boolean;
  /** How many instances share the count, as far as is known. */
  instances(): number;
  /** Runs a script. Rejects when there is no answer in time: whether it has run is then not known. */
  ask(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  close(): Promise<void>;
};

export type MemberOptions = {
  url: string;
  instanceId: string;
  log: Log;
  /** Keeps apart who shares a Redis and no count. */
  prefix: string;
  /** What is counted, in the lines that tell of an outage: "requests". */
  counted: string;
  /** How many instances there are, this one among them, as others can tell. */
  company(): Promise<number>;
};

export function openRedisMember({ url, instanceId, log, prefix, counted, company }: MemberOptions): RedisMember {
  const redis = new Redis(url, {
    // No request waits so long: it only forgets what was given up.
    commandTimeout: 20 * patienceMs,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 1,
    // Questions of one turn of the event loop go together.
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    retryStrategy: () => reconnectMs,
  });
  // Each failure of the connection is also one of a command or of a heartbeat, and told there.
  redis.on('error', () => {});
  const instancesKey = `${prefix}:instances`;
  const closing = new AbortController();
  let failures = failuresThatOpen;
  /** Whether it was said that it is away. */
  let told = false;
  let instances = 1;
  let awaySince: Millis | null = null;
  let askedElsewhereAt: Millis | null = null;
  const beating = beat();

  async function run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await within(patienceMs, redis.evalsha(script.sha, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await within(patienceMs, redis.eval(script.text, keys.length, ...keys, ...args));
    }
  }

  function failed(error: unknown, by: number): void {
    failures += by;
    if (told || failures < failuresThatOpen) return;
    told = true;
    log.warn(`${counted} are counted by this process alone`, { error: error instanceof Error ? error.message : '' });
  }

  async function beat(): Promise<void> {
    // A Redis to which there was no time to connect is not away; one that refuses is an error at once.
    await within(connectMs, once(redis, 'ready', { signal: closing.signal })).catch(() => {});
    while (!closing.signal.aborted) {
      try {
        instances = Number(await run(instancesOf, [instancesKey], [instanceId, instanceMs]));
        failures = 0;
        awaySince = null;
        if (told) log.info(`${counted} are counted together again`);
        told = false;
      } catch (error) {
        if (closing.signal.aborted) return;
        failed(error, failuresThatOpen);
        countElsewhere();
      }
      await sleep(failures < failuresThatOpen ? beatMs : beatWhileAwayMs, closing.signal);
    }
  }

  function countElsewhere(): void {
    const time = monotonicMs();
    awaySince ??= time;
    if (askedElsewhereAt !== null && time - askedElsewhereAt < elsewhereMs) return;
    askedElsewhereAt = time;
    // Not all have been there from the first moment: until they have, whom Redis knew counts as well.
    const known = time - awaySince < instanceMs ? instances : 1;
    company().then(
      (members) => {
        if (awaySince !== null) instances = Math.max(known, members);
      },
      () => {},
    );
  }

  return {
    ready: () => failures < failuresThatOpen && redis.status === 'ready',
    instances: () => instances,
    async ask(script, keys, args) {
      try {
        const reply = await run(script, keys, args);
        failures = 0;
        return reply;
      } catch (error) {
        failed(error, 1);
        throw error;
      }
    },
    async close() {
      closing.abort();
      await beating;
      if (redis.status === 'ready') await redis.zrem(instancesKey, instanceId).catch(() => {});
      redis.disconnect();
    },
  };
}

export type Script = { text: string; sha: string };

export function scriptOf(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

const instancesOf = scriptOf(instancesScript);
