// What the push gateway refuses, as a value (http/refusal.ts), and the refusals after which a sender comes back.
import { type Refusal, refuse } from '../../http/refusal.ts';
import type { GatewayProblemCode } from '../../schemas/http/problems.ts';

export type GatewayRefusal = Refusal<GatewayProblemCode> & {
  /** The limit that the request met: what it is counted as. Left out: its type. */
  readonly limit?: string;
};

type ComeBackCode = 'rate-limited' | 'temporarily-unavailable';

/** The sender is to come back: nothing of what it sent was accepted. */
export function comeBack(code: ComeBackCode, detail: string, more: Pick<GatewayRefusal, 'limit'> = {}): GatewayRefusal {
  return comeBackAfter(1, code, detail, more);
}

/** The same, after so many seconds. */
export function comeBackAfter(
  seconds: number,
  code: ComeBackCode,
  detail: string,
  more: Pick<GatewayRefusal, 'limit' | 'members'> = {},
): GatewayRefusal {
  return { ...refuse(code, { detail, headers: ['Retry-After', String(Math.max(1, Math.ceil(seconds)))] }), ...more };
}
