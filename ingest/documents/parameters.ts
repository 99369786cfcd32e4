// The parameters that accompany a body: parts of paths, the query and the header fields of the gateway, by name. A name has the same
// meaning on every route.
import { msfFeeds } from '../../core/msf/feeds/feeds.ts';
import type { JsonSchema } from '../../schemas/http/json-schema.ts';
import { gatewayProblemTypes } from '../../schemas/http/problems.ts';
import { anyCaseCode } from '../../schemas/reference/leagues.ts';

type Parameter = { description: string; schema: JsonSchema; example?: unknown };

const text = { type: 'string' } as const;

export const pathParameters: Readonly<Record<string, Parameter>> = {
  source: {
    description: 'The source of the push: a name that the feed key may push as.',
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' },
    example: 'mybook',
  },
  league: { description: 'League code, in any case.', schema: { type: 'string', pattern: `^${anyCaseCode}$` } },
  season: {
    description: 'Season as MySportsFeeds names it, `2025-2026-regular`.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z-]{1,64}$' },
  },
  feed: { description: 'Feed of MySportsFeeds.', schema: { type: 'string', enum: msfFeeds } },
  receipt: { description: 'Receipt of a push.', schema: text },
  suffix: {
    description: 'Suffix of a problem type: what follows `/problems/` in it.',
    schema: { type: 'string', enum: Object.keys(gatewayProblemTypes) },
  },
};

export const queryParameters: Readonly<Record<string, Parameter>> = {
  odds_format: {
    description: 'How the prices of the body are written.',
    schema: { type: 'string', enum: ['american', 'decimal'], default: 'american' },
  },
  markets: { description: 'Markets that the poll covered, separated by commas; default: all.', schema: text },
  bookmakers: { description: 'Bookmakers that the poll covered, separated by commas; default: all.', schema: text },
  strict: {
    description: 'Whether probable mistakes are refused instead of reported as warnings.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
  },
  validate: {
    description:
      'Whether the push is only checked: the answer is that of the push, with 200 and without a receipt, and nothing of it is kept.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
  },
  game: {
    description: 'The game, for feeds of one game, by its MySportsFeeds id or name.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z-]{1,64}$' },
  },
};

/** Header fields that clients send, under their component names. */
export const requestHeaders = {
  'Content-Encoding': {
    description: 'How the body is compressed; at most 8 MiB inflated.',
    schema: { type: 'string', enum: ['gzip', 'zstd', 'identity'] },
  },
  'Idempotency-Key': {
    description:
      'A name for this push, kept for 24 hours: sent again with the same bytes it is answered as before, with other bytes refused. A client that may retry sends one.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'X-Observed-At': {
    description: 'When the body was observed, RFC 3339, if that is not now; needs the scope `backfill`.',
    schema: text,
  },
  'X-Request-Started-At': { description: 'When the body was requested from its source, RFC 3339.', schema: text },
  traceparent: {
    description:
      'The trace that the push continues, as in W3C Trace Context, where the service sends traces to a collector.',
    schema: text,
  },
} as const satisfies Record<string, Parameter>;

export type RequestHeader = keyof typeof requestHeaders;

/** Header fields of answers, under their component names. */
export const answerHeaders = {
  'Cache-Control': { description: '`no-store`.', schema: text },
  'Retry-After': {
    description: 'Seconds to wait before sending the same push again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
  'X-Request-Id': { description: 'The id of this request; mention it in a report.', schema: text },
} as const satisfies Record<string, Parameter>;

export type AnswerHeader = keyof typeof answerHeaders;
