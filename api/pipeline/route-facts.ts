// The facts of a route: everything that a reviewer, the checks before it and the documents need, without how it answers.
import type { z } from 'zod';
import type { RouteClass } from '../../core/access/order-of-checks.ts';
import type { ProblemCode } from '../../schemas/http/problems.ts';
import type { CachePolicy } from '../http/caching.ts';
import type { QueryShape } from '../http/query.ts';

/** The groups of routes in the documents. */
const routeTags = ['Discovery', 'Datasets', 'Final files', 'Live lines', 'MSF', 'Account', 'Service'] as const;
export type RouteTag = (typeof routeTags)[number];

/**
 * What a route needs of the game in its path: its identity, which never changes, or its current record; or that its path names a league.
 */
export type GameNeed = 'none' | 'identity' | 'record' | 'league';

/** Whether a route takes an API key. `probe`: no key; load balancers call it, so no address limit applies. */
export type KeyNeed = 'required' | 'none' | 'probe';

/** The media type of a document that is not JSON. */
export type TextMediaType = 'text/html' | 'text/plain' | 'text/javascript' | 'text/event-stream';

/** The body of a 200, and the problem types of failing statuses besides those of every route of its class. */
export type Answers = { 200: z.ZodType | 'parquet' | TextMediaType } & {
  [Status in 400 | 403 | 404 | 409 | 410 | 503]?: readonly ProblemCode[];
};

export type RouteFacts = {
  path: string;
  /** Its name in the documents, used by generated clients: it never changes. */
  id: string;
  tag: RouteTag;
  summary: string;
  /** What a client should know besides the summary. */
  details?: string;
  key: KeyNeed;
  /** Which game the path names, and how much of it is needed. */
  game: GameNeed;
  query: QueryShape;
  answers: Answers;
  /** Whether clients that ask for HTML get a page. */
  page?: boolean;
  /** What a 200 or 206 debits: nothing, each row of a live segment once a month, a file's rows, or those that odds are made from. */
  charge: 'free' | 'live-rows' | 'board-rows' | 'file-rows' | 'odds-rows';
  /** How long clients may store a 200; closed live segments may be stored longer. */
  cache: CachePolicy;
  /** Whether a request may wait for changes (docs/interface.md#waiting). */
  waits: boolean;
  /** Whether what it serves has versions; the answer then names its version. */
  versioned?: boolean;
  /** Whether what it serves is kept in archives; a failure's `reason` then says what is damaged (docs/interface.md#problem-types). */
  archived?: boolean;
  /** The datasets that `:dataset` may name; null if the path has none. */
  datasets: readonly string[] | null;
  class: RouteClass;
};

/** The groups that have a route, in their order. */
export function tagsOf(routes: readonly Pick<RouteFacts, 'tag'>[]): readonly RouteTag[] {
  return routeTags.filter((name) => routes.some(({ tag }) => tag === name));
}
