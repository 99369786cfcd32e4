// Failures before any route, for which Node and Fastify would send bodies of their own. Each becomes a problem document; if an answer can
// no longer be written, the connection is closed. The answer reveals nothing about the cause.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerOn } from './end-connections.ts';
import type { Problems } from './problem-document.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { NewRequestId } from './request-id.ts';

/** Answers what the HTTP parser refused, and closes the connection. */
export function clientErrorHandler(
  problems: Problems,
  newRequestId: NewRequestId,
): (error: Error, socket: Duplex) => void {
  const ending = new WeakSet<Duplex>();
  return (error, socket) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET') socket.destroy();
    // Bytes after the first failure belong to no request either.
    if (ending.has(socket)) return;
    ending.add(socket);
    afterEarlierAnswers(socket, () => {
      if (!socket.writable) return void socket.destroy();
      socket.end(problems.raw(refusalOfParser(code), newRequestId(null)), () => socket.destroy());
    });
  };
}

/**
 * Calls `then` once the complete requests before the failure are answered. They keep their answers, whatever follows them: a push that is
 * in the log is acknowledged. If the failure is within a request whose answer has begun, the connection is closed.
 */
function afterEarlierAnswers(socket: Duplex, then: () => void): void {
  const answering = answerOn(socket);
  if (answering === null || socket.destroyed) then();
  else if (answering.req.complete) answering.once('close', () => afterEarlierAnswers(socket, then));
  else if (answering.headersSent) socket.destroy();
  else then();
}

function refusalOfParser(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('malformed-request', { status: 431, detail: 'The request line and headers are too long.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('malformed-request', { status: 408, detail: 'The request did not arrive in time.' });
    default:
      return refuse('malformed-request', { detail: 'The request is not well-formed HTTP/1.1.' });
  }
}

/** The refusal for what Fastify rejects before a route: a path that cannot be decoded or has a part that is too long. */
export function refusalOfFramework(code: string): Refusal {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? refuse('malformed-request', { status: 414, detail: 'A part of the path is too long.' })
    : refuse('malformed-request', { detail: 'The path is not valid percent-encoded UTF-8.' });
}

/** Answers what Node passes to its own event listeners instead of the routes. `methods`: those that the routes take. */
export function addConnectionAnswers(
  server: Server,
  problems: Problems,
  newRequestId: NewRequestId,
  methods: string,
): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = refuse('malformed-request', { status: 417, detail: 'The Expect header is not understood.' });
    problems.write(response, refusal, newRequestId(null), true);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuse('method-not-allowed', { detail: 'This is no proxy.', headers: ['Allow', methods] });
    socket.end(problems.raw(refusal, newRequestId(null)));
  });
}
