// Parses the query of a request into the parameters of its route, each by its schema.
import type { z } from 'zod';
import { readParameters } from '../../http/query.ts';

/** The parameters a route takes. */
export type QueryShape = Readonly<Record<string, z.ZodType>>;

export type QueryValues<Shape extends QueryShape> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

export type QueryReading<Shape extends QueryShape> =
  | { ok: true; values: QueryValues<Shape> }
  | { ok: false; detail: string };

const emptyReadings = new WeakMap<QueryShape, QueryReading<QueryShape>>();

/** Reads `query` as the parameters of `shape`. */
export function readQuery<Shape extends QueryShape>(query: string, shape: Shape): QueryReading<Shape> {
  if (query !== '') return read(query, shape);
  // Most requests have no query, and its result is always the same.
  const known = emptyReadings.get(shape) ?? read('', shape);
  emptyReadings.set(shape, known);
  return known as QueryReading<Shape>;
}

function read<Shape extends QueryShape>(query: string, shape: Shape): QueryReading<Shape> {
  const texts = readParameters(query, shape);
  if (typeof texts === 'string') return { ok: false, detail: texts };
  const values: Record<string, unknown> = {};
  for (const name in shape) {
    const parsed = (shape[name] as z.ZodType).safeParse(texts.get(name));
    if (!parsed.success) {
      const missing = !texts.has(name);
      const detail = `${name} ${missing ? 'is required' : (parsed.error.issues[0]?.message ?? 'is invalid')}`;
      return { ok: false, detail };
    }
    values[name] = parsed.data;
  }
  return { ok: true, values: values as QueryValues<Shape> };
}
