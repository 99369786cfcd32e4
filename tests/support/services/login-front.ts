// HTTP Basic authentication before the real schema registry, which has none of its own; stands in for a proxy.
import { once } from 'node:events';
import { createServer, request } from 'node:http';

export type LoginFront = { port: number; close(): Promise<void> };

export async function openLoginFront(behind: URL, login: string): Promise<LoginFront> {
  const expected = `Basic ${Buffer.from(login).toString('base64')}`;
  const front = createServer((asked, answer) => {
    if (asked.headers.authorization !== expected) {
      asked.resume();
      answer.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end('{"error_code":401}');
      return;
    }
    const { authorization, ...headers } = asked.headers;
    const inner = request(
      { host: behind.hostname, port: behind.port, method: asked.method, path: asked.url, headers },
      (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      },
    );
    inner.on('error', () => answer.destroy());
    asked.pipe(inner);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      front.closeAllConnections();
      front.close();
      await once(front, 'close');
    },
  };
}
