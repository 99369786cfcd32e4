// A route of the gateway: a declaration of who may send what, and one function that makes the answer. Methods, paths, keys, scopes and
// query parameters are checked against it before the body is read.
import type { IncomingMessage } from 'node:http';
import type { FeedKey, FeedScope } from '../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Span } from '../../core/ports/tracer.ts';
import type { DegradedSince } from '../../http/degraded-since.ts';
import type { RenderedPage } from '../../http/pages/page.ts';
import type { JsonSchema, Shape } from '../../schemas/http/json-schema.ts';
import type { RequestHeader } from '../documents/parameters.ts';
import type { AcceptMsf } from './accept-msf.ts';
import type { PushTools } from './accept-push.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import type { RequestShare, ShareTools } from './key-share.ts';
import type { PushConcurrency } from './push-concurrency.ts';
import type { BodyForm } from './read-body.ts';
import type { GatewayReadiness } from './readiness.ts';
import type { UploadPace } from './receive-body.ts';
import type { RefusalPace } from './refusal-pace.ts';
import type { HeldRoom, Room } from './room.ts';

/** What the routes use. */
export type RouteTools = PushTools &
  ShareTools & {
    live: LiveCatalog;
    clock: Clock;
    room: Room;
    refusalPace: RefusalPace;
    pushConcurrency: PushConcurrency;
    readiness: GatewayReadiness;
    /** The parts that are degraded now. */
    degradedNow(): readonly DegradedSince[];
    /** The name of this process, for clients that must be sure to reach it. */
    instance?: string | undefined;
    acceptMsf: AcceptMsf;
    /** The gateway's OpenAPI description. */
    description(): JsonSchema;
    guide(): string;
    manual(): RenderedPage;
  };

/** An admitted request. `key` is null on routes without a key; `source` is that of the path, otherwise empty. */
export type Call = {
  /** The request's id: its X-Request-Id. */
  id: string;
  request: IncomingMessage;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  key: FeedKey | null;
  source: string;
  /** What it takes from its key's share. */
  share: RequestShare;
  pace: UploadPace;
  /** Of a push; that of any other is not recorded. */
  span: Span;
};

/** A text is sent as plain text, a page as HTML, any other document as JSON. */
export type Answer = { status: number; document: unknown } | { status: number; page: RenderedPage };

export type GatewayRoute = {
  /** Its name in the description, used by generated clients: it never changes. */
  id: string;
  summary: string;
  /** What a sender should know besides the summary. */
  details?: string;
  /** A POST has a body and takes room while it is processed; a GET also answers HEAD. */
  method: 'GET' | 'POST';
  path: string;
  /** `source`: a key of the source in the path; `probe`: no key; load balancers call it, so no limit applies. */
  key: 'none' | 'probe' | 'any' | 'source';
  /** The scope that the key needs. */
  scope: FeedScope | null;
  query: readonly string[];
  /** The header fields that it reads, besides those of every route. */
  headers: readonly RequestHeader[];
  /** The body of a POST; null: none. */
  takes: { forms: readonly BodyForm[]; body: Shape } | null;
  /** The body of its success. */
  gives: Shape | 'text/plain' | 'text/html';
  /** A POST that can be validated only; it then answers 200. */
  validates?: true;
  /** Whether what the path names may be missing. */
  missing: boolean;
  /** It is refused while pushes cannot be taken. */
  unready?: true;
  handle(call: Call, tools: RouteTools, place: HeldRoom): Promise<Answer | GatewayRefusal>;
};
