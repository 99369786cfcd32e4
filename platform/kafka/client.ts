// kafkajs clients as this driver wants them: one per role, since each role has its own patience. Owns what the library does globally:
// its codecs, its log, and one busy timer of its own.
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs } from '../process/clock.ts';
import { installCodecs } from './codecs.ts';

export type Sasl = { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };

export type ClientSettings = {
  brokers: readonly string[];
  clientId: string;
  sasl: Sasl | null;
  ssl: boolean;
  log: Log;
};

export type ClientRole = {
  connectionTimeoutMs: Millis;
  requestTimeoutMs: Millis;
  retry: kafkajs.RetryOptions;
  /** Sees every line of the library's log: some of what it does is told nowhere else. */
  onLine?: (line: LibraryLine) => void;
};

export type LibraryLine = { message: string; topic?: unknown; partition?: unknown };

/** The same message is passed on once in so long: a broker that is away would fill the log. */
const quietMs: Millis = 10_000;

/** Makes a client. Nothing is connected yet. */
export function openClient(settings: ClientSettings, role: ClientRole): kafkajs.Kafka {
  installCodecs();
  calmRequestQueues();
  return new kafkajs.Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ssl: settings.ssl,
    ...(settings.sasl === null ? {} : { sasl: settings.sasl as kafkajs.SASLOptions }),
    connectionTimeout: role.connectionTimeoutMs,
    requestTimeout: role.requestTimeoutMs,
    retry: role.retry,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => passOn(settings.log, role.onLine),
  });
}

/** The library's errors are mostly its own retries: a warning is as loud as it gets. */
function passOn(log: Log, onLine: ClientRole['onLine']): (entry: kafkajs.LogEntry) => void {
  const saidAt = new Map<string, Millis>();
  return ({ namespace, level, log: { message, ...rest } }) => {
    onLine?.({ message, ...rest });
    const now = monotonicMs();
    if (now - (saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    if (saidAt.size > 100) saidAt.clear();
    saidAt.set(message, now);
    const error = rest.error === undefined ? {} : { error: String(rest.error) };
    const fields = { part: namespace, line: message, ...error };
    if (level <= kafkajs.logLevel.ERROR) log.warn('kafka client', fields);
    else log.debug('kafka client', fields);
  };
}

type RequestQueue = { pending: unknown[]; throttledUntil: number; scheduleCheckPendingRequests(): void };
let calmed = false;

/**
 * kafkajs 2.2.4 sets a timer with a negative delay, which means 1 ms, after each request, for ever, on every connection. Looking again is
 * of use only while requests wait; the rest of the method is the library's.
 */
function calmRequestQueues(): void {
  if (calmed) return;
  calmed = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
