// The Prefer header (RFC 7240), as far as the service honours it: how long a request would wait for changes.

/** The seconds of the first `wait` preference; 0 if there is none or it is not a number. Other preferences are ignored. */
export function preferredWait(field: string | null): number {
  for (const preference of preferencesOf(field ?? '')) {
    const [name = '', value = ''] = preference.replace(/;.*$/s, '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return digits.test(value.trim()) ? Number(value.trim()) : 0;
  }
  return 0;
}

const digits = /^[0-9]{1,9}$/;

/**
 * The preferences. Commas and semicolons inside quotes do not separate. Quotes around a number are removed; any other quoted text becomes
 * `_`.
 */
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

/** The end of the quotes that begin at `start`; beyond the field if they are not closed, so that nothing after them counts. */
function endOfQuotes(field: string, start: number): number {
  let at = start + 1;
  while (at < field.length && field[at] !== '"') at += field[at] === '\\' ? 2 : 1;
  return at;
}
