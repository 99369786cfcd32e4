// A server before the API that can cut connections, as a restart of the service does: before an answer, and in the middle of one.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './api-http.ts';

export type CuttingFront = {
  url: string;
  /** Cuts the connections of the next requests, every other one within its answer. Resolves once they came. */
  cut(requests: number): Promise<void>;
  close(): void;
};

/** `before` runs before each request is passed on. */
export async function openCuttingFront(
  url: string,
  before: (target: string, headers: IncomingHttpHeaders) => Promise<void> = async () => {},
): Promise<CuttingFront> {
  let left = 0;
  let allCut = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const target = request.url as string;
    if (left > 0) {
      left -= 1;
      if (left === 0) allCut.resolve();
      cutOff(response, left % 2 === 0);
      return;
    }
    await before(target, request.headers);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'connection'));
    const reply = await send(url, target, {
      method: request.method as string,
      headers: headers as Record<string, string>,
    });
    const { connection: _hop, ...fields } = reply.headers;
    response.writeHead(reply.status, fields);
    response.end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(requests) {
      allCut = Promise.withResolvers<void>();
      left = requests;
      return allCut.promise;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function cutOff(response: ServerResponse, isWithin: boolean): void {
  if (!isWithin) {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"', () => response.destroy());
}
