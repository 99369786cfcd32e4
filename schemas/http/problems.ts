// The catalogue of problem types: the ONE place that defines a type's status, title, meaning and remedy. Answers, the pages under
// /problems/ and the API description are made from it. Clients dispatch on the type, so a suffix never changes its meaning.

export type ProblemType = {
  /** The first is the usual one. */
  readonly statuses: readonly [number, ...number[]];
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
};

export const problemTypes = {
  'validation-error': {
    statuses: [400],
    title: 'Invalid request parameter',
    meaning:
      'A query parameter or the Range header is unknown, repeated, malformed or out of bounds, or a cursor belongs to another dataset or game; `detail` says which.',
    remedy: 'Correct the parameter that `detail` names. Unknown parameters are refused, never ignored.',
  },
  'malformed-request': {
    statuses: [400, 408, 414, 417, 431],
    title: 'Malformed HTTP request',
    meaning: 'The HTTP layer refused the request before a route was known.',
    remedy:
      'Send well-formed HTTP/1.1 with one Host header, a short URL and short headers, and send it without long pauses.',
  },
  'invalid-key': {
    statuses: [401],
    title: 'Missing or invalid API key',
    meaning: 'The API key is missing, malformed or unknown; `detail` says what is wrong.',
    remedy:
      'Send exactly one header `Authorization: Bearer <API_KEY>` with a key that begins with `svc_live_`; at the push gateway it is a feed key, `svc_feed_`.',
  },
  'subscription-required': {
    statuses: [402],
    title: 'No active subscription',
    meaning: 'The key is valid, but its account has no active subscription.',
    remedy: 'Subscribe or renew at `upgrade_url`.',
  },
  'key-disabled': {
    statuses: [403],
    title: 'API key disabled',
    meaning: 'The key was revoked or suspended.',
    remedy: "Mint a new key on the account's key page.",
  },
  'history-restricted': {
    statuses: [403],
    title: "Outside the tier's history window",
    meaning: "The requested game or revision is older than the tier's history window.",
    remedy: 'Fetch newer data or upgrade.',
  },
  'not-found': {
    statuses: [404],
    title: 'Not found',
    meaning: 'There is no such route, dataset, game, artifact or file; the live and the MSF routes add `reason`.',
    remedy:
      'Check the path. With `reason` `final_available`, fetch the dataset that `final` names; with `no_live_artifact`, ask again once the game is tracked; with `revision_not_retained`, read the `snapshot`, or an archive of the list in `archives`.',
  },
  'not-final': {
    statuses: [404],
    title: 'Game is still served live',
    meaning: 'The final sportsbook-lines file does not exist yet, because the game is still served live.',
    remedy: 'Read the segments or the board at the URLs in `live`.',
  },
  'not-yet-available': {
    statuses: [404],
    title: 'Not yet available',
    meaning: 'Nothing has been published yet, or the revision was never published.',
    remedy: 'Ask again after `poll_after` seconds.',
  },
  'method-not-allowed': {
    statuses: [405],
    title: 'Method not allowed',
    meaning: 'The route exists, but not for this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'live-segment-behind': {
    statuses: [409],
    title: 'Live segment holds fewer rows than promised',
    meaning: 'The segment no longer holds as many rows as `rows` asks for: the log was rebuilt since it was listed.',
    remedy: 'List the segments again without a cursor. Nothing was charged.',
  },
  'live-cursor-reset': {
    statuses: [409],
    title: 'Cursor position no longer held',
    meaning: 'The live log no longer holds the position that the cursor names.',
    remedy: 'List the segments again without a cursor. Nothing was charged.',
  },
  'stream-reset': {
    statuses: [410],
    title: 'Stream was replaced',
    meaning: 'The cursor belongs to a stream epoch that has been replaced.',
    remedy: 'Fetch the replacement snapshot at `snapshot`.',
  },
  'cursor-expired': {
    statuses: [410],
    title: 'Cursor expired',
    meaning: 'The revisions after the cursor are no longer kept.',
    remedy: 'Fetch a new snapshot at `snapshot`.',
  },
  'precondition-failed': {
    statuses: [412],
    title: 'Precondition failed',
    meaning: 'The current ETag is none of those in If-Match.',
    remedy: 'Fetch the resource again and use its current ETag.',
  },
  'range-not-satisfiable': {
    statuses: [416],
    title: 'Range not satisfiable',
    meaning: 'The byte range begins after the end of the file.',
    remedy: 'Content-Range gives the size of the file; request a range within it. Nothing was charged.',
  },
  'rate-limited': {
    statuses: [429],
    title: 'Too many requests',
    meaning: 'A limit is reached: of requests, of event streams of a key, or of what a feed key may push.',
    remedy: 'Wait for the seconds in Retry-After, then continue more slowly.',
  },
  'quota-exhausted': {
    statuses: [429],
    title: 'Monthly row quota exhausted',
    meaning: 'The request would exceed the monthly quota of rows.',
    remedy: 'Wait for the date in `reset`, or upgrade at `upgrade_url`. Retrying does not help.',
  },
  throttled: {
    statuses: [429],
    title: 'Key throttled by operations',
    meaning: 'The administrator has temporarily stopped this key, regardless of its load.',
    remedy: 'Do not retry in a loop; contact support.',
  },
  'internal-error': {
    statuses: [500],
    title: 'Internal error',
    meaning: 'The server failed unexpectedly; for damaged MSF data, `reason` says how. Nothing was charged.',
    remedy: 'Retry with exponential backoff; mention the X-Request-Id when reporting it.',
  },
  'temporarily-unavailable': {
    statuses: [503],
    title: 'Temporarily unavailable',
    meaning: 'A dependency of the answer is temporarily unreachable.',
    remedy: 'Retry after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof problemTypes;

/** The types of the push gateway: the public ones and its own (docs/operations.md#push-gateway). */
export const gatewayProblemTypes = {
  ...problemTypes,
  'idempotency-conflict': {
    statuses: [400],
    title: 'Idempotency key used with another body',
    meaning: 'The Idempotency-Key came with another body within the last 24 hours.',
    remedy: 'Send a new key with each new body, and the same key only with the same bytes.',
  },
  forbidden: {
    statuses: [403],
    title: 'Not allowed for this feed key',
    meaning: 'The feed key is valid, but not for this source, or without the scope that the request needs.',
    remedy:
      'Use a key of this source that has the scope: `push` for quotes, `reference` for reference data, `msf` for bodies of MySportsFeeds, `backfill` for ticks and times of your own. `detail` says what the key may do.',
  },
  'payload-too-large': {
    statuses: [413],
    title: 'Body too large',
    meaning: 'The body is larger than a push may be, inflated, or has more parts than the gateway accepts in one push.',
    remedy: 'Split the push.',
  },
  'unsupported-media-type': {
    statuses: [415],
    title: 'Unsupported media type',
    meaning: 'The route does not accept this Content-Type or Content-Encoding.',
    remedy: 'Send JSON, or NDJSON if the route accepts it, in UTF-8, uncompressed or compressed with gzip or zstd.',
  },
} as const satisfies Record<string, ProblemType>;

export type GatewayProblemCode = keyof typeof gatewayProblemTypes;

/** Whether `text` is the suffix of a type of either listener: they may share one base URL. */
export function isGatewayProblemCode(text: string): text is GatewayProblemCode {
  return Object.hasOwn(gatewayProblemTypes, text);
}

export const problemMediaType = 'application/problem+json';
