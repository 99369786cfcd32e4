// A process's membership in a shared count in Redis. A dead, frozen or slow Redis is detected by a heartbeat twice a second, or by calls
// that waited 50 ms; from then on no request waits for it until a heartbeat succeeds. Redis may still run an abandoned command when it
// recovers: then it has counted too much, never too little. The heartbeats also count the instances. While Redis is unreachable, the
// instances count each other elsewhere, so that a new one takes its share and no more. Independent of what is counted.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { TlsFiles } from '../links/tls-files.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { within } from '../process/deadline.ts';
import { instancesScript } from './scripts.ts';

const patienceMs: Millis = 50;
const connectMs: Millis = 1_000;
const reconnectMs: Millis = 200;
const beatMs: Millis = 500;
const beatWhileAwayMs: Millis = 250;
/** An instance counts for this long after its last heartbeat. */
const instanceMs: Millis = 5_000;
/** How often the instances count each other elsewhere. */
const elsewhereMs: Millis = 2_000;
/** This many consecutive failures stop further calls. */
const failuresThatOpen = 5;

export type RedisMember = {
  /** Whether to call Redis now. */
  ready(): boolean;
  /** How many instances share the count, as far as known. */
  instances(): number;
  /** Runs a script. Rejects if there is no answer in time: the script may or may not have run. */
  ask(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  close(): Promise<void>;
};

export type MemberOptions = {
  url: string;
  /** For a `rediss:` URL; null: what Node trusts, and no certificate. */
  tls?: TlsFiles | null;
  instanceId: string;
  log: Log;
  /** Services with different prefixes can share a Redis without sharing a count. */
  prefix: string;
  /** What is counted, for the log lines of an outage: "requests". */
  counted: string;
  /** How many instances there are, including this one, counted outside Redis. */
  countInstances(): Promise<number>;
};

export function openRedisMember({
  url,
  tls = null,
  instanceId,
  log,
  prefix,
  counted,
  countInstances,
}: MemberOptions): RedisMember {
  const redis = new Redis(url, {
    ...(tls === null ? {} : { tls }),
    // No request waits this long; the time-out only frees abandoned commands.
    commandTimeout: 20 * patienceMs,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 1,
    // Batches the calls of one turn of the event loop.
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    retryStrategy: () => reconnectMs,
  });
  // A connection failure also fails a command or a heartbeat, which reports it.
  redis.on('error', () => {});
  const instancesKey = `${prefix}:instances`;
  const closing = new AbortController();
  let failures = failuresThatOpen;
  /** Whether the outage was logged. */
  let isOutageLogged = false;
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
    if (isOutageLogged || failures < failuresThatOpen) return;
    isOutageLogged = true;
    log.warn(`${counted} are counted by this process alone`, { error: error instanceof Error ? error.message : '' });
  }

  async function beat(): Promise<void> {
    // Do not call a Redis unreachable that had no time to connect; a refused connection is an error at once.
    await within(connectMs, once(redis, 'ready', { signal: closing.signal })).catch(() => {});
    while (!closing.signal.aborted) {
      try {
        instances = Number(await run(instancesOf, [instancesKey], [instanceId, instanceMs]));
        failures = 0;
        awaySince = null;
        if (isOutageLogged) log.info(`${counted} are counted together again`);
        isOutageLogged = false;
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
    // Not all instances have registered elsewhere yet: until then, the ones that Redis knew count as well.
    const known = time - awaySince < instanceMs ? instances : 1;
    countInstances().then(
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

type Script = { text: string; sha: string };

export function scriptOf(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

const instancesOf = scriptOf(instancesScript);
