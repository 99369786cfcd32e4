// The OpenAPI 3.1 description of the push gateway, made from the declarations of its routes. Independent of the API, which describes
// itself.
import { componentSchemas, type JsonSchema, refTo } from '../../schemas/http/json-schema.ts';
import { licence } from '../../schemas/http/licence.ts';
import { problemResponseName, problemSchema, problemSchemaName } from '../../schemas/http/problem-schema.ts';
import { type GatewayProblemCode, gatewayProblemTypes, problemMediaType } from '../../schemas/http/problems.ts';
import { pushProblemMembers } from '../../schemas/http/pushes.ts';
import { mediaTypesOf } from '../gateway/read-body.ts';
import type { GatewayRoute } from '../gateway/route.ts';
import { bodies, bodyName } from './bodies.ts';
import { type AnswerHeader, answerHeaders, pathParameters, queryParameters, requestHeaders } from './parameters.ts';
import { refusalsByStatus } from './refusals.ts';

type Method = 'get' | 'head' | 'post';

/** `baseUrl`: that of the problem types. The server's address is that of the description itself. */
export function openApi(routes: readonly GatewayRoute[], baseUrl: string): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sports Data Service: push gateway',
      version: 'v1',
      summary: 'Where feed operators push quotes, reference data and bodies of MySportsFeeds.',
      description:
        'A push is answered with 202 once the log has it durably. A bad element is refused and listed in `rejected`; the others are accepted. Every failure is a problem document (RFC 9457): dispatch on its `type`. Unknown query parameters are refused. A key has its share of requests, inflated bytes and elements a second; beyond it the answer is 429 with `Retry-After`, and nothing of the push was accepted. On a UTC day it has quotas: of bytes, beyond which the answer is 429 until midnight, and of dead letters, beyond which refusals are counted in `letters_not_kept`.',
      license: licence,
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(routes.map((route) => [templateOf(route), operations(route)])),
    components: {
      securitySchemes: {
        feedKey: { type: 'http', scheme: 'bearer', description: 'A feed key: `svc_feed_` and 46 letters and digits.' },
      },
      parameters: Object.fromEntries(
        Object.entries(requestHeaders).map(([name, field]) => [
          name,
          { name, in: 'header', required: false, ...field },
        ]),
      ),
      headers: answerHeaders,
      schemas: { ...componentSchemas(bodies), ...problemSchemas(routes, baseUrl) },
      responses: failures(routes),
    },
  };
}

/** The path of a route in OpenAPI's notation. */
export function templateOf({ path }: GatewayRoute): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}');
}

function operations(route: GatewayRoute): JsonSchema {
  return route.method === 'POST'
    ? { post: operation(route, 'post') }
    : { get: operation(route, 'get'), head: operation(route, 'head') };
}

function operation(route: GatewayRoute, method: Method): JsonSchema {
  const { id, summary, details, key, scope, takes, gives, headers, validates } = route;
  const scoped = scope === null ? '' : `The key needs the scope \`${scope}\`.`;
  const description = [details ?? '', scoped].filter((part) => part !== '').join(' ');
  return {
    operationId: method === 'head' ? `${id}Head` : id,
    summary: method === 'head' ? 'The header fields of the GET, without a body.' : summary,
    ...(description === '' ? {} : { description }),
    security: key === 'none' || key === 'probe' ? [] : [{ feedKey: [] }],
    parameters: [...parametersOf(route), ...headers.map((name) => refTo('parameters', name))],
    ...(takes === null ? {} : { requestBody: { required: true, content: contentTaken(takes) } }),
    responses: {
      ...(validates
        ? {
            200: {
              description: 'With `validate=true`: the answer that the push would get. Nothing of it is kept.',
              headers: headerRefs([]),
              content: contentGiven(gives),
            },
          }
        : {}),
      [method === 'post' ? 202 : 200]: {
        description: method === 'post' ? 'The log has everything accepted.' : 'As asked.',
        headers: headerRefs([]),
        ...(method === 'head' ? {} : { content: contentGiven(gives) }),
      },
      ...Object.fromEntries(
        [...refusalsByStatus(route)].map(([status, codes]) => [
          status,
          refTo('responses', componentOf(status, codes, method)),
        ]),
      ),
    },
  };
}

function parametersOf({ path, query }: GatewayRoute): JsonSchema[] {
  const inPath = [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({ name, in: 'path', required: true }));
  const inQuery = query.map((name) => ({ name, in: 'query', required: false }));
  return [
    ...inPath.map((place) => ({ ...place, ...known(pathParameters, place.name) })),
    ...inQuery.map((place) => ({ ...place, ...known(queryParameters, place.name) })),
  ];
}

function known<Facts>(facts: Readonly<Record<string, Facts>>, name: string): Facts {
  const found = facts[name];
  if (found === undefined) throw new Error(`the description does not know what ${name} is`);
  return found;
}

function contentGiven(gives: GatewayRoute['gives']): JsonSchema {
  return typeof gives === 'string'
    ? { [gives]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: refTo('schemas', bodyName(gives)) } };
}

function contentTaken({ forms, body }: NonNullable<GatewayRoute['takes']>): JsonSchema {
  const lines = { type: 'string', description: 'One element per line.' };
  return Object.fromEntries(
    forms.flatMap((form) =>
      mediaTypesOf(form).map((type) => [type, { schema: form === 'json' ? refTo('schemas', bodyName(body)) : lines }]),
    ),
  );
}

function componentOf(status: number, codes: readonly GatewayProblemCode[], method: Method): string {
  return `${problemResponseName(status, codes)}${method === 'head' ? 'Head' : ''}`;
}

/** Each failing response of any route, once. */
function failures(routes: readonly GatewayRoute[]): JsonSchema {
  const found = new Map<string, JsonSchema>();
  for (const route of routes)
    for (const method of Object.keys(operations(route)) as Method[])
      for (const [status, codes] of refusalsByStatus(route))
        found.set(componentOf(status, codes, method), failure(codes, method));
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const headersOfCodes: Partial<Record<GatewayProblemCode, AnswerHeader>> = {
  'invalid-key': 'WWW-Authenticate',
  'rate-limited': 'Retry-After',
  'temporarily-unavailable': 'Retry-After',
};

function failure(codes: readonly GatewayProblemCode[], method: Method): JsonSchema {
  const schemas = codes.map((code) => refTo('schemas', problemSchemaName(code)));
  const more = codes.flatMap((code) => headersOfCodes[code] ?? []);
  return {
    description: codes.map((code) => `\`${code}\`: ${gatewayProblemTypes[code].meaning}`).join('\n\n'),
    headers: headerRefs(more),
    ...(method === 'head'
      ? {}
      : { content: { [problemMediaType]: { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } } }),
  };
}

function headerRefs(more: readonly AnswerHeader[]): JsonSchema {
  const names: readonly AnswerHeader[] = ['X-Request-Id', 'Cache-Control', ...new Set(more)];
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

/** The schemas of the problem types that the routes can be refused with. */
function problemSchemas(routes: readonly GatewayRoute[], baseUrl: string): JsonSchema {
  const ofRoutes = routes.flatMap((route) => [...refusalsByStatus(route).values()].flat());
  const codes = [...new Set(ofRoutes)].sort();
  const members: Partial<Record<GatewayProblemCode, (typeof pushProblemMembers)[keyof typeof pushProblemMembers]>> =
    pushProblemMembers;
  return Object.fromEntries(
    codes.map((code) => [problemSchemaName(code), problemSchema(baseUrl, code, members[code] ?? null)]),
  );
}
