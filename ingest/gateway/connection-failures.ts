// Failures below the routes: what Node and Fastify would answer by themselves, with bodies of their own. Each becomes a problem document,
// or the connection is closed when nothing can be said on it any more. Nothing of the cause is shown.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, rawProblem, refuseAtOnce, type Site } from './problem.ts';

/** Answers what the HTTP parser refused, and ends the connection. */
export function clientErrorHandler(site: Site, newRequestId: () => string): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    socket.end(rawProblem(site, problemOfParser(code), newRequestId()), () => socket.destroy());
  };
}

/** Whether an answer to a request of this connection has begun: a second one within it would be garbage. */
function isAnswering(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
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
