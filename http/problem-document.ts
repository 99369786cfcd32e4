// Problem documents (RFC 9457): the only body of any failure of either listener. Written to a response, or as raw bytes where Node has no
// response yet. Types and titles are those of schemas/http.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type GatewayProblemCode, gatewayProblemTypes, problemMediaType } from '../schemas/http/problems.ts';
import { jsonText } from './json-text.ts';
import type { Refusal } from './refusal.ts';

/** The public address of a listener: `{base_url}` of problem types and links. It is known once the service listens, at the latest. */
export type Site = { baseUrl: string };

type AnyRefusal = Refusal<GatewayProblemCode>;

/** The answer to a refusal. Header fields are names and values, alternating. */
export type ProblemAnswer = { status: number; headers: string[]; body: string };

/** How one listener answers refusals. */
export type Problems = {
  answer(refusal: AnyRefusal, requestId: string): ProblemAnswer;
  /** Writes the problem; to a HEAD, without the body. `close` ends the connection afterwards. */
  write(response: ServerResponse, refusal: AnyRefusal, requestId: string, close: boolean): void;
  /** The whole answer as bytes, for a connection on which no request could be read; it then ends. */
  raw(refusal: AnyRefusal, requestId: string): string;
};

/** `fieldsOfEvery`: header fields that every problem of the listener has in addition. */
export function openProblems(site: Site, fieldsOfEvery: () => readonly string[]): Problems {
  function answer(refusal: AnyRefusal, requestId: string): ProblemAnswer {
    const body = documentOf(site, refusal);
    const headers = [
      'Content-Type',
      problemMediaType,
      'Content-Length',
      String(Buffer.byteLength(body)),
      'Cache-Control',
      'no-store',
      ...(refusal.headers ?? []),
      ...fieldsOfEvery(),
      'X-Request-Id',
      requestId,
    ];
    return { status: statusOf(refusal), headers, body };
  }

  return {
    answer,
    write(response, refusal, requestId, close) {
      const { status, headers, body } = answer(refusal, requestId);
      if (close) headers.push('Connection', 'close');
      response.writeHead(status, headers);
      response.end(response.req.method === 'HEAD' ? undefined : body);
    },
    raw(refusal, requestId) {
      const { status, headers, body } = answer(refusal, requestId);
      headers.push('Connection', 'close');
      let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
      for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
      return `${head}\r\n${body}`;
    },
  };
}

export function statusOf({ refused, status }: AnyRefusal): number {
  return status ?? gatewayProblemTypes[refused].statuses[0];
}

function documentOf({ baseUrl }: Site, refusal: AnyRefusal): string {
  const { refused, title, detail, members } = refusal;
  return jsonText({
    type: `${baseUrl}/problems/${refused}`,
    title: title ?? gatewayProblemTypes[refused].title,
    status: statusOf(refusal),
    ...(detail === undefined ? {} : { detail }),
    ...members,
  });
}
