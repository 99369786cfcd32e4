// A refusal of the push gateway, as a value (http/refusal.ts), and the refusals after which the sender should retry.
import { type Refusal, refuse } from '../../http/refusal.ts';
import type { GatewayProblemCode } from '../../schemas/http/problems.ts';

export type GatewayRefusal = Refusal<GatewayProblemCode> & {
  /** The limit that the request exceeded, for the counters. Left out: the problem type counts. */
  readonly limit?: string;
};

type ComeBackCode = 'rate-limited' | 'temporarily-unavailable';

/** The sender should retry: nothing of its push was accepted. */
export function comeBack(code: ComeBackCode, detail: string, more: Pick<GatewayRefusal, 'limit'> = {}): GatewayRefusal {
  return comeBackAfter(1, code, detail, more);
}

/** The same, after this many seconds. */
export function comeBackAfter(
  seconds: number,
  code: ComeBackCode,
  detail: string,
  more: Pick<GatewayRefusal, 'limit' | 'members'> = {},
): GatewayRefusal {
  return { ...refuse(code, { detail, headers: ['Retry-After', String(Math.max(1, Math.ceil(seconds)))] }), ...more };
}
