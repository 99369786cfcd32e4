// The proxy's listener, on the loopback only. Every client that reaches it reads with the key, so it serves programs on this machine and
// refuses requests that a page of another site makes through a local browser.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../core/ports/telemetry.ts';
import { openProblems } from '../../http/problem-document.ts';
import { type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import { requestIds } from '../../http/request-id.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { openOrigin } from './origin.ts';
import { fieldsToPass, type ProxyAnswer, type ProxyRequest } from './proxy-answer.ts';
import { openReadThrough } from './read-through.ts';
import { writeKept } from './write-kept.ts';

/** Answers so far, from disk and in total, those that the disk could not take, and the rows that the API debited. */
export type ProxyCounts = { answers: number; fromDisk: number; stale: number; notKept: number; rowsDebited: number };

export type Proxy = {
  listen(host: string, port: number): Promise<{ url: string }>;
  counts: Readonly<ProxyCounts>;
  close(): Promise<void>;
};

export function openProxy(upstream: URL, key: string, kept: KeptAnswers, log: Pick<Log, 'error'>): Proxy {
  const origin = openOrigin(upstream, key);
  const through = openReadThrough(kept, origin);
  const problems = openProblems({ baseUrl: upstream.origin }, () => ['X-Content-Type-Options', 'nosniff']);
  const newRequestId = requestIds();
  const counts: ProxyCounts = { answers: 0, fromDisk: 0, stale: 0, notKept: 0, rowsDebited: 0 };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error('the proxy could not answer', { target: request.url ?? '', error: String(error) });
      if (response.headersSent) response.destroy();
      else refuseWith(request, response, refuse('internal-error', { detail: `The proxy failed: ${String(error)}.` }));
    });
  });

  function refuseWith(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const given = request.headers['x-request-id'];
    problems.write(response, refusal, newRequestId(typeof given === 'string' ? given : null), false);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.answers += 1;
    const refusal = refusalOf(request, portOf(server.address()));
    if (refusal !== null) return refuseWith(request, response, refusal);
    const asked = {
      method: request.method as ProxyRequest['method'],
      target: request.url ?? '/',
      fields: request.headers,
    };
    for (let tries = 0; ; tries += 1) {
      const found = await through.answer(asked);
      if (found.kind === 'unavailable') return refuseWith(request, response, unavailable(found.detail));
      count(found);
      if (found.kind === 'passed') return pass(found.response, response);
      const file = found.bytes === undefined ? await kept.open(found.answer) : null;
      const isGone = file === null && found.bytes === undefined;
      // Damaged on disk, or evicted in between: request it again.
      if (isGone && tries < mostTries) continue;
      if (isGone) return refuseWith(request, response, unavailable('What is kept of it is gone or damaged.'));
      const refused = await writeKept(response, asked, found, file);
      return refused === null ? undefined : refuseWith(request, response, refused);
    }
  }

  function count(found: Exclude<ProxyAnswer, { kind: 'unavailable' }>): void {
    const fields = found.kind === 'kept' ? found.asked : found.response.headers;
    counts.rowsDebited += Number(fields['x-service-debited'] ?? 0);
    if (found.kind !== 'kept') return;
    if (found.how === 'received') counts.notKept += 1;
    if (found.how !== 'stored' && found.bytes === undefined) counts.fromDisk += 1;
    if (found.how === 'stale') counts.stale += 1;
  }

  return {
    counts,
    async listen(host, port) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject).listen(port, host, resolve);
      await promise;
      return { url: `http://${host}:${portOf(server.address())}` };
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      origin.close();
      await closed;
    },
  };
}

/** Bytes that vanish repeatedly indicate a failing disk. */
const mostTries = 2;

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function pass(from: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(from.statusCode ?? 502, [...fieldsToPass(from.headers), 'cache-status', 'sds-proxy; fwd=bypass']);
  // Event streams may be silent for a while; their reader waits for the head.
  response.flushHeaders();
  await pipeline(from, response).catch(() => {});
}

/** Why the request is refused; null: it is not. */
function refusalOf({ method, url = '', headers }: IncomingMessage, port: number): Refusal | null {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`);
  const misses = (detail: string) => refuse('malformed-request', { status: 400, detail });
  // A host name that a page's owner has pointed at this machine.
  if (!own.includes(headers.host ?? '')) return misses(`Host must be ${own[0]}: the proxy answers this machine alone.`);
  const site = headers['sec-fetch-site'];
  const fromElsewhere =
    headers.origin !== undefined && !own.some((host) => headers.origin === `http://${host}`)
      ? true
      : site !== undefined && site !== 'same-origin' && site !== 'none';
  if (fromElsewhere) return misses('The proxy answers programs, and no pages of other sites.');
  if (!url.startsWith('/') || url.startsWith('//')) return misses('The target must be a path.');
  if (method === 'GET' || method === 'HEAD') return null;
  return refuse('method-not-allowed', { detail: 'Use GET or HEAD.', headers: ['Allow', 'GET, HEAD'] });
}
