// Ports for services that cannot choose their own.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const handedOut = new Set<number>();

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (address === null || typeof address === 'string' || handedOut.has(address.port)) continue;
    handedOut.add(address.port);
    return address.port;
  }
}

/** Whether something accepts connections at the port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
