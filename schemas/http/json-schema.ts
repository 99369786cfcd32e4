// Converts the Zod schemas that check the routes to JSON Schema 2020-12, as OpenAPI 3.1 uses it. Independent of routes.
import { z } from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A schema that describes requests or answers. */
export type Shape = z.ZodType;

export function refTo(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schemas of `named`, with references to each other by name. */
export function componentSchemas(named: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => refTo('schemas', id).$ref });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema as JsonSchema)]));
}

/** The schema of a parameter and its description: its text form, unless the schema names a better one. */
export function parameterSchema(schema: z.ZodType): { schema: JsonSchema; description: string; required: boolean } {
  const required = !(schema instanceof z.ZodOptional);
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const { documented, description = '' } = z.globalRegistry.get(inner) ?? {};
  const { description: _said, ...shown } = (documented as JsonSchema | undefined) ?? inlineSchema(inner);
  return { schema: shown, description, required };
}

/** The schema of a value on its own. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
}

function plain({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
