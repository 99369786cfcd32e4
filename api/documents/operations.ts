// The operations of a route: what a client may send, and every answer. A HEAD has the same answers without their bodies, and the checks of
// ranges and charges do not apply to it.
import { boardName } from '../../schemas/datasets/board.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { parquetMediaType } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { inlineSchema, type JsonSchema, parameterSchema, refTo } from '../../schemas/http/json-schema.ts';
import { isPathParameter, pathParameters } from '../../schemas/http/path-parameters.ts';
import { problemResponseName } from '../../schemas/http/problem-schema.ts';
import { gatewayProblemTypes, type ProblemCode } from '../../schemas/http/problems.ts';
import { cachePolicies } from '../http/caching.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { bodyName } from './bodies.ts';
import { type AnswerHeader, rateLimitHeaders, type requestHeaders } from './headers.ts';
import { headerRefs } from './problem-components.ts';
import { isConditional, type Method, refusalsByStatus } from './refusals.ts';
import { sampleOfParameter, samples } from './samples.ts';

/** The path of a route in OpenAPI's notation. */
export function templateOf(route: Pick<RouteFacts, 'path'>): string {
  return route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
}

export type ParameterFacts = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: unknown;
};

/** The parameters in a route's path and query. */
export function parametersOf(route: RouteFacts, datasets: readonly Dataset[]): readonly ParameterFacts[] {
  const names = [...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] as string);
  return [
    ...names.map((name) => pathParameter(name, route, datasets)),
    ...Object.entries(route.query).map(([name, schema]): ParameterFacts => {
      return { name, in: 'query', ...parameterSchema(schema), example: sampleOfParameter(name) };
    }),
  ];
}

function pathParameter(name: string, route: RouteFacts, datasets: readonly Dataset[]): ParameterFacts {
  if (!isPathParameter(name)) throw new Error(`the documents do not know what :${name} of ${route.path} is`);
  const { description = '', ...schema } = inlineSchema(pathParameters[name]);
  const values: Partial<Record<string, readonly string[]>> = {
    dataset: route.datasets ?? [],
    name: [...datasets.map((dataset) => dataset.name), ...(route.id === 'getDatasetSchema' ? [boardName] : [])],
    suffix: Object.keys(gatewayProblemTypes),
  };
  const shown = values[name] === undefined ? schema : { type: 'string', enum: values[name] };
  const said = description as string;
  const example = sampleOfParameter(name, values[name]);
  return { name, in: 'path', required: true, description: said, schema: shown, example };
}

/** The names of the request header fields that a route reads. */
function requestHeadersOf(route: RouteFacts, method: Method): readonly (keyof typeof requestHeaders)[] {
  return [
    ...(route.class.file && method === 'GET' ? (['Range', 'If-Range'] as const) : []),
    ...(isConditional(route) ? (['If-None-Match', 'If-Match'] as const) : []),
    ...(route.waits ? (['Prefer'] as const) : []),
    'X-Request-Id',
  ];
}

export function operation(route: RouteFacts, method: Method, datasets: readonly Dataset[]): JsonSchema {
  const { id, tag, summary, details } = route;
  const parameters = parametersOf(route, datasets).map(({ example, description, ...facts }) => ({
    ...facts,
    description,
    ...(example === undefined ? {} : { example }),
  }));
  return {
    operationId: method === 'GET' ? id : `${id}Head`,
    tags: [tag],
    summary: method === 'GET' ? summary : `The header fields of the GET, without a body and free of charge.`,
    ...(details === undefined || method === 'HEAD' ? {} : { description: details }),
    security: route.class.key ? [{ bearer: [] }] : [],
    parameters: [...parameters, ...requestHeadersOf(route, method).map((name) => refTo('parameters', name))],
    responses: { ...successes(route, method, datasets), ...failures(route, method) },
  };
}

function failures(route: RouteFacts, method: Method): JsonSchema {
  const entries = [...refusalsByStatus(route, method)].map(([status, codes]) => [
    status,
    refTo('responses', componentOf(status, codes, method)),
  ]);
  return Object.fromEntries(entries);
}

/** The component of a failing response. */
export function componentOf(status: number, codes: readonly ProblemCode[], method: Method): string {
  return `${problemResponseName(status, codes)}${method === 'HEAD' ? 'Head' : ''}`;
}

