// The OpenAPI 3.1 description of the API, made from the route declarations and from the schemas that check requests and answers. It adds
// nothing: all facts about a route are in its declaration.
import { board, boardName } from '../../schemas/datasets/board.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { rowSchema } from '../../schemas/datasets/row-schema.ts';
import { componentSchemas, type JsonSchema } from '../../schemas/http/json-schema.ts';
import { licence } from '../../schemas/http/licence.ts';
import type { ProblemCode } from '../../schemas/http/problems.ts';
import { type RouteFacts, type RouteTag, tagsOf } from '../pipeline/route-facts.ts';
import { bodies, bodyName } from './bodies.ts';
import { answerHeaders, requestHeaders } from './headers.ts';
import { componentOf, operation, rowComponentOf, templateOf } from './operations.ts';
import { problemResponse, problemSchemas } from './problem-components.ts';
import { type Method, refusalsByStatus } from './refusals.ts';

type ApiFacts = { routes: readonly RouteFacts[]; datasets: readonly Dataset[]; baseUrl: string };

const aboutTags: Readonly<Record<RouteTag, string>> = {
  Discovery: 'Games, leagues, teams and players, in pages of JSON.',
  Datasets: 'Which datasets there are, and their columns.',
  'Final files': 'One Parquet file per dataset of a settled game.',
  'Live lines':
    'Sportsbook lines while a game has not settled: an append-only log in segments, and a board per operator.',
  MSF: 'Datasets in revisions: a snapshot, then the changes after it, each with the digest of the state that it leads to; older ones in archives.',
  Account: 'What a key may ask about itself.',
  Service: 'The service itself: its documents, its problems, its health.',
};

export function openApi({ routes, datasets, baseUrl }: ApiFacts): JsonSchema {
  const paths = routes.map((route) => [
    templateOf(route),
    { get: operation(route, 'GET', datasets), head: operation(route, 'HEAD', datasets) },
  ]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sports Data Service',
      version: 'v1',
      summary: 'Live sportsbook lines and settled game data as Parquet.',
      description:
        'Read-only. Lists, odds and rows are JSON; files are Parquet. Every failure is a problem document (RFC 9457): dispatch on its `type`. Unknown query parameters are refused.',
      license: licence,
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(routes).map((name) => ({ name, description: aboutTags[name] })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_` and 46 letters and digits.' },
      },
      parameters: Object.fromEntries(
        Object.entries(requestHeaders).map(([name, field]) => [
          name,
          { name, in: 'header', required: false, ...field },
        ]),
      ),
      headers: answerHeaders,
      schemas: { ...bodySchemas(routes), ...rows(datasets), ...problemSchemas(routes, baseUrl) },
      responses: failures(routes),
    },
  };
}

/** The schemas of the routes' responses with their parts. */
function bodySchemas(routes: readonly RouteFacts[]): Record<string, JsonSchema> {
  const all = componentSchemas(bodies);
  const used = new Set<string>();
  const use = (name: string): void => {
    if (used.has(name) || all[name] === undefined) return;
    used.add(name);
    for (const [, part = ''] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) use(part);
  };
  for (const { answers, path } of routes) if (typeof answers[200] !== 'string') use(bodyName(answers[200], path));
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

/** The rows of the datasets that have one file per game, and of boards: `ClosingLinesRow` and so on (docs/interface.md#dataset-schema). */
function rows(datasets: readonly Dataset[]): Record<string, JsonSchema> {
  const perGame = datasets.filter(({ kind }) => kind === 'per_game').map((dataset) => [dataset.name, dataset] as const);
  return Object.fromEntries(
    [...perGame, [boardName, board] as const].map(([name, dataset]) => [
      rowComponentOf(name),
      { ...rowSchema(dataset), description: dataset.description },
    ]),
  );
}

/** Each failing response of any route, once. */
function failures(routes: readonly RouteFacts[]): Record<string, JsonSchema> {
  const found = new Map<string, { codes: readonly ProblemCode[]; method: Method }>();
  for (const route of routes) {
    for (const method of ['GET', 'HEAD'] as const) {
      for (const [status, codes] of refusalsByStatus(route, method)) {
        found.set(componentOf(status, codes, method), { codes, method });
      }
    }
  }
  const named = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(named.map(([name, { codes, method }]) => [name, problemResponse(codes, method === 'GET')]));
}
