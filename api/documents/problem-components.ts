// Problem documents as components of the API description: one schema per type, one response per status and set of types.
import { problemMembers } from '../../schemas/http/problem-members.ts';
import { type ProblemCode, type ProblemType, problemMediaType, problemTypes } from '../../schemas/http/problems.ts';
import { type AnswerHeader, rateLimitHeaders } from './headers.ts';
import { inlineSchema, type JsonSchema, refTo } from './json-schema.ts';

/** `rate-limited` is `RateLimited`. */
function pascal(code: string): string {
  return code.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

export function problemUri(baseUrl: string, code: ProblemCode): string {
  return `${baseUrl}/problems/${code}`;
}

/** The schemas of all types, each told apart by its `type`. */
export function problemSchemas(baseUrl: string): Record<string, JsonSchema> {
  const codes = Object.keys(problemTypes) as ProblemCode[];
  return Object.fromEntries(codes.map((code) => [schemaName(code), problemSchema(baseUrl, code)]));
}

function schemaName(code: ProblemCode): string {
  return `${pascal(code)}Problem`;
}

function problemSchema(baseUrl: string, code: ProblemCode): JsonSchema {
  const { title, statuses, meaning, remedy }: ProblemType = problemTypes[code];
  const members = membersOf(code);
  return {
    type: 'object',
    description: `${meaning} ${remedy}`,
    required: ['type', 'title', 'status', ...members.required],
    properties: {
      type: { type: 'string', const: problemUri(baseUrl, code) },
      title: { type: 'string', description: 'Prose that may change.', examples: [title] },
      status: statuses.length === 1 ? { type: 'integer', const: statuses[0] } : { type: 'integer', enum: statuses },
      detail: { type: 'string' },
      ...members.properties,
    },
  };
}

function membersOf(code: ProblemCode): { properties: JsonSchema; required: readonly string[] } {
  if (!isExtended(code)) return { properties: {}, required: [] };
  const schema = inlineSchema(problemMembers[code]);
  return { properties: schema.properties as JsonSchema, required: (schema.required ?? []) as readonly string[] };
}

function isExtended(code: ProblemCode): code is keyof typeof problemMembers {
  return Object.hasOwn(problemMembers, code);
}

/** The name of the response of these types under this status: that of the first type's usual status goes without saying. */
export function responseName(status: number, codes: readonly ProblemCode[]): string {
  const [first] = codes as [ProblemCode];
  const usual = problemTypes[first].statuses[0] === status;
  return `${codes.map(pascal).join('Or')}${usual ? '' : status}`;
}

const headersOfCodes: Partial<Record<ProblemCode, readonly AnswerHeader[]>> = {
  'invalid-key': ['WWW-Authenticate'],
  'rate-limited': ['Retry-After'],
  'temporarily-unavailable': ['Retry-After'],
  'range-not-satisfiable': ['Content-Range', 'Accept-Ranges'],
};

/** A response with one of these types; to HEAD without its body. */
export function problemResponse(codes: readonly ProblemCode[], withBody: boolean): JsonSchema {
  const headers: AnswerHeader[] = [
    'X-Request-Id',
    'Cache-Control',
    'Vary',
    ...rateLimitHeaders,
    ...new Set(codes.flatMap((code) => headersOfCodes[code] ?? [])),
  ];
  return {
    description: codes.map((code) => `\`${code}\`: ${problemTypes[code].meaning}`).join('\n\n'),
    headers: headerRefs(headers),
    ...(withBody ? { content: { [problemMediaType]: { schema: anyOfTypes(codes) } } } : {}),
  };
}

function anyOfTypes(codes: readonly ProblemCode[]): JsonSchema {
  const refs = codes.map((code) => refTo('schemas', schemaName(code)));
  return refs.length === 1 ? (refs[0] as JsonSchema) : { oneOf: refs };
}

export function headerRefs(names: readonly AnswerHeader[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}
