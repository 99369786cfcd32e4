// A request on its way through the checks of its route.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { ChargedRead } from '../../core/ports/ledger.ts';
import type { Admission } from '../../core/ports/rate-limiter.ts';
import type { RequestHead } from '../../http/head.ts';
import type { WaitedFor } from '../../http/listener.ts';
import { queryOf } from '../../http/query.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { BodyRange, Content, Representation } from '../http/answer.ts';
import type { ByteRange } from '../http/range.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { Findings } from './findings.ts';
import type { RouteQuestion, ServedRoute } from './route.ts';

/** A request as the listener passes it on. */
type Asked = {
  readonly raw: IncomingMessage;
  readonly head: RequestHead;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
};

/**
 * Each step stores its findings here for later steps. This is a class because V8 may classify an object literal that outlived a few
 * collections as long-lived and then allocate it in the old generation: every object of every request would survive the collections of the
 * young generation, at a third of the service's CPU (`npm run bench -- d`).
 */
export class Exchange implements Findings {
  readonly route: ServedRoute;
  /** Its checks, in order. */
  readonly steps: readonly Step[];
  readonly head: RequestHead;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly requestId: string;
  /** Whether it is a HEAD: the same answer without its body. */
  readonly bodiless: boolean;
  /** The address that an address limit counts, on routes without a key. */
  readonly address: string;
  /** The other end of the connection; undefined: it is closed. */
  readonly remoteAddress: string | undefined;
  readonly #response: ServerResponse;
  key: ApiKey | null = null;
  keyHolds: (() => boolean | Promise<boolean>) | null = null;
  /** The name under which the key's requests are counted. */
  subject = '';
  /** The limiter's answer for it. */
  admission: Admission | null = null;
  question: RouteQuestion | null = null;
  /** How many seconds it may wait for changes; 0: it does not wait. */
  waits = 0;
  readonly waited: WaitedFor = { ms: 0 };
  /** Whether nothing follows the cursor that it names. */
  nothingNew = false;
  game: GameIdentity | null = null;
  record: CatalogGame | null = null;
  league: League | null = null;
  range: ByteRange | null = null;
  answer: Representation | null = null;
  /** Its content, if that had to be available before it was served. */
  body: Content | null = null;
  part: BodyRange | null = null;
  /** What the answer costs, and what was debited. */
  read: ChargedRead | null = null;
  debited = 0;

  constructor(
    route: ServedRoute,
    steps: readonly Step[],
    { raw, head, params, requestId }: Asked,
    response: ServerResponse,
    address: string,
  ) {
    this.route = route;
    this.steps = steps;
    this.head = head;
    this.params = params;
    this.query = queryOf(raw.url as string);
    this.requestId = requestId;
    this.bodiless = raw.method === 'HEAD';
    this.address = address;
    this.remoteAddress = route.class.key ? undefined : raw.socket.remoteAddress;
    this.#response = response;
  }

  /** Whether the client has disconnected. */
  isGone(): boolean {
    return this.#response.destroyed;
  }

  whenGone(call: () => void): void {
    if (this.isGone()) call();
    // 'close' comes once; `once` would cost each of 10,000 streams 170 bytes more.
    else this.#response.on('close', call);
  }
}

/** Null: continue. 'unchanged': the client already has the answer. */
export type StepAnswer = Refusal | 'unchanged' | null;
export type Step = (exchange: Exchange) => StepAnswer | Promise<StepAnswer>;
