// The Prefer header (RFC 7240) as the service honours it: how long a request would rather wait than learn that nothing is new.

/** The seconds of the first preference `wait`; 0 where there is none, or it is not a number. Other preferences are passed over. */
export function preferredWait(field: string | null): number {
  for (const preference of preferencesOf(field ?? '')) {
    const [name = '', value = ''] = preference.replace(/;.*$/s, '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return digits.test(value.trim()) ? Number(value.trim()) : 0;
  }
  return 0;
}

const digits = /^[0-9]{1,9}$/;

/** The preferences, whose commas and semicolons in quotes separate nothing. Quotes around a number go; any other text in quotes is `_`. */
function preferencesOf(field: string): string[] {
  let plain = '';
  for (let at = 0; at < field.length; ) {
    if (field[at] !== '"') {
      plain += field[at];
      at += 1;
      continue;
    }
    const end = endOfQuotes(field, at);
    const text = field.slice(at + 1, end);
    plain += digits.test(text) && end < field.length ? text : '_';
    at = end + 1;
  }
  return plain.split(',');
}

/** Where the quotes that begin at `start` end: beyond the field where they do not, so that nothing behind them counts. */
function endOfQuotes(field: string, start: number): number {
  let at = start + 1;
  while (at < field.length && field[at] !== '"') at += field[at] === '\\' ? 2 : 1;
  return at;
}
