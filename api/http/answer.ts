// Writes answers: the header fields of every answer, the representation of a body, and the writing itself. It writes to Node's response
// directly, with header lists made once per representation, because this is most of the cost of a request served from memory.
import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';
import type { Pieces } from './pieces.ts';
import { type PreparedHeads, textOfFields } from './prepared-heads.ts';

/**
 * Header fields of every answer (docs/interface.md#response-headers). Any origin may read answers, because browsers send keys explicitly
 * and no cookies.
 */
export const everyAnswer: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Content-Range, Accept-Ranges, X-Service-Rowcount, X-Service-Debited, X-Service-Artifact-Version, X-Request-Id, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Preference-Applied',
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
];

/** A body that can be served whole, in part, or not at all; made once and served often. */
export type Representation = {
  /** Null: the answer has no entity tag, and preconditions do not apply. */
  readonly etag: string | null;
  readonly size: number;
  /** Header fields of a 200, of a 304, and, with those of the range, of a 206. */
  readonly whole: readonly string[];
  readonly partial: readonly string[];
  readonly unchanged: readonly string[];
  /** The fields of a 200 as text. */
  readonly wholeText: string;
  /** Whether the body has no length and is sent while it is produced. */
  readonly isStream: boolean;
  /** The content of `range` (null: the whole). Not called for an answer without a body. */
  body(range: BodyRange | null): Content | Promise<Content>;
};

/** The bytes [start, end) of a body. */
export type BodyRange = { readonly start: number; readonly end: number };

/** Bytes; a short ASCII document is a string, which Node sends together with the head. */
export type Body = Buffer | string;

/** A body in memory, one that is read while it is sent, or one that is sent while it is produced. */
export type Content = Body | Pieces | Feed;

/** The body of a document. */
export function bodyOfText(text: string): Body {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length === text.length && bytes.length <= longestText ? text : bytes;
}

const longestText = 16_384;

export type RepresentationFacts = {
  etag: string | null;
  size: number;
  mediaType: string;
  cacheControl: string;
  /** Whether the answer depends on the key. */
  keyed: boolean;
  /** Rows of a file or page of rows, or those that a document is made from; null: rows are not counted. */
  rows: number | null;
  /** Whether ranges of its bytes are served; default: if rows are counted. */
  ranges?: boolean;
  /** Whether the body has no length; default: false. */
  isStream?: boolean;
  /** Header fields of its own. */
  headers?: readonly string[];
  body(range: BodyRange | null): Content | Promise<Content>;
};

export function represent(facts: RepresentationFacts): Representation {
  const vary = facts.keyed ? ['Vary', 'Authorization'] : [];
  const rows = facts.rows === null ? [] : ['X-Service-Rowcount', String(facts.rows)];
  const ranges = facts.rows !== null && (facts.ranges ?? true) ? ['Accept-Ranges', 'bytes'] : [];
  const own = facts.headers ?? [];
  const etag = facts.etag === null ? [] : ['ETag', facts.etag];
  const content = ['Content-Type', facts.mediaType, ...etag, ...ranges, ...rows, ...vary, ...own, ...everyAnswer];
  const { isStream = false } = facts;
  const length = isStream ? [] : ['Content-Length', String(facts.size)];
  const whole = [...length, 'Cache-Control', facts.cacheControl, ...content];
  return {
    etag: facts.etag,
    size: facts.size,
    whole,
    wholeText: textOfFields(whole),
    isStream,
    partial: ['Cache-Control', 'no-store', ...content],
    unchanged: [...etag, 'Cache-Control', facts.cacheControl, ...vary, ...own, ...everyAnswer],
    body: facts.body,
  };
}

/** Writes a 200 with the additional header fields `own`. */
export function writeWhole(
  response: ServerResponse,
  of: Representation,
  body: Body,
  own: readonly string[],
  heads: PreparedHeads,
): void {
  writeHeadOfWhole(response, of, own, heads);
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

/** Writes the head of a 200 whose body follows. */
export function writeHeadOfWhole(
  response: ServerResponse,
  of: Representation,
  own: readonly string[],
  heads: PreparedHeads,
): void {
  // Node itself frames a body without length.
  if (of.isStream || !heads.give(response, of.wholeText, own)) response.writeHead(200, [...of.whole, ...own]);
}

/** Writes the head of a 200, which is the whole answer to a HEAD. */
export function writeHeadAlone(response: ServerResponse, of: Representation, own: readonly string[]): void {
  response.writeHead(200, [...of.whole, ...own]);
  response.end();
}

/** Writes the head of a 206 whose body follows. */
export function writeHeadOfPart(
  response: ServerResponse,
  of: Representation,
  { start, end }: BodyRange,
  own: readonly string[],
): void {
  const range = ['Content-Length', String(end - start), 'Content-Range', `bytes ${start}-${end - 1}/${of.size}`];
  response.writeHead(206, [...of.partial, ...range, ...own]);
}

/** Writes the part of `body` as a 206. */
export function writePart(
  response: ServerResponse,
  of: Representation,
  body: Body,
  part: BodyRange,
  own: readonly string[],
): void {
  writeHeadOfPart(response, of, part, own);
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  response.end(bytes.subarray(part.start, part.end));
}

/** Writes a 304. */
export function writeUnchanged(response: ServerResponse, of: Representation, own: readonly string[]): void {
  response.writeHead(304, [...of.unchanged, ...own]);
  response.end();
}
