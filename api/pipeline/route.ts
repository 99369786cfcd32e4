// What a route is: its facts — path, parameters, answers, who pays, what is cached — and one function that makes the answer. The checks
// around it, their order and the writing are the pipeline's.
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { ChargedRead } from '../../core/ports/ledger.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Services } from '../compose/services.ts';
import type { Representation } from '../http/answer.ts';
import type { QueryShape, QueryValues } from '../http/query.ts';
import type { Refusal } from '../problems/refusal.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { GameNeed, RouteFacts } from './route-facts.ts';

/** The names of the parameters in a path. */
export type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type GameOf<Need extends GameNeed> = Need extends 'record'
  ? CatalogGame
  : Need extends 'identity'
    ? GameIdentity
    : Need extends 'league'
      ? League
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

/** The facts of a route as it is declared, and what it does. */
export type Declaration<Path extends string, Query extends QueryShape, Need extends GameNeed> = Omit<
  RouteFacts,
  'path' | 'game' | 'query' | 'datasets' | 'class'
> & {
  path: Path;
  game: Need;
  query: Query;
  datasets?: readonly string[];
  /** What of the shape concerns several parameters: the fault, or null. */
  check?(
    query: QueryValues<Query>,
    services: Services,
    params: Readonly<Record<ParameterNames<Path>, string>>,
  ): string | null;
  /** What is wrong with a cursor, given the game or league that the path names: the fault, or null. */
  checkCursor?(request: RouteRequest<Path, Query, Need>, services: Services): string | null | Promise<string | null>;
  handle(request: RouteRequest<Path, Query, Need>, services: Services): Outcome | Promise<Outcome>;
};

/** A declaration as the pipeline sees it: its types are the route's own affair. */
export type Route = RouteFacts & {
  check(query: unknown, services: Services, params: unknown): string | null;
  checkCursor(request: AnyRequest, services: Services): string | null | Promise<string | null>;
  handle(request: AnyRequest, services: Services): Outcome | Promise<Outcome>;
};

type AnyRequest = { params: unknown; query: unknown; game: unknown; key: unknown; page: boolean };

export function route<const Path extends string, const Query extends QueryShape, const Need extends GameNeed>(
  declared: Declaration<Path, Query, Need>,
): Route {
  return {
    ...declared,
    datasets: declared.datasets ?? null,
    class: {
      key: declared.key === 'required',
      probe: declared.key === 'probe',
      dataset: declared.datasets !== undefined,
      game: declared.game === 'identity' || declared.game === 'record',
      league: declared.game === 'league',
      cursor: declared.checkCursor !== undefined,
      file: declared.answers[200] === 'parquet',
      charged: declared.charge !== 'free',
    },
    check: (query, services, params) =>
      declared.check?.(query as QueryValues<Query>, services, params as RouteRequest<Path, Query, Need>['params']) ??
      null,
    checkCursor: (request, services) =>
      declared.checkCursor?.(request as RouteRequest<Path, Query, Need>, services) ?? null,
    handle: (request, services) => declared.handle(request as RouteRequest<Path, Query, Need>, services),
  };
}
