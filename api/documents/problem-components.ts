// Problem documents as components of the API description: one schema per type, one response per status and set of types.
import { type JsonSchema, refTo, type Shape } from '../../schemas/http/json-schema.ts';
import { problemMembers } from '../../schemas/http/problem-members.ts';
import { problemSchema, problemSchemaName } from '../../schemas/http/problem-schema.ts';
import { type ProblemCode, problemMediaType, problemTypes } from '../../schemas/http/problems.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { type AnswerHeader, rateLimitHeaders } from './headers.ts';
import { refusalsByStatus } from './refusals.ts';

/** The schemas of the types that the routes can be refused with; `type` discriminates them. */
export function problemSchemas(routes: readonly RouteFacts[], baseUrl: string): Record<string, JsonSchema> {
  // A GET can have whatever a HEAD can.
  const possible = new Set(routes.flatMap((route) => [...refusalsByStatus(route, 'GET').values()].flat()));
  const codes = (Object.keys(problemTypes) as ProblemCode[]).filter((code) => possible.has(code));
  return Object.fromEntries(
    codes.map((code) => [problemSchemaName(code), problemSchema(baseUrl, code, membersOf(code))]),
  );
}

function membersOf(code: ProblemCode): Shape | null {
  return isExtended(code) ? problemMembers[code] : null;
}

function isExtended(code: ProblemCode): code is keyof typeof problemMembers {
  return Object.hasOwn(problemMembers, code);
}

const headersOfCodes: Partial<Record<ProblemCode, readonly AnswerHeader[]>> = {
  'invalid-key': ['WWW-Authenticate'],
  'rate-limited': ['Retry-After'],
  'temporarily-unavailable': ['Retry-After'],
  'range-not-satisfiable': ['Content-Range', 'Accept-Ranges'],
};

/** A response with one of these types; to a HEAD without its body. */
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
  const refs = codes.map((code) => refTo('schemas', problemSchemaName(code)));
  return refs.length === 1 ? (refs[0] as JsonSchema) : { oneOf: refs };
}

export function headerRefs(names: readonly AnswerHeader[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}
