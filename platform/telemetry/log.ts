// Writes log lines to stderr through pino: as JSON, or readable text on a terminal. Callers log names and numbers, never secrets; as a
// precaution, fields that usually contain secrets are redacted.
import { isatty } from 'node:tty';
import { destination, pino } from 'pino';
import type { Log } from '../../core/ports/telemetry.ts';
import { readableLine } from './readable-line.ts';

/** Who writes the lines: each of them says so, but for those on a terminal, where it is always the same. */
type Writer = { roles: readonly string[]; instance: string; version: string };

/** Lines that could not be written yet and wait; with more, lines are lost. */
const mostWaitingBytes = 1024 * 1024;

/** A log of the given level. `writer` left out: a command, whose lines only its caller reads. */
export function openLog(level: string, writer?: Writer): Log {
  const redact = ['authorization', 'key', 'api_key', 'feed_key', '*.authorization'];
  const out = destination({ fd: 2, sync: true, maxLength: mostWaitingBytes });
  // A full disk under the log is no reason to stop the service. The next line tries again.
  out.on('error', () => {});
  const readable = { write: (line: string) => void out.write(readableLine(line)) };
  const isRead = isatty(2);
  const base = writer === undefined || isRead ? null : baseOf(writer);
  const lines = pino({ level, base, redact, timestamp: pino.stdTimeFunctions.isoTime }, isRead ? readable : out);
  return {
    debug: (message, fields) => lines.debug(fields ?? {}, message),
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
  };
}

function baseOf({ roles, instance, version }: Writer) {
  return { role: roles.join(','), instance, version };
}
