// A log line for people: the time of day, the level if it is not the usual one, the message and its fields.

const levels: Readonly<Record<number, string>> = { 20: 'debug ', 40: 'warning ', 50: 'error ', 60: 'fatal ' };

/** `line`: the line as JSON. */
export function readableLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg: string };
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  return `${time.slice(11, 19)} ${levels[level] ?? ''}${printable(msg + pairs.join(''))}\n`;
}

/** Without what a terminal would obey: C0, DEL and C1, which senders may have put into names and texts. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\s"]/.test(text) ? JSON.stringify(text) : text;
}
