// The facts of a route: everything that a reviewer, the checks before it and the documents need, and nothing about how it answers.
import type { z } from 'zod';
import type { RouteClass } from '../../core/access/order-of-checks.ts';
import type { ProblemCode } from '../../schemas/http/problems.ts';
import type { CachePolicy } from '../http/caching.ts';
import type { QueryShape } from '../http/query.ts';

/** How the documents group the routes. */
const routeTags = ['Discovery', 'Datasets', 'Final files', 'Live lines', 'MSF', 'Account', 'Service'] as const;
export type RouteTag = (typeof routeTags)[number];

/** What a route needs of the game in its path: its identity, which never changes, or its record as it is now; or whether it names a league. */
export type GameNeed = 'none' | 'identity' | 'record' | 'league';

/** Whether a route takes an API key. `probe`: none, and balancers ask it, so that no limit of an address stands before it. */
export type KeyNeed = 'required' | 'none' | 'probe';

/** The media type of a document that is not JSON. */
export type TextMediaType = 'text/html' | 'text/plain' | 'text/javascript' | 'text/event-stream';

/** The body of a 200, and the problem types of each failing status beyond those of every route of its class. */
export type Answers = { 200: z.ZodType | 'parquet' | TextMediaType } & {
  [Status in 400 | 403 | 404 | 409 | 410 | 503]?: readonly ProblemCode[];
};

export type RouteFacts = {
  path: string;
  /** Its name in the documents, for generated clients too: it never changes. */
  id: string;
  tag: RouteTag;
  summary: string;
  /** What a client should know beyond the summary. */
  details?: string;
  key: KeyNeed;
  /** Which game the path names, and how much of it is needed. */
  game: GameNeed;
  query: QueryShape;
  answers: Answers;
  /** Whether those who ask for HTML get a 200 as a page. */
  page?: boolean;
  /** What a 200 or 206 debits: nothing, or each row of a live segment once a month, or a file's rows, or those that odds are made of. */
  charge: 'free' | 'live-rows' | 'board-rows' | 'file-rows' | 'odds-rows';
  /** How long clients may store a 200; closed segments among the live files may be stored longer. */
  cache: CachePolicy;
  /** Whether a request may wait for news (docs/interface.md#waiting). */
  waits: boolean;
  /** Whether what it serves has versions, so that it names the one that it serves. */
  versioned?: boolean;
  /** Whether what it serves is kept in archives, so that it says by `reason` what is damaged of it (docs/interface.md#problem-types). */
  archived?: boolean;
  /** The datasets that `:dataset` may name; null where the path has none. */
  datasets: readonly string[] | null;
  class: RouteClass;
};

/** The groups that have a route, in their order. */
export function tagsOf(routes: readonly Pick<RouteFacts, 'tag'>[]): readonly RouteTag[] {
  return routeTags.filter((name) => routes.some(({ tag }) => tag === name));
}
