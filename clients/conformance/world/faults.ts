// What goes wrong between the scripted server and a client: each fault meets the next requests of its route, so many times.
import type { ServerResponse } from 'node:http';

export const routes = ['listing', 'segment', 'final', 'board', 'games', 'snapshot', 'changes', 'file'] as const;
export type Route = (typeof routes)[number];

export type Fault = {
  route: Route | 'any';
  /**
   * `drop`: the connection ends before an answer; `truncate`: in the middle of the body; `corrupt`: the body is another;
   * `silent`: nothing is ever said; `problem`: a problem document; `wrong`: this status, with a body of HTML.
   */
  do: 'drop' | 'truncate' | 'corrupt' | 'silent' | 'problem' | 'wrong';
  times: number;
  status?: number;
  type?: string;
  members?: Readonly<Record<string, unknown>>;
  retry_after?: number;
};

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
  const { body } = reply;
  switch (fault.do) {
    case 'silent':
      return;
    case 'drop':
      response.destroy();
      return;
    case 'truncate':
      response.writeHead(reply.status, { ...reply.headers, 'content-length': String(body.length) });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'corrupt': {
      const other = reply.other ?? damaged(body);
      response.writeHead(reply.status, { ...reply.headers, 'content-length': String(other.length) }).end(other);
      return;
    }
    case 'wrong':
      response.writeHead(fault.status ?? 502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    case 'problem': {
      const answer = problem(base, fault.status ?? 503, fault.type ?? 'temporarily-unavailable', fault.members ?? {});
      const wait = fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) };
      response.writeHead(answer.status, { ...answer.headers, ...wait }).end(answer.body);
    }
  }
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
