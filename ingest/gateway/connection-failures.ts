// Failures below the routes: what Node and Fastify would answer by themselves, with bodies of their own. Each becomes a problem document,
// or the connection is closed when nothing can be said on it any more. Nothing of the cause is shown.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, rawProblem, refuseAtOnce, type Site } from './problem.ts';

/** Answers what the HTTP parser refused, and ends the connection. */
export function clientErrorHandler(site: Site, newRequestId: () => string): (error: Error, socket: Duplex) => void {
  const ending = new WeakSet<Duplex>();
  return (error, socket) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET') socket.destroy();
    // What follows the first failure is of no request either.
    if (ending.has(socket)) return;
    ending.add(socket);
    afterEarlierAnswers(socket, () => {
      if (!socket.writable) return void socket.destroy();
      socket.end(rawProblem(site, problemOfParser(code), newRequestId()), () => socket.destroy());
    });
  };
}

/**
 * Calls `then` once the whole pushes before the failure are answered: one that is logged is acknowledged, whatever came behind it. Where the
 * failure is within a push, nothing more can be said once its answer has begun.
 */
function afterEarlierAnswers(socket: Duplex, then: () => void): void {
  const answering = (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
  if (answering === null || socket.destroyed) then();
  else if (answering.req.complete) answering.once('close', () => afterEarlierAnswers(socket, then));
  else if (answering.headersSent) socket.destroy();
  else then();
}

function problemOfParser(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('malformed-request', 'The request line and headers are too long.', { status: 431 });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('malformed-request', 'The request did not arrive in time.', { status: 408 });
  return new Problem('malformed-request', 'The request is not well-formed HTTP/1.1.');
}

/** What Fastify refuses before a route: a path that cannot be decoded, or a part of it that is too long. */
export function problemOfFramework(code: string): Problem {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? new Problem('malformed-request', 'A part of the path is too long.', { status: 414 })
    : new Problem('malformed-request', 'The path is not valid percent-encoded UTF-8.');
}

/** Answers what Node hands to listeners of its own instead of to the routes. */
export function addConnectionAnswers(server: Server, site: Site, newRequestId: () => string): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = new Problem('malformed-request', 'The Expect header is not understood.', { status: 417 });
    refuseAtOnce(response, site, problem, newRequestId());
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const problem = new Problem('method-not-allowed', 'This is no proxy.', { headers: { Allow: 'GET, HEAD, POST' } });
    socket.end(rawProblem(site, problem, newRequestId()));
  });
}
