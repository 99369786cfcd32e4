// Writes log lines as JSON to stderr, through pino. Callers pass names and numbers, never secrets; as a precaution, the fields that usually
// carry secrets are redacted.
import { destination, pino } from 'pino';
import type { Log } from '../../core/ports/telemetry.ts';

/** A log of the given level. */
export function openLog(level: string): Log {
  const redact = ['authorization', 'key', 'api_key', 'feed_key', '*.authorization'];
  const lines = pino(
    { level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
  return {
    debug: (message, fields) => lines.debug(fields ?? {}, message),
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
  };
}
