// Converts PostgreSQL's values: times are micros, 64-bit integers are safe numbers, dates stay text, JSON is parsed. Independent of tables.
import pg from 'pg';
import type { Micros } from '../../core/units.ts';

const { builtins } = pg.types;

/** Parses a `timestamptz` as PostgreSQL prints it in UTC. By hand, because `Date` has no microseconds. */
function parseTimestamp(text: string): Micros {
  const match = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (match === null) throw new RangeError(`unreadable timestamp ${text}`);
  const field = (index: number) => Number(match[index]);
  const ms = Date.UTC(field(1), field(2) - 1, field(3), field(4), field(5), field(6));
  return ms * 1000 + Number((match[7] ?? '').padEnd(6, '0'));
}

/** A time as a parameter of type `timestamptz`; exact to the microsecond. */
export function timestampText(micros: Micros): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  return `${new Date(ms).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** The same for a time that may be absent. */
export function timestampOrNull(micros: Micros | null): string | null {
  return micros === null ? null : timestampText(micros);
}

/** A 64-bit integer; we store none beyond the safe range. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`);
  return value;
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.INT8, parseInt8],
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMP, (text) => text],
  [builtins.INTERVAL, (text) => text],
  [1115, (text) => text],
  [1182, (text) => text],
]);

type TypeParsers = NonNullable<pg.ClientConfig['types']>;

/** The parsers for a client; other types use the driver's own (bytea: Buffer, jsonb: parsed, numeric: text). */
export const valueTypes: TypeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    pg.types.getTypeParser(oid, format as 'text')) as TypeParsers['getTypeParser'],
};

/** An escape of JSON; its group is there if it is one that PostgreSQL's text cannot hold. */
const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|[\s\S])/g;

/** JSON as a `jsonb` parameter. PostgreSQL's text cannot hold U+0000 or an unpaired surrogate: hostile ones become U+FFFD. */
export function jsonParameter(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes complete pairs and other characters as themselves; only these become escapes of this kind.
  return text.includes('\\u') ? text.replace(escapes, (found, bad) => (bad === undefined ? found : '\\ufffd')) : text;
}

/** Text as a parameter; see `jsonParameter`. */
export function textParameter<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.replaceAll('\0', '\ufffd')) as Text;
}
