// A refusal of a request, as a value; it becomes a problem document in one place (problem-document.ts).
import type { GatewayProblemCode, ProblemCode } from '../schemas/http/problems.ts';

export type Refusal<Code extends GatewayProblemCode = ProblemCode> = {
  readonly refused: Code;
  /** Set if the type has several statuses. */
  readonly status?: number;
  readonly title?: string;
  readonly detail?: string;
  readonly members?: Readonly<Record<string, unknown>>;
  /** Header fields, names and values alternating. */
  readonly headers?: readonly string[];
};

export function refuse<Code extends GatewayProblemCode>(
  code: Code,
  more: Omit<Refusal, 'refused'> = {},
): Refusal<Code> {
  return { refused: code, ...more };
}

export function isRefusal(value: unknown): value is Refusal<GatewayProblemCode> {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** 503: something that the answer depends on is unreachable at the moment. */
export function unavailable(detail: string): Refusal<'temporarily-unavailable'> {
  return refuse('temporarily-unavailable', { detail, headers: ['Retry-After', '1'] });
}
