// The errors of the client. Problems of the service are distinguished by `type`, the suffix of their problem type
// (docs/interface.md#problem-types).

/** Whatever this client throws. */
export class SdsError extends Error {
  override readonly name: string = 'SdsError';
}

/** No good answer came for as long as the client's patience lasts. */
export class Unreachable extends SdsError {
  override readonly name = 'Unreachable';
}

/** What was received contradicts what the service says of it: a digest, a number of rows, the order of a log. */
export class NotAsPublished extends SdsError {
  override readonly name = 'NotAsPublished';
}

/** No archive of the dataset was cut yet of this game, or league. */
export class NoArchive extends SdsError {
  override readonly name = 'NoArchive';
}

/** The cursor is not one of this game, or no cursor at all. */
export class ForeignCursor extends SdsError {
  override readonly name = 'ForeignCursor';
}

export const problemTypes = [
  'validation-error',
  'malformed-request',
  'invalid-key',
  'subscription-required',
  'key-disabled',
  'history-restricted',
  'not-found',
  'not-final',
  'not-yet-available',
  'method-not-allowed',
  'live-segment-behind',
  'live-cursor-reset',
  'stream-reset',
  'cursor-expired',
  'precondition-failed',
  'range-not-satisfiable',
  'rate-limited',
  'quota-exhausted',
  'throttled',
  'internal-error',
  'temporarily-unavailable',
] as const;

export type ProblemType = (typeof problemTypes)[number];

/** A problem document; types add members. */
export type ProblemDocument = {
  type?: string;
  title?: string;
  detail?: string;
  reason?: string;
  [member: string]: unknown;
};

/** An answer of the type application/problem+json. */
export class Problem extends SdsError {
  override readonly name = 'Problem';
  /** One of `ProblemType`, or one that is newer than this client; empty where something between answered. */
  readonly type: ProblemType | (string & {});
  readonly status: number;
  readonly document: ProblemDocument;

  constructor(document: ProblemDocument, status: number, path: string) {
    super(
      `${status} ${document.title ?? 'refused'}${document.detail === undefined ? '' : `: ${document.detail}`} (${path})`,
    );
    this.type = String(document.type ?? '').replace(/^.*\//, '');
    this.status = status;
    this.document = document;
  }
}

export function isProblem(error: unknown, ...types: readonly ProblemType[]): error is Problem {
  return error instanceof Problem && types.includes(error.type as ProblemType);
}
