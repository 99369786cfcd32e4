// MySportsFeeds as far as a client sees it: an HTTP server that plays prepared answers by path, knows which answer each
// key has received (its 304s are by key, not by date), and remembers requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export type PreparedAnswer =
  | { status: number; body?: string | Uint8Array; headers?: Readonly<Record<string, string>>; gzip?: boolean }
  /** Cuts the connection, or never answers. */
  | 'cut'
  | 'silence';

export type SeenRequest = {
  path: string;
  query: string;
  authorization: string | undefined;
  headers: IncomingMessage['headers'];
};

export type MsfServer = AsyncDisposable & {
  baseUrl: string;
  requests: SeenRequest[];
  /**
   * Sets the answers of these paths; a path without any answers 204. A list is played in order, and its last answer
   * repeats.
   */
  answer(path: string, ...answers: PreparedAnswer[]): void;
};

export async function openMsfServer(): Promise<MsfServer> {
  const answers = new Map<string, PreparedAnswer[]>();
  const served = new Map<string, string>();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://source');
    const path = url.pathname.slice('/v2.1/pull/'.length);
    requests.push({ path, query: url.search, authorization: request.headers.authorization, headers: request.headers });
    const prepared = answers.get(path) ?? [{ status: 204 }];
    const now = (prepared.length > 1 ? prepared.shift() : prepared[0]) ?? { status: 204 };
    play(response, now, url.searchParams.get('force') === 'false', served, `${request.headers.authorization} ${path}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2.1/pull`,
    requests,
    answer: (path, ...list) => void answers.set(path, list),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function play(
  response: ServerResponse,
  answer: PreparedAnswer,
  unforced: boolean,
  served: Map<string, string>,
  who: string,
): void {
  if (answer === 'silence') return;
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  const { status, body = '', headers = {}, gzip = false } = answer;
  const bytes = Buffer.from(body as string);
  const content = bytes.toString('base64');
  if (status === 200 && unforced && served.get(who) === content) {
    response.writeHead(304).end();
    return;
  }
  if (status === 200) served.set(who, content);
  const encoding = gzip ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...encoding });
  response.end(gzip ? gzipSync(bytes) : bytes);
}
