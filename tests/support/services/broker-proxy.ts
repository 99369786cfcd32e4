// A TCP proxy that a test can cut: all connections drop and new ones are refused until the test restores it.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type TcpProxy = { port: number; cut(): Promise<void>; mend(): Promise<void>; close(): Promise<void> };

export async function openProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const accept = (client: Socket) => {
    const server = connect(port, host);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  async function listen(at: number): Promise<Server> {
    const server = createServer(accept).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
  let server = await listen(0);
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return {
    port: own,
    cut,
    async mend() {
      server = await listen(own);
    },
    close: cut,
  };
}
