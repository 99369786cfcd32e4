// Problem documents in the API descriptions of both listeners: one schema per type, distinguished by its `type`, and names for the schemas
// and for the responses that contain them.
import { inlineSchema, type JsonSchema, type Shape } from './json-schema.ts';
import { type GatewayProblemCode, gatewayProblemTypes, type ProblemType } from './problems.ts';

/** `rate-limited` is `RateLimited`. */
function pascal(code: string): string {
  return code.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

export function problemSchemaName(code: GatewayProblemCode): string {
  return `${pascal(code)}Problem`;
}

/** The name of the response of these types with this status; the usual status of the first type is left out. */
export function problemResponseName(status: number, codes: readonly GatewayProblemCode[]): string {
  const [first] = codes as [GatewayProblemCode];
  const usual = gatewayProblemTypes[first].statuses[0] === status;
  return `${codes.map(pascal).join('Or')}${usual ? '' : status}`;
}

/** The schema of a type; `extended` holds the members that it adds. */
export function problemSchema(baseUrl: string, code: GatewayProblemCode, extended: Shape | null): JsonSchema {
  const { title, statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
  const members = extended === null ? { properties: {} } : inlineSchema(extended);
  return {
    type: 'object',
    description: `${meaning} ${remedy}`,
    required: ['type', 'title', 'status', ...((members.required ?? []) as readonly string[])],
    properties: {
      type: { type: 'string', const: `${baseUrl}/problems/${code}` },
      title: { type: 'string', description: 'Prose that may change.', examples: [title] },
      status: statuses.length === 1 ? { type: 'integer', const: statuses[0] } : { type: 'integer', enum: statuses },
      detail: { type: 'string' },
      ...(members.properties as JsonSchema),
    },
  };
}