function successes(route: RouteFacts, method: Method, datasets: readonly Dataset[]): JsonSchema {
  const withBody = method === 'GET';
  const content = withBody ? { content: contentOf(route, datasets) } : {};
  const whole = headersOf(route);
  const found = { 200: { description: descriptionOf(route), headers: headerRefs(whole), ...content } };
  const part = {
    206: {
      description: 'The requested range; charged like the whole file.',
      headers: headerRefs([...whole, 'Content-Range']),
      ...content,
    },
  };
  const unchanged = {
    304: {
      description: 'The client already has these bytes. Nothing is charged.',
      headers: headerRefs(whole.filter((name) => name !== 'Accept-Ranges' && name !== 'X-Service-Rowcount')),
    },
  };
  return {
    ...found,
    ...(route.class.file && withBody ? part : {}),
    ...(isConditional(route) ? unchanged : {}),
  };
}

function headersOf(route: RouteFacts): readonly AnswerHeader[] {
  const { file, key, charged } = route.class;
  return [
    'X-Request-Id',
    'Cache-Control',
    ...(isConditional(route) ? (['ETag'] as const) : []),
    ...(file ? (['Accept-Ranges'] as const) : []),
    ...(route.versioned ? (['X-Service-Artifact-Version'] as const) : []),
    ...(charged ? (['X-Service-Rowcount', 'X-Service-Debited'] as const) : []),
    ...(route.waits ? (['Preference-Applied'] as const) : []),
    ...(key || route.page ? (['Vary'] as const) : []),
    ...(key ? rateLimitHeaders : []),
  ];
}

function contentOf(route: RouteFacts, datasets: readonly Dataset[]): JsonSchema {
  const body = route.answers[200];
  if (body === 'parquet') return { [parquetMediaType]: { schema: fileSchema(route, datasets) } };
  if (body === 'text/html' || body === 'text/plain' || body === 'text/javascript' || body === 'text/event-stream')
    return { [body]: { schema: { type: 'string' } } };
  const name = bodyName(body, route.path);
  const example = samples[name];
  const json = { schema: refTo('schemas', name), ...(example === undefined ? {} : { example }) };
  return {
    'application/json': json,
    ...(route.page ? { 'text/html': { schema: { type: 'string' } } } : {}),
  };
}

/** A Parquet file: bytes, whose content is a list of rows. Rows of MSF datasets are described by their schema routes alone. */
function fileSchema(route: RouteFacts, datasets: readonly Dataset[]): JsonSchema {
  const bytes = { type: 'string', format: 'binary' };
  const rows = rowsOf(route, datasets).map((name) => refTo('schemas', rowComponentOf(name)));
  if (rows.length === 0) return bytes;
  const items = rows.length === 1 ? rows[0] : { anyOf: rows };
  return { ...bytes, contentMediaType: parquetMediaType, contentSchema: { type: 'array', items } };
}

/** The names of the rows with a component that a route's file can contain. */
function rowsOf({ charge, datasets: named }: RouteFacts, datasets: readonly Dataset[]): readonly string[] {
  if (charge === 'live-rows') return [sportsbookLines.name];
  if (charge === 'board-rows') return [boardName];
  return datasets.flatMap(({ name, kind }) => (kind === 'per_game' && named?.includes(name) ? [name] : []));
}

/** The component of a row: `ClosingLinesRow` of `closing-lines`. */
export function rowComponentOf(name: string): string {
  return `${name.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Row`;
}

function descriptionOf(route: RouteFacts): string {
  const cached = `Cache-Control: \`${cachePolicies[route.cache]}\``;
  switch (route.charge) {
    case 'free':
      return `Free of charge. ${cached}.`;
    case 'file-rows':
      if (!route.class.file) return `The rows; all are charged at every read. ${cached}.`;
      return `The file; all its rows are charged at every read. ${cached}.`;
    case 'live-rows':
      if (!route.class.file)
        return `The rows; only rows that the account has not read this month are charged. ${cached}.`;
      return `The segment; only rows that the account has not read this month are charged. ${cached}; for a closed segment with its full count of rows \`${cachePolicies.immutable}\`.`;
    case 'board-rows':
      return `The board; its rows are charged with the weight of boards of this service, which can be 0. ${cached}.`;
    case 'odds-rows':
      return `The odds. The board rows they are computed from are charged with the weight of boards of this service, which can be 0; for a past time or a settled game, each quote they are computed from is charged as one row. ${cached}.`;
  }
}
