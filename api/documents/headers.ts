// Header fields in the documents: those that a client may send and those of answers.
import { requestWindow } from '../../core/limits/request-window.ts';
import type { JsonSchema } from '../../schemas/http/json-schema.ts';

type Field = { description: string; schema: JsonSchema; example?: unknown };

const { name, ms } = requestWindow;
const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Sent by clients, under the names of their components. */
export const requestHeaders = {
  Range: {
    description:
      'One byte range, `bytes=<start>-<end>` or `bytes=-<last>`. Several ranges are answered with the whole file.',
    schema: text,
    example: 'bytes=0-65535',
  },
  'If-Range': {
    description:
      'A strong ETag: the range applies only if the file still has this ETag; otherwise you get the whole file.',
    schema: text,
  },
  'If-None-Match': {
    description: 'ETags that the client has, or `*`. If one matches: 304 without a body, free of charge.',
    schema: text,
  },
  Prefer: {
    description: '`wait=<seconds>`, at most 25: if nothing is new, the request waits for changes, up to this long.',
    schema: text,
  },
  'If-Match': { description: 'ETags that the client expects, or `*`. If none matches: 412.', schema: text },
  'X-Request-Id': {
    description: 'A name for this request: 1 to 128 letters, digits and `._~:/+=@-`. Anything else is replaced.',
    schema: text,
  },
} as const satisfies Record<string, Field>;

/** Of answers, under the names of their components. */
export const answerHeaders = {
  'Accept-Ranges': { description: '`bytes`: byte ranges are supported.', schema: { const: 'bytes' } },
  'Cache-Control': {
    description: 'What the client may cache, and for how long; `no-store` on errors and 206 responses.',
    schema: text,
  },
  'Content-Range': {
    description: 'The returned range and the size: `bytes 0-65535/1048576`; in a 416 `bytes */1048576`.',
    schema: text,
  },
  ETag: {
    description: 'Identifies these bytes: on files their SHA-256 in quotes.',
    schema: text,
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'Preference-Applied': {
    description: '`wait=<seconds>`: the longest wait that was granted. Only if the request asked for one.',
    schema: text,
    example: 'wait=25',
  },
  RateLimit: {
    description: 'Requests that remain, and seconds until there are more.',
    schema: text,
    example: `"${name}";r=12;t=33`,
  },
  'RateLimit-Limit': { description: `Requests per ${name}.`, schema: count },
  'RateLimit-Policy': {
    description: 'The limit as a policy.',
    schema: text,
    example: `"${name}";q=300;w=${ms / 1_000}`,
  },
  'RateLimit-Remaining': { description: 'Requests that remain in this window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until there are more.', schema: count },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 } },
  Vary: { description: 'The header fields of the request that the answer depends on.', schema: text },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
  'X-Request-Id': {
    description: 'The id of this request, as sent or generated; mention it in a report.',
    schema: text,
  },
  'X-Service-Artifact-Version': {
    description: 'The version of the file, from 1.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Service-Debited': { description: 'Rows charged for this answer.', schema: count },
  'X-Service-Rowcount': {
    description: 'Rows of the answer, or quotes that the odds are computed from; on HEAD a preview of the cost.',
    schema: count,
  },
} as const satisfies Record<string, Field>;

export type AnswerHeader = keyof typeof answerHeaders;

export const rateLimitHeaders = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly AnswerHeader[];
