// Times as microseconds since the epoch (BigInt), read from RFC 3339 and written as docs/interface.md#timestamps says.

/**
 * RFC 3339 to microseconds; further digits are cut off. `undefined` if the text is not such a time. The leap second
 * 23:59:60 UTC is the beginning of the next day.
 */
export function readTime(text: string): bigint | undefined {
  const found =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/.exec(
      text,
    );
  if (found === null) return undefined;
  if (found[1] === '0000') return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const seconds =
    date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetMinutes * 60;
  if (Number(second) === 60 && seconds % 86_400 !== 0) return undefined;
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** A time that means something: one "before 1970 or after 2199 … counts as absent". */
export function readMeant(text: string): bigint | undefined {
  const time = readTime(text);
  return time === undefined ||
    time < readTime('1970-01-01T00:00:00Z')! ||
    time > readTime('2199-12-31T23:59:59.999999Z')!
    ? undefined
    : time;
}

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function writeTime(micros: bigint): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((micros - rest) / 1_000_000n);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(rest).padStart(6, '0')}Z`;
}

const eastern = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The calendar date in Eastern Time, `YYYYMMDD` (docs/interface.md#game-id). */
export function easternDate(micros: bigint): string {
  const parts = eastern.formatToParts(new Date(Number(micros / 1000n)));
  return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)!.value).join('');
}

export const second = 1_000_000n;
export const minute = 60n * second;
export const hour = 60n * minute;
