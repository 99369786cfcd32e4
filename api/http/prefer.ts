// The Prefer header (RFC 7240) as the service honours it: how long a request would rather wait than be told that nothing is new.

/** The seconds of the first preference `wait`; 0 where there is none, or it is not a number. Other preferences are passed over. */
export function preferredWait(field: string | null): number {
  if (field === null) return 0;
  // Texts in quotes may contain commas. Only the number of a wait matters.
  const plain = field.replaceAll(quoted, (_all, text: string) => (digits.test(text) ? text : '_'));
  for (const preference of plain.split(',')) {
    const [name = '', value = ''] = preference.replace(/;.*$/s, '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return digits.test(value.trim()) ? Number(value.trim()) : 0;
  }
  return 0;
}

const quoted = /"((?:[^"\\]|\\.)*)"/g;
const digits = /^[0-9]{1,9}$/;
