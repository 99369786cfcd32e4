// What a route is: a declaration that says all a reviewer asks — path, parameters, answers, who pays, what is cached — and one function
// that makes the answer. The checks around it, their order and the writing are the pipeline's.
import type { z } from 'zod';
import type { RouteClass } from '../core/access/order-of-checks.ts';
import type { CatalogGame } from '../core/ports/catalog/games.ts';
import type { ApiKey } from '../core/ports/catalog/keys.ts';
import type { ChargedRead } from '../core/ports/ledger.ts';
import type { ProblemCode } from '../schemas/http/problems.ts';
import type { GameIdentity } from './game-directory.ts';
import type { Representation } from './http/answer.ts';
import type { CachePolicy } from './http/caching.ts';
import type { QueryShape, QueryValues } from './http/query.ts';
import type { Refusal } from './refusal.ts';
import type { Services } from './services.ts';

/** The names of the parameters in a path. */
export type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a route needs to know of the game in its path: what never changes, or its record as it is now. */
export type GameNeed = 'none' | 'identity' | 'record';

type GameOf<Need extends GameNeed> = Need extends 'record'
  ? CatalogGame
  : Need extends 'identity'
    ? GameIdentity
    : null;

/** A file, and what reading it costs its reader. */
export type PricedFile = { readonly file: Representation; readonly read: ChargedRead };

/** A document is a JSON value, made into a representation by what the route declares. */
export type Outcome = Representation | PricedFile | Refusal | { readonly document: unknown };

/** `key`: null on routes without one. Only a route about the key itself has reason to look at it. */
export type RouteRequest<Path extends string, Query extends QueryShape, Need extends GameNeed> = {
  key: ApiKey | null;
  params: Readonly<Record<ParameterNames<Path>, string>>;
  query: QueryValues<Query>;
  game: GameOf<Need>;
  /** Whether the client would rather have a page: on routes that have one. */
  page: boolean;
};

/** A document that is no JSON, by its media type. */
export type TextMediaType = 'text/html' | 'text/plain';

/** The body of a 200, and the problem types of each failing status beyond those of every route of its class. */
export type Answers = { 200: z.ZodType | 'parquet' | TextMediaType } & {
  [Status in 400 | 404 | 409 | 503]?: readonly ProblemCode[];
};

/** How the documents group the routes. */
export const routeTags = ['Discovery', 'Datasets', 'Final files', 'Live lines', 'Account', 'Service'] as const;
export type RouteTag = (typeof routeTags)[number];

export type Declaration<Path extends string, Query extends QueryShape, Need extends GameNeed> = {
  path: Path;
  /** Its name in the documents, for generated clients too: it never changes. */
  id: string;
  tag: RouteTag;
  summary: string;
  /** What a client should know beyond the summary. */
  details?: string;
  key: 'required' | 'none';
  /** Which game the path names, and how much of it is needed. */
  game: Need;
  query: Query;
  answers: Answers;
  /** Whether those who ask for HTML get a 200 as a page. */
  page?: boolean;
  /** What a 200 or 206 debits: nothing, or each row of a live segment once a month, or a file's rows. */
  charge: 'free' | 'live-rows' | 'board-rows' | 'file-rows';
  /** What clients may do with a 200; the closed segments among the live files may be kept longer. */
  cache: CachePolicy;
  /** The datasets that `:dataset` may name. */
  datasets?: readonly string[];
  /** What of the shape concerns several parameters: the fault, or null. */
  check?(query: QueryValues<Query>, services: Services): string | null;
  handle(request: RouteRequest<Path, Query, Need>, services: Services): Outcome | Promise<Outcome>;
};

/** A declaration as the pipeline sees it: its types are the route's own affair. */
export type Route = {
  path: string;
  id: string;
  tag: RouteTag;
  summary: string;
  details?: string;
  key: 'required' | 'none';
  game: GameNeed;
  query: QueryShape;
  answers: Answers;
  page?: boolean;
  charge: Declaration<string, QueryShape, GameNeed>['charge'];
  cache: CachePolicy;
  datasets: readonly string[] | null;
  class: RouteClass;
  check(query: unknown, services: Services): string | null;
  handle(
    request: { params: unknown; query: unknown; game: unknown; key: unknown; page: boolean },
    services: Services,
  ): Outcome | Promise<Outcome>;
};

export function route<const Path extends string, const Query extends QueryShape, const Need extends GameNeed>(
  declared: Declaration<Path, Query, Need>,
): Route {
  return {
    ...declared,
    datasets: declared.datasets ?? null,
    class: {
      key: declared.key === 'required',
      dataset: declared.datasets !== undefined,
      game: declared.game !== 'none',
      file: declared.answers[200] === 'parquet',
      charged: declared.charge !== 'free',
    },
    check: (query, services) => declared.check?.(query as QueryValues<Query>, services) ?? null,
    handle: (request, services) => declared.handle(request as RouteRequest<Path, Query, Need>, services),
  };
}
