// Whether a value fits a JSON Schema, by the keywords that the API description uses. An unknown keyword is an error, so
// that nothing passes unchecked. Used by tests only.

export type Schema = { readonly [keyword: string]: unknown };
type Fault = string;

/** What does not fit, each with its location; empty if all fits. `#/…` references lead into `definitions`. */
export function faultsOf(value: unknown, schema: Schema, definitions: Schema, at = '$'): Fault[] {
  return Object.entries(schema).flatMap(([keyword, wanted]) => {
    const check = keywords[keyword];
    if (check === undefined) return [`${at}: the schema has the unknown keyword ${keyword}`];
    return check(value, wanted, { schema, definitions, at });
  });
}

type Context = { schema: Schema; definitions: Schema; at: string };
type Check = (value: unknown, wanted: unknown, context: Context) => Fault[];

const annotation: Check = () => [];
const fits = (value: unknown, schema: unknown, { definitions, at }: Context) =>
  faultsOf(value, schema as Schema, definitions, at);
const unless = (good: boolean, at: string, what: string): Fault[] => (good ? [] : [`${at}: ${what}`]);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keywords: Readonly<Record<string, Check>> = {
  description: annotation,
  examples: annotation,
  format: annotation,
  default: annotation,
  $ref: (value, wanted, context) => fits(value, resolve(context.definitions, wanted as string), context),
  type: (value, wanted, { at }) =>
    unless(
      [wanted].flat().some((type) => isOfType(value, type as string)),
      at,
      `${JSON.stringify(value)} is no ${wanted}`,
    ),
  const: (value, wanted, { at }) => unless(value === wanted, at, `${JSON.stringify(value)} is not ${wanted}`),
  enum: (value, wanted, { at }) =>
    unless((wanted as unknown[]).includes(value), at, `${JSON.stringify(value)} is none of ${wanted}`),
  pattern: (value, wanted, { at }) =>
    unless(
      typeof value !== 'string' || new RegExp(wanted as string, 'u').test(value),
      at,
      `${value} is not like ${wanted}`,
    ),
  minLength: (value, wanted, { at }) =>
    unless(typeof value !== 'string' || value.length >= (wanted as number), at, 'is too short'),
  maxLength: (value, wanted, { at }) =>
    unless(typeof value !== 'string' || value.length <= (wanted as number), at, 'is too long'),
  minimum: (value, wanted, { at }) =>
    unless(typeof value !== 'number' || value >= (wanted as number), at, `${value} is below ${wanted}`),
  maximum: (value, wanted, { at }) =>
    unless(typeof value !== 'number' || value <= (wanted as number), at, `${value} is above ${wanted}`),
  required: (value, wanted, { at }) =>
    !isObject(value)
      ? []
      : (wanted as string[]).flatMap((name) => unless(Object.hasOwn(value, name), at, `${name} is missing`)),
  properties: (value, wanted, context) =>
    !isObject(value)
      ? []
      : Object.entries(wanted as Record<string, Schema>).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? fits(value[name], schema, { ...context, at: `${context.at}.${name}` }) : [],
        ),
  additionalProperties(value, wanted, context) {
    if (!isObject(value)) return [];
    const known = new Set(Object.keys((context.schema.properties ?? {}) as object));
    return Object.entries(value)
      .filter(([name]) => !known.has(name))
      .flatMap(([name, member]) => {
        if (typeof wanted !== 'boolean') return fits(member, wanted, { ...context, at: `${context.at}.${name}` });
        return unless(wanted, context.at, `${name} is not known`);
      });
  },
  propertyNames: (value, wanted, context) =>
    isObject(value) ? Object.keys(value).flatMap((name) => fits(name, wanted, context)) : [],
  items: (value, wanted, context) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => fits(item, wanted, { ...context, at: `${context.at}[${index}]` }))
      : [],
  minItems: (value, wanted, { at }) =>
    unless(!Array.isArray(value) || value.length >= (wanted as number), at, `has fewer than ${wanted} items`),
  maxItems: (value, wanted, { at }) =>
    unless(!Array.isArray(value) || value.length <= (wanted as number), at, `has more than ${wanted} items`),
  anyOf: (value, wanted, context) => {
    const tries = (wanted as Schema[]).map((schema) => fits(value, schema, context));
    return tries.some((faults) => faults.length === 0) ? [] : tries.flat();
  },
  oneOf: (value, wanted, context) => {
    const tries = (wanted as Schema[]).map((schema) => fits(value, schema, context));
    const fitting = tries.filter((faults) => faults.length === 0).length;
    if (fitting === 1) return [];
    return fitting === 0 ? tries.flat() : [`${context.at}: fits ${fitting} schemas of which one is meant`];
  },
};

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** What `#/a/b` refers to in a document. */
export function resolve(document: Schema, reference: string): Schema {
  assertLocal(reference);
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) found = (found as Record<string, unknown> | undefined)?.[part];
  if (found === undefined) throw new Error(`${reference} refers to nothing`);
  return found as Schema;
}

function assertLocal(reference: string): void {
  if (!reference.startsWith('#/')) throw new Error(`${reference} refers to another document`);
}
