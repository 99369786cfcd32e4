// Ends the connections of a listener that closes. Node looks at them once, when it begins to close, and destroys those that it takes for idle:
// also one whose reader has not taken all of its answer yet. A connection whose answer ends later stays open for as long as its client keeps
// it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** The channel on which Node announces the end of each answer of a process. */
export const endOfAnswers = 'http.server.response.finish';

/** While the listener closes, each connection ends behind the answer under way, at once if there is none, or no request yet. */
export function endConnectionsBehindAnswers(app: FastifyInstance): void {
  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  // Node and Fastify call it when they begin to close.
  server.closeIdleConnections = () => {
    for (const socket of open) endIfIdle(socket);
  };
  const onEnd = async (message: unknown): Promise<void> => {
    const { server: of, socket } = message as { server: Server; socket: Socket };
    if (of !== server) return;
    // Node takes the answer off its connection, and puts the next one on it, just after it has announced the end.
    await Promise.resolve();
    endIfIdle(socket);
  };
  app.addHook('preClose', async () => subscribe(endOfAnswers, onEnd));
  app.addHook('onClose', async () => void unsubscribe(endOfAnswers, onEnd));
}

function endIfIdle(socket: Socket): void {
  if (answerOn(socket) === null) socket.destroySoon();
}

/** The answer that is being made or sent on a connection. */
export function answerOn(socket: Duplex): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
