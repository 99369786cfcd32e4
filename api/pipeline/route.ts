// A route: its facts — path, parameters, answers, charge, caching — and the function that answers a request. It names what it needs and
// gets only that. The pipeline owns the checks before it, their order and the writing.
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { ChargedRead } from '../../core/ports/ledger.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Representation } from '../http/answer.ts';
import { type QueryShape, type QueryValues, readQuery } from '../http/query.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import { type Findings, found } from './findings.ts';
import type { GameNeed, KeyNeed, RouteFacts } from './route-facts.ts';

/** The names of the parameters in a path; any names for a path that is not known at compile time. */
export type ParameterNames<Path extends string> = string extends Path
  ? string
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | ParameterNames<`/${Rest}`>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** What a route gets of the game or league in its path, and of the key, by the need that it declares. */
export type Games = { none: null; identity: GameIdentity; record: CatalogGame; league: League };
type Keys = { required: ApiKey; none: null; probe: null };

/** A file, or a page of rows, and what reading it costs. */
export type PricedFile = { readonly file: Representation; readonly read: ChargedRead };

/** A document is a JSON value; the pipeline makes it a representation by the facts of the route. */
export type RouteOutcome = Representation | PricedFile | NothingNew | Refusal | { readonly document: unknown };

/** The answer to a request whose cursor nothing follows; a request that may wait gets it only when its time is over. */
export type NothingNew = { readonly nothingNew: Representation | PricedFile };

export type RouteRequest<Path extends string, Query extends QueryShape, Game extends GameNeed, Key extends KeyNeed> = {
  key: Keys[Key];
  params: Readonly<Record<ParameterNames<Path>, string>>;
  query: QueryValues<Query>;
  game: Games[Game];
  /** Whether the key would still be admitted, for long-lasting answers. */
  keyHolds: () => boolean | Promise<boolean>;
  /** Calls back when the answer is written or its reader has disconnected. */
  whenGone: (call: () => void) => void;
} & Asker;

/** What kind of client sent the request. */
export type Asker = {
  /** Whether it prefers a page, on routes that have one. */
  readonly page: boolean;
  /** Whether it is a browser on this machine that will display the page. */
  readonly browserHere: boolean;
};

const anyone: Asker = { page: false, browserHere: false };

/** The declaration of a route: its facts, and what it does. */
export type Declaration<
  Path extends string,
  Query extends QueryShape,
  Game extends GameNeed,
  Key extends KeyNeed,
  Needs,
> = Omit<RouteFacts, 'path' | 'game' | 'key' | 'query' | 'datasets' | 'class' | 'waits'> & {
  path: Path;
  game: Game;
  key: Key;
  query: Query;
  datasets?: readonly string[];
  /** The fault of the parameters in combination, or null. */
  check?(
    query: QueryValues<Query>,
    needs: Needs,
    params: Readonly<Record<ParameterNames<Path>, string>>,
  ): string | null;
  /** The fault of a cursor, given the game or league that the path names; or null. */
  checkCursor?(request: RouteRequest<Path, Query, Game, Key>, needs: Needs): string | null | Promise<string | null>;
  handle(request: RouteRequest<Path, Query, Game, Key>, needs: Needs): RouteOutcome | Promise<RouteOutcome>;
  /** For routes that may wait: calls `moved` whenever the answer may have changed, until the returned function is called. */
  watch?(request: RouteRequest<Path, Query, Game, Key>, needs: Needs, moved: () => void): () => void;
};

/** A declared route. `Needs`: what it must be given to serve. */
export type Route<Needs> = RouteFacts & { readonly serve: (needs: Needs) => ServedRoute };

/** A route that has been given what it needs. */
export type ServedRoute = RouteFacts & {
  /** Parses the query: a question to the route, or a fault. */
  readonly ask: (query: string, params: Readonly<Record<string, string>>) => RouteQuestion | { readonly fault: string };
};

/** A well-formed request, as its route understands it. */
export type RouteQuestion = {
  checkCursor(findings: Findings): string | null | Promise<string | null>;
  answer(findings: Findings, asker: Asker): RouteOutcome | Promise<RouteOutcome>;
  watch(findings: Findings, moved: () => void): () => void;
};

export function route<
  const Path extends string,
  const Query extends QueryShape,
  const Game extends GameNeed,
  const Key extends KeyNeed,
  Needs,
>(declared: Declaration<Path, Query, Game, Key, Needs>): Route<Needs> {
  const facts: RouteFacts = {
    ...declared,
    datasets: declared.datasets ?? null,
    waits: declared.watch !== undefined,
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
  };
  return { ...facts, serve: (needs) => ({ ...facts, ask: (query, params) => ask(declared, needs, query, params) }) };
}

function ask<Path extends string, Query extends QueryShape, Game extends GameNeed, Key extends KeyNeed, Needs>(
  declared: Declaration<Path, Query, Game, Key, Needs>,
  needs: Needs,
  query: string,
  params: Readonly<Record<string, string>>,
): RouteQuestion | { fault: string } {
  const reading = readQuery(query, declared.query);
  if (!reading.ok) return { fault: reading.detail };
  const fault = declared.check?.(reading.values, needs, params) ?? null;
  return fault === null ? new QuestionOf(declared, needs, reading.values, params) : { fault };
}

class QuestionOf<Path extends string, Query extends QueryShape, Game extends GameNeed, Key extends KeyNeed, Needs>
  implements RouteQuestion
{
  readonly #declared: Declaration<Path, Query, Game, Key, Needs>;
  readonly #needs: Needs;
  readonly #query: QueryValues<Query>;
  readonly #params: Readonly<Record<ParameterNames<Path>, string>>;

  constructor(
    declared: Declaration<Path, Query, Game, Key, Needs>,
    needs: Needs,
    query: QueryValues<Query>,
    params: Readonly<Record<ParameterNames<Path>, string>>,
  ) {
    this.#declared = declared;
    this.#needs = needs;
    this.#query = query;
    this.#params = params;
  }

  checkCursor(findings: Findings): string | null | Promise<string | null> {
    return this.#declared.checkCursor?.(this.#request(findings, anyone), this.#needs) ?? null;
  }

  answer(findings: Findings, asker: Asker): RouteOutcome | Promise<RouteOutcome> {
    return this.#declared.handle(this.#request(findings, asker), this.#needs);
  }

  watch(findings: Findings, moved: () => void): () => void {
    const { watch, path } = this.#declared;
    if (watch === undefined) throw new Error(`requests to ${path} do not wait`);
    return watch(this.#request(findings, anyone), this.#needs, moved);
  }

  #request(findings: Findings, asker: Asker): RouteRequest<Path, Query, Game, Key> {
    const { key, game } = this.#declared;
    return {
      key: keyFor[key](findings),
      params: this.#params,
      query: this.#query,
      game: gameFor[game](findings),
      page: asker.page,
      browserHere: asker.browserHere,
      keyHolds: findings.keyHolds ?? (() => true),
      whenGone: (call) => findings.whenGone(call),
    };
  }
}

const keyFor: { readonly [Key in KeyNeed]: (findings: Findings) => Keys[Key] } = {
  required: ({ key }) => found(key, 'the key'),
  none: () => null,
  probe: () => null,
};

const gameFor: { readonly [Game in GameNeed]: (findings: Findings) => Games[Game] } = {
  none: () => null,
  identity: ({ game }) => found(game, 'the game'),
  record: ({ record }) => found(record, 'the record of the game'),
  league: ({ league }) => found(league, 'the league'),
};
