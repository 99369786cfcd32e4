// A refusal of a request, as a value; it becomes a problem document in one place (problem-document.ts).
import type { ProblemCode } from '../../schemas/http/problems.ts';

export type Refusal = {
  readonly refused: ProblemCode;
  /** Given where the type has several statuses. */
  readonly status?: number;
  readonly title?: string;
  readonly detail?: string;
  readonly members?: Readonly<Record<string, unknown>>;
  /** Header fields, names and values in turn. */
  readonly headers?: readonly string[];
};

export function refuse(code: ProblemCode, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused: code, ...more };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** 503: a dependency of the answer cannot be reached for the moment. */
export function unavailable(detail: string): Refusal {
  return refuse('temporarily-unavailable', { detail, headers: ['Retry-After', '1'] });
}
