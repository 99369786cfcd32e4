// What goes wrong between the scripted server and a client: each fault meets the next requests of its route, so many times.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Less than the silence after which a client of the cases asks again. */
const lateMs = 300;

export const routes = ['listing', 'segment', 'final', 'board', 'odds', 'games', 'snapshot', 'changes', 'file'] as const;
export type Route = (typeof routes)[number];

export type Fault = {
  route: Route | 'any';
  /**
   * `drop`: the connection ends before an answer; `headless`: between its head and its body; `truncate`: in the middle of the body;
   * `cut`: the body ends in the middle, compressed, as if it were whole; `garbled`: what is said to be compressed is not;
   * `corrupt`: the body is another; `late`: it is right, and comes after a while; `silent`: nothing is ever said; `stall`: nothing more after half of the body;
   * `problem`: a problem document; `wrong`: this status, with a body of HTML; `unchanged`: a 304 to a request without a tag;
   * `redirect`: to another path; `elsewhere`: URLs in the body are those of another host.
   */
  do:
    | 'drop'
    | 'headless'
    | 'truncate'
    | 'cut'
    | 'garbled'
    | 'corrupt'
    | 'late'
    | 'silent'
    | 'stall'
    | 'problem'
    | 'wrong'
    | 'unchanged'
    | 'redirect'
    | 'elsewhere';
  times: number;
  status?: number;
  type?: string;
  members?: Readonly<Record<string, unknown>>;
  /** Seconds. */
  retry_after?: number;
  /** Seconds too, said as the date at which they are over. */
  retry_at?: number;
};

/** What the service had an answer for before something between broke it; that answer is billed. */
export function isAnswered({ do: fault }: Fault): boolean {
  return ['headless', 'truncate', 'cut', 'garbled', 'corrupt', 'late', 'stall', 'elsewhere'].includes(fault);
}

/** `other`: a body that is as well formed and is not the right one; without it, damage shows. */
export type Reply = { status: number; headers: Record<string, string>; body: Uint8Array; other?: Uint8Array };

/** The fault that meets a request of this route, used up by one. */
export function faultFor(faults: Fault[], route: Route | null): Fault | undefined {
  const fault = faults.find((each) => each.times > 0 && (each.route === 'any' || each.route === route));
  if (fault !== undefined) fault.times -= 1;
  return fault;
}

/** Answers as the fault has it. */
export function answerWrongly(response: ServerResponse, fault: Fault, reply: Reply, base: string): void {
  const { status, headers, body } = reply;
  const begin = (length: number, more = {}) =>
    response.writeHead(status, { ...headers, ...more, 'content-length': String(length) });
  switch (fault.do) {
    case 'silent':
      return;
    case 'drop':
      response.destroy();
      return;
    case 'headless':
      begin(body.length).flushHeaders();
      response.socket?.end();
      return;
    case 'truncate':
      begin(body.length).write(halfOf(body), () => response.destroy());
      return;
    case 'stall':
      begin(body.length).write(halfOf(body));
      return;
    case 'cut': {
      const half = halfOf(gzipSync(body));
      begin(half.length, { 'content-encoding': 'gzip' }).end(half);
      return;
    }
    case 'garbled':
      begin(body.length, { 'content-encoding': 'gzip' }).end(body);
      return;
    case 'corrupt': {
      const other = reply.other ?? damaged(body);
      begin(other.length).end(other);
      return;
    }
    case 'late':
      setTimeout(() => begin(body.length).end(body), lateMs);
      return;
    case 'unchanged':
      response.writeHead(304).end();
      return;
    case 'redirect':
      response.writeHead(307, { location: `${base}/elsewhere` }).end();
      return;
    case 'elsewhere': {
      const other = Buffer.from(Buffer.from(body).toString().replaceAll('"/v1/', `"${base}/elsewhere/v1/`));
      begin(other.length).end(other);
      return;
    }
    case 'wrong':
      response.writeHead(fault.status ?? 502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    case 'problem': {
      const answer = problem(base, fault.status ?? 503, fault.type ?? 'temporarily-unavailable', fault.members ?? {});
      response.writeHead(answer.status, { ...answer.headers, ...retryAfter(fault) }).end(answer.body);
    }
  }
}

/** How many seconds the client has to wait. */
export function waitOf({ do: fault, retry_after: seconds, retry_at: after }: Fault): number {
  return fault === 'problem' ? (seconds ?? after ?? 0) : 0;
}

/** A date counts from the one of the answer: an own clock may be wrong by more than the wait, and so may the server's. */
function retryAfter({ retry_after: seconds, retry_at: after }: Fault): Record<string, string> {
  if (seconds !== undefined) return { 'retry-after': String(seconds) };
  if (after === undefined) return {};
  const date = Date.UTC(2031, 0, 1);
  return { date: new Date(date).toUTCString(), 'retry-after': new Date(date + after * 1_000).toUTCString() };
}

function halfOf(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.floor(body.length / 2));
}

function damaged(body: Uint8Array): Uint8Array {
  const other = Uint8Array.from(body);
  const at = Math.floor(other.length / 2);
  other[at] = (other[at] ?? 0) ^ 0xff;
  return other;
}

export function problem(base: string, status: number, type: string, members: Readonly<Record<string, unknown>>): Reply {
  const document = { type: `${base}/problems/${type}`, title: type, status, ...members };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: new TextEncoder().encode(JSON.stringify(document)),
  };
}
