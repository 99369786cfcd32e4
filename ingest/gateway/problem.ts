// Failures of the push gateway as problem documents (RFC 9457; operations.md, "Push gateway"). The one place where a refusal becomes HTTP.

const kinds = {
  'validation-error': [400, 'Request is not valid'],
  'malformed-request': [400, 'Request is malformed'],
  'idempotency-conflict': [400, 'Idempotency key was used with another body'],
  'invalid-key': [401, 'Feed key is missing or unknown'],
  'key-disabled': [403, 'Feed key is revoked'],
  forbidden: [403, 'Feed key does not allow this'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'payload-too-large': [413, 'Body is too large'],
  'unsupported-media-type': [415, 'Body is of an unsupported type'],
  'rate-limited': [429, 'Too many pushes under way'],
  'internal-error': [500, 'Internal error'],
  'temporarily-unavailable': [503, 'Cannot accept durably at the moment'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemKind = keyof typeof kinds;

/** An expected refusal on its way to the client. `members` extend the document, `headers` the response. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    kind: ProblemKind,
    detail: string,
    more: { status?: number; members?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.kind = kind;
    this.status = more.status ?? kinds[kind][0];
    this.members = more.members ?? {};
    this.headers = more.headers ?? {};
  }
}

/** The document of a problem. */
export function problemDocument(baseUrl: string, problem: Problem): Record<string, unknown> {
  const document = {
    type: `${baseUrl}/problems/${problem.kind}`,
    title: kinds[problem.kind][1],
    status: problem.status,
    detail: problem.message,
  };
  return { ...document, ...problem.members };
}

export const problemMediaType = 'application/problem+json';
