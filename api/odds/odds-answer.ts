import { type Body, bodyOfText, type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';

/** A document of odds as served, and the number of rows it is made from, by which it is charged and which a HEAD shows. */
export type OddsAnswer = {
  readonly file: Representation;
  readonly body: Body;
  readonly etag: string;
  readonly rows: number;
};

export function oddsAnswer(text: string, etag: string, rows: number): OddsAnswer {
  const body = bodyOfText(text);
  const file = represent({
    etag,
    size: Buffer.byteLength(text),
    mediaType: 'application/json',
    cacheControl: cachePolicies.live,
    keyed: true,
    rows,
    ranges: false,
    body: () => body,
  });
  return { file, body, etag, rows };
}

export function textOf({ body }: OddsAnswer): string {
  return typeof body === 'string' ? body : body.toString('utf8');
}
