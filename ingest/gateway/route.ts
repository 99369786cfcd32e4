// What a route of the gateway is: a declaration of who may ask and with what, and one function that makes the answer. Methods, paths, keys,
// scopes and query parameters are checked from it, before a byte of the body is read.
import type { IncomingMessage } from 'node:http';
import type { FeedKey, FeedScope } from '../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { DegradedSince } from '../../http/degraded-since.ts';
import type { RenderedPage } from '../../http/pages/page.ts';
import type { JsonSchema, Shape } from '../../schemas/http/json-schema.ts';
import type { RequestHeader } from '../documents/parameters.ts';
import type { AcceptMsf } from './accept-msf.ts';
import type { PushTools } from './accept-push.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import type { RequestShare, ShareTools } from './key-share.ts';
import type { PushTurns } from './push-turns.ts';
import type { BodyForm } from './read-body.ts';
import type { GatewayReadiness } from './readiness.ts';
import type { UploadPace } from './receive-body.ts';
import type { RefusalPace } from './refusal-pace.ts';
import type { HeldRoom, Room } from './room.ts';

/** What the routes work with. */
export type RouteTools = PushTools &
  ShareTools & {
    live: LiveCatalog;
    clock: Clock;
    room: Room;
    refusalPace: RefusalPace;
    pushTurns: PushTurns;
    readiness: GatewayReadiness;
    /** The parts that are degraded now. */
    degradedNow(): readonly DegradedSince[];
    /** The name of this process, for those who must know that it is the one they look for. */
    instance?: string | undefined;
    acceptMsf: AcceptMsf;
    /** What the gateway says of itself. */
    description(): JsonSchema;
    guide(): string;
    manual(): RenderedPage;
  };

/** A request that its route admits. `key` is null on routes that ask for none; `source` is of the path, else empty. */
export type Call = {
  request: IncomingMessage;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  key: FeedKey | null;
  source: string;
  /** What it takes of its key's share. */
  share: RequestShare;
  pace: UploadPace;
};

/** A document that is a text is sent as plain text, a page as HTML, any other as JSON. */
export type Answer = { status: number; document: unknown } | { status: number; page: RenderedPage };

export type GatewayRoute = {
  /** Its name in the description, for generated clients too: it never changes. */
  id: string;
  summary: string;
  /** What a sender should know beyond the summary. */
  details?: string;
  /** A POST brings a body and takes up room while it is worked on; a GET also answers HEAD. */
  method: 'GET' | 'POST';
  path: string;
  /** `source`: a key that speaks for the source in the path; `probe`: none, and balancers ask it, so that no limit stands before it. */
  key: 'none' | 'probe' | 'any' | 'source';
  /** The scope that the key needs. */
  scope: FeedScope | null;
  query: readonly string[];
  /** The header fields that count beside those of every route. */
  headers: readonly RequestHeader[];
  /** The body of a POST; null: there is none. */
  takes: { forms: readonly BodyForm[]; body: Shape } | null;
  /** The body of its success. */
  gives: Shape | 'text/plain' | 'text/html';
  /** A POST that may only be judged: it is answered 200 then. */
  validates?: true;
  /** Whether what the path names may be absent. */
  missing: boolean;
  /** It is refused while no push can be taken. */
  unready?: true;
  handle(call: Call, tools: RouteTools, place: HeldRoom): Promise<Answer | GatewayRefusal>;
};
