// Failures of the push gateway as problem documents (RFC 9457; docs/operations.md#push-gateway). The one place where a refusal becomes
// HTTP: written to a response, or as raw bytes where Node has no response yet. Types and titles are of schemas/http.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Site } from '../../http/problem-document.ts';
import { type GatewayProblemCode, gatewayProblemTypes, problemMediaType } from '../../schemas/http/problems.ts';

export type { Site } from '../../http/problem-document.ts';

type More = {
  /** Where the type has several statuses. */
  status?: number;
  /** Members that extend the document. */
  members?: Readonly<Record<string, unknown>>;
  /** Header fields that extend the answer. */
  headers?: Readonly<Record<string, string>>;
  /** Which limit it is that the request met: what it is counted as. Left out: its type. */
  limit?: string;
};

/** An expected refusal on its way to the client. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: GatewayProblemCode;
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: string;
  constructor(code: GatewayProblemCode, detail: string, { status, members = {}, headers = {}, limit }: More = {}) {
    super(detail);
    this.code = code;
    this.status = status ?? gatewayProblemTypes[code].statuses[0];
    this.members = members;
    this.headers = headers;
    this.limit = limit ?? code;
  }
}

/** The client is to come back: nothing of what it sent was accepted. */
export function comeBack(
  code: 'rate-limited' | 'temporarily-unavailable',
  detail: string,
  more: Pick<More, 'limit'> = {},
): Problem {
  return comeBackAfter(1, code, detail, more);
}

/** The same, after so many seconds. */
export function comeBackAfter(
  seconds: number,
  code: 'rate-limited' | 'temporarily-unavailable',
  detail: string,
  more: Pick<More, 'limit' | 'members'> = {},
): Problem {
  return new Problem(code, detail, { ...more, headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });
}

/** Header fields of every answer. Nothing here is for browsers or caches. */
export function headersOfAnswer(mediaType: string, body: string, requestId: string): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
}

function documentOf(site: Site, problem: Problem): string {
  return JSON.stringify({
    type: `${site.baseUrl}/problems/${problem.code}`,
    title: gatewayProblemTypes[problem.code].title,
    status: problem.status,
    detail: problem.message,
    ...problem.members,
  });
}

/** The head and body of a problem. */
export function answerOfProblem(
  site: Site,
  problem: Problem,
  requestId: string,
): { status: number; headers: Record<string, string>; body: string } {
  const body = documentOf(site, problem);
  const headers = { ...headersOfAnswer(problemMediaType, body, requestId), ...problem.headers };
  return { status: problem.status, headers, body };
}

/** Writes a problem to a request of which no body is read; it ends the connection. */
export function refuseAtOnce(response: ServerResponse, site: Site, problem: Problem, requestId: string): void {
  const { status, headers, body } = answerOfProblem(site, problem, requestId);
  response.writeHead(status, { ...headers, Connection: 'close' });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The whole answer as bytes, for a connection on which no request could be read; it ends the connection. */
export function rawProblem(site: Site, problem: Problem, requestId: string): string {
  const { status, headers, body } = answerOfProblem(site, problem, requestId);
  const fields = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n${body}`;
}
