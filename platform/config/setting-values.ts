// Parses and checks the texts of environment variables. Independent of which settings exist. A message never repeats a value that may
// contain a secret.
import { SettingError } from './setting-error.ts';

export function oneOf<const Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value.toLowerCase());
  if (found === undefined)
    throw new SettingError(name, `is ${value}, and must be one of ${choices.join(', ')}`, choices[0] ?? '');
  return found;
}

export function whole(name: string, value: string, least: number, most: number, example: string): number {
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new SettingError(name, `is ${value}, and must be a whole number from ${least} to ${most}`, example);
}

export function port(name: string, value: string): number {
  return whole(name, value, 0, 65_535, '8080');
}

/** A port; null for `off`. */
export function portOrOff(name: string, value: string): number | null {
  return value.toLowerCase() === 'off' ? null : port(name, value);
}

/** A decimal of zero or more, in millionths; exact, because charges depend on it. */
export function millionths(name: string, value: string): number {
  const [, units, fraction = ''] = /^([0-9]{1,6})(?:\.([0-9]{1,6}))?$/.exec(value) ?? [];
  if (units === undefined)
    throw new SettingError(name, `is ${value}, and must be a decimal of 0 or more with at most six places`, '0.1');
  return Number(units) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

/** `YYYY-MM`. */
export function month(name: string, value: string): string {
  if (!/^20[0-9]{2}-(0[1-9]|1[0-2])$/.test(value))
    throw new SettingError(name, `is ${value}, and must be a month as YYYY-MM`, '2026-08');
  return value;
}

export function host(name: string, value: string): string {
  if (!/^[A-Za-z0-9._:-]+$/.test(value))
    throw new SettingError(name, `is ${value}, and must be just an address or a host name`, '127.0.0.1');
  return value;
}

/** A secret that many guesses do not find. */
export function longSecret(name: string, value: string): string {
  if (/^[\x21-\x7e]{24,256}$/.test(value)) return value;
  throw new SettingError(name, 'must be 24 to 256 visible ASCII characters', 'an-example-of-24-letters');
}

/** An http or https URL, without a trailing slash. */
export function webUrl(name: string, value: string, example: string): string {
  if (!/^https?:$/.test(urlOf(value)?.protocol ?? ''))
    throw new SettingError(name, 'must be a URL that begins with http:// or https://', example);
  let url = value;
  while (url.endsWith('/')) url = url.slice(0, -1);
  return url;
}

/** A URL as `webUrl`, to which a path is appended: without query and fragment. */
export function baseOfPaths(name: string, value: string, example: string): string {
  if (/[?#]/.test(value))
    throw new SettingError(name, 'has a query or fragment, and paths are appended to it', example);
  return webUrl(name, value, example);
}

/** A URL that stands in answers for everyone: as `baseOfPaths`, and without a login. */
export function publicUrl(name: string, value: string, example: string): string {
  const url = baseOfPaths(name, value, example);
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  throw new SettingError(name, 'has a login in it, and stands in answers that everyone reads', example);
}

export function databaseUrl(name: string, value: string): string {
  const url = urlOf(value);
  const named = url !== null && (url.hostname !== '' || url.searchParams.has('host'));
  if (!named || !/^postgres(ql)?:$/.test(url.protocol))
    throw new SettingError(name, 'must be a PostgreSQL URL with a host', 'postgres://sds:secret@db:5432/sds');
  return value;
}

export function redisUrl(name: string, value: string): string {
  const url = urlOf(value);
  if (url === null || url.hostname === '' || !/^rediss?:$/.test(url.protocol))
    throw new SettingError(name, 'must be a Redis URL with a host', 'redis://redis:6379');
  // The library uses TLS only if the scheme is spelled in lower case.
  return url.protocol + value.slice(url.protocol.length);
}

/** `host:port,…` */
export function hostsWithPorts(name: string, value: string, example: string): string[] {
  return value.split(',').map((part) => {
    const each = part.trim();
    const number = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})$/.exec(each)?.[1];
    if (number === undefined || Number(number) < 1 || Number(number) > 65_535)
      throw new SettingError(name, `has the part ${each || '(empty)'}, and must be a list of host:port`, example);
    return each;
  });
}

/** A text that must match; `what` describes it. */
export function matching(name: string, value: string, pattern: RegExp, what: string, example: string): string {
  if (!pattern.test(value)) throw new SettingError(name, `is ${value}, and must be ${what}`, example);
  return value;
}

function urlOf(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}
