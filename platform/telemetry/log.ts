// Writes log lines to stderr through pino: as JSON, or readable text on a terminal. Callers log names and numbers, never secrets; as a
// precaution, fields that usually contain secrets are redacted.
import { isatty } from 'node:tty';
import { destination, pino } from 'pino';
import type { Log } from '../../core/ports/telemetry.ts';
import { readableLine } from './readable-line.ts';

/** A log of the given level. */
export function openLog(level: string): Log {
  const redact = ['authorization', 'key', 'api_key', 'feed_key', '*.authorization'];
  const out = destination({ fd: 2, sync: true });
  const readable = { write: (line: string) => void out.write(readableLine(line)) };
  const lines = pino(
    { level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime },
    isatty(2) ? readable : out,
  );
  return {
    debug: (message, fields) => lines.debug(fields ?? {}, message),
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
  };
}
