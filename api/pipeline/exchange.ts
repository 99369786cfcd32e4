// A request on its way through the checks of its route.
import type { ChargedRead } from '../../core/ports/ledger.ts';
import type { Admission } from '../../core/ports/rate-limiter.ts';
import type { Millis } from '../../core/units.ts';
import type { RequestHead } from '../../http/head.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { Body, Part, Representation } from '../http/answer.ts';
import type { Pieces } from '../http/pieces.ts';
import type { ByteRange } from '../http/range.ts';
import type { Findings } from './findings.ts';
import type { RouteQuestion, ServedRoute } from './route.ts';

/** Each step leaves what it finds out here, for the steps after it. */
export type Exchange = Findings & {
  readonly route: ServedRoute;
  /** Its checks, in order. */
  readonly steps: readonly Step[];
  readonly head: RequestHead;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly requestId: string;
  /** Whether it is a HEAD: the same answer without its body. */
  readonly bodiless: boolean;
  /** Whether the client has gone away. */
  readonly isGone: () => boolean;
  /** The address that an address limit counts, on routes without a key. */
  readonly address: string;
  /** The other end of the connection; undefined: it is gone. */
  readonly remoteAddress: string | undefined;
  /** The key by the name under which its requests are counted. */
  subject: string;
  /** The limiter's answer about it. */
  admission: Admission | null;
  question: RouteQuestion | null;
  /** How many seconds it may wait for news; 0: it does not wait. */
  waits: number;
  /** How long it has waited. */
  waitedMs: Millis;
  /** Whether nothing follows the cursor that it names. */
  nothingNew: boolean;
  range: ByteRange | null;
  answer: Representation | null;
  /** Its bytes, where they had to be at hand before it was served. */
  body: Body | Pieces | null;
  part: Part | null;
  /** What the answer costs, and what was debited for it now. */
  read: ChargedRead | null;
  debited: number;
};

/** Null: go on. 'unchanged': the client has it already. */
export type StepAnswer = Refusal | 'unchanged' | null;
export type Step = (exchange: Exchange) => StepAnswer | Promise<StepAnswer>;
