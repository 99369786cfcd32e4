// A proxy before the object store that behaves as the drill chooses: it passes requests on, answers 500 to all, changes
// bytes that are read, refuses writes as if full, or does not answer.
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export const storeFaults = ['500', 'wrong-bytes', 'full', 'gone'] as const;
export type StoreFault = (typeof storeFaults)[number];

export type FaultyStore = {
  endpoint: string;
  /** How many requests the current fault has affected; a fault that affects none proves nothing. */
  met(): number;
  /** When it last gave wrong bytes, by `performance.now()`; null: never. */
  damagedAt(): number | null;
  begin(fault: StoreFault): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
};

export async function openFaultyStore(behind: string): Promise<FaultyStore> {
  const { hostname, port } = new URL(behind);
  let fault: StoreFault | null = null;
  let met = 0;
  let damagedAt: number | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const isRead = request.method === 'GET';
    if (fault === '500' || (fault === 'full' && request.method === 'PUT')) {
      met += 1;
      request.resume();
      response.writeHead(fault === 'full' ? 507 : 500, { 'content-type': 'application/xml' });
      response.end(fault === 'full' ? fullAnswer : errorAnswer);
      return;
    }
    // The signature covers the host that the client addressed, so it passes unchanged.
    const { method, url: path, headers } = request;
    const forwarded = ask({ hostname, port, method, path, headers }, (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      if (fault === 'wrong-bytes' && isRead && (from.statusCode === 200 || from.statusCode === 206)) {
        met += 1;
        from.on('data', (chunk: Buffer) => {
          damagedAt = performance.now();
          response.write(chunk.map((byte) => byte ^ 0x5a));
        });
        from.on('end', () => response.end());
      } else from.pipe(response);
      from.on('error', () => response.destroy());
    });
    forwarded.on('error', () => response.destroy());
    request.on('error', () => forwarded.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  };
  const listen = async (at: number): Promise<Server> => {
    const listening = createServer(answer).listen(at, '127.0.0.1');
    await once(listening, 'listening');
    return listening;
  };
  let server = await listen(0);
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    endpoint: `http://127.0.0.1:${own}`,
    met: () => met,
    damagedAt: () => damagedAt,
    async begin(next) {
      met = 0;
      fault = next;
      if (next === 'gone') await close();
    },
    async end() {
      fault = null;
      if (!server.listening) server = await listen(own);
    },
    close,
  };
}

const errorAnswer = '<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>';
const fullAnswer = '<Error><Code>XMinioStorageFull</Code><Message>The drive is full.</Message></Error>';
