// A log line for people: the time of day, the level if it is not the usual one, the message and its fields.
import { inOneLine } from '../../core/printable.ts';

const levels: Readonly<Record<number, string>> = { 20: 'debug ', 40: 'warning ', 50: 'error ', 60: 'fatal ' };

/** `line`: the line as JSON. */
export function readableLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg: string };
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  return `${time.slice(11, 19)} ${levels[level] ?? ''}${inOneLine(msg + pairs.join(''))}\n`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\s"]/.test(text) ? JSON.stringify(text) : text;
}
