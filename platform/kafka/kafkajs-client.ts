// Creates kafkajs clients, one per role, since each role needs its own timeouts. Also owns what the library keeps globally: its codecs, its
// log, and a busy timer.
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { Sasl } from '../config/link-settings.ts';
import type { TlsFiles } from '../links/tls-files.ts';
import { monotonicMs } from '../process/clock.ts';
import { installCodecs } from './codecs.ts';

type ClientSettings = {
  brokers: readonly string[];
  clientId: string;
  sasl: Sasl | null;
  /** Null: no TLS. */
  tls: TlsFiles | null;
  log: Log;
};

export type ClientRole = {
  connectionTimeoutMs: Millis;
  requestTimeoutMs: Millis;
  retry: kafkajs.RetryOptions;
  /** Receives every line of the library's log, the only place where it reports some events. */
  onLine?: (line: LibraryLine) => void;
};

export type LibraryLine = { message: string; topic?: unknown; partition?: unknown };

/** Repeats of a message are dropped for this long: otherwise an unreachable broker would flood the log. */
const quietMs: Millis = 10_000;

/** Creates a client; does not connect yet. */
export function openClient(settings: ClientSettings, role: ClientRole): kafkajs.Kafka {
  installCodecs();
  calmRequestQueues();
  return new kafkajs.Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ssl: settings.tls ?? false,
    // A copy, because the library adds functions to it, and settings with functions cannot be passed to a thread.
    ...(settings.sasl === null ? {} : { sasl: { ...settings.sasl } as kafkajs.SASLOptions }),
    connectionTimeout: role.connectionTimeoutMs,
    requestTimeout: role.requestTimeoutMs,
    retry: role.retry,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => passOn(settings.log, role.onLine),
  });
}

/** The library logs its own retries as errors, so nothing is logged above a warning. */
function passOn(log: Log, onLine: ClientRole['onLine']): (entry: kafkajs.LogEntry) => void {
  const loggedAt = new Map<string, Millis>();
  return ({ namespace, level, log: { message, ...rest } }) => {
    onLine?.({ message, ...rest });
    const now = monotonicMs();
    if (now - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    if (loggedAt.size > 100) loggedAt.clear();
    loggedAt.set(message, now);
    const error = rest.error === undefined ? {} : { error: String(rest.error) };
    const fields = { part: namespace, line: message, ...error };
    if (level <= kafkajs.logLevel.ERROR) log.warn('kafka client', fields);
    else log.debug('kafka client', fields);
  };
}

type RequestQueue = { pending: unknown[]; throttledUntil: number; scheduleCheckPendingRequests(): void };
let calmed = false;

/**
 * kafkajs 2.2.4 sets a timer with a negative delay, which means 1 ms, after each request, forever, on every connection. The check is only
 * useful while requests wait; the rest of the method is the library's.
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
