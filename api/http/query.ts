// The query of a URL, read strictly: every parameter is known, stands once and is valid UTF-8 under its percent-encoding; anything
// else is an error that names it (docs/interface.md#routes; docs/interface.md#problem-types). `+` is a space, as forms and most clients write it.
import type { z } from 'zod';

/** The parameters a route takes. */
export type QueryShape = Readonly<Record<string, z.ZodType>>;

export type QueryValues<Shape extends QueryShape> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

export type QueryReading<Shape extends QueryShape> =
  | { ok: true; values: QueryValues<Shape> }
  | { ok: false; detail: string };

/** What follows the first `?` of a request target; empty without one. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

const emptyReadings = new WeakMap<QueryShape, QueryReading<QueryShape>>();

/** Reads `query` as the parameters of `shape`. */
export function readQuery<Shape extends QueryShape>(query: string, shape: Shape): QueryReading<Shape> {
  if (query !== '') return read(query, shape);
  // Most requests have none, and what that means is always the same.
  const known = emptyReadings.get(shape) ?? read('', shape);
  emptyReadings.set(shape, known);
  return known as QueryReading<Shape>;
}

function read<Shape extends QueryShape>(query: string, shape: Shape): QueryReading<Shape> {
  const texts = new Map<string, string>();
  if (query !== '') {
    for (const [index, pair] of query.split('&').entries()) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      const text = equals === -1 ? '' : decode(pair.slice(equals + 1));
      if (name === null || text === null) return refuse('a parameter is not valid percent-encoded UTF-8');
      if (!Object.hasOwn(shape, name)) return refuse(`unknown parameter ${told(name, index + 1)}`);
      if (texts.has(name)) return refuse(`${name} is given more than once`);
      texts.set(name, text);
    }
  }
  const values: Record<string, unknown> = {};
  for (const name in shape) {
    const parsed = (shape[name] as z.ZodType).safeParse(texts.get(name));
    if (!parsed.success) {
      const missing = !texts.has(name);
      return refuse(`${name} ${missing ? 'is required' : (parsed.error.issues[0]?.message ?? 'is invalid')}`);
    }
    values[name] = parsed.data;
  }
  return { ok: true, values: values as QueryValues<Shape> };
}

function refuse(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}

function decode(text: string): string | null {
  // Characters beyond ASCII do not stand in a request target: clients encode them.
  if (nonAscii.test(text)) return null;
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "all of ASCII"
const nonAscii = /[^\x00-\x7f]/;

/** A name that a client sent is repeated to it when it could be one: no key, no script, nothing endless. */
function told(name: string, place: number): string {
  return plainName.test(name) && !keyPrefix.test(name) ? `'${name}'` : `in place ${place}`;
}

const plainName = /^[0-9A-Za-z_.[\]-]{1,32}$/;
const keyPrefix = /svc_(?:live|feed)_/;
