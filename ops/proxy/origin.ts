// Requests of the proxy to the API: over HTTP, with the one key, bytes unchanged. Redirects are not followed, so the key is sent nowhere
// else.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { Millis } from '../../core/units.ts';

/** There was no answer: no connection, or silence. The message fits one line. */
export class OriginAway extends Error {
  override readonly name = 'OriginAway';
  readonly wasSilent: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.wasSilent = cause instanceof Silence;
  }
}

class Silence extends Error {}

export type Origin = {
  /** Its answer, before the body. `hasOther`: something else can be served if the API is silent. @throws OriginAway */
  ask(method: 'GET' | 'HEAD', target: string, fields: IncomingHttpHeaders, hasOther: boolean): Promise<IncomingMessage>;
  close(): void;
};

/** Streams may be silent for 15 s, and an answer that waits for changes for 25 s. */
const patienceMs: Millis = 40_000;
const patienceWithOtherMs: Millis = 10_000;

/** `url`: that of the API, without a path. */
export function openOrigin(url: URL, key: string): Origin {
  const isTls = url.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 1024 };
  const agent = isTls ? new TlsAgent(options) : new Agent(options);
  const request = isTls ? requestHttps : requestHttp;

  function once(method: string, path: string, fields: IncomingHttpHeaders, patience: Millis): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { ...fields, host: url.host, authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
    const { hostname, port } = url;
    // IPv6 addresses have brackets only in URLs.
    const host = hostname.replace(/^\[|\]$/g, '');
    // As an option it also limits how long a connection is waited for.
    const asked = request({ agent, method, hostname: host, port, path, headers, timeout: patience });
    asked.on('timeout', () => asked.destroy(new Silence(`silent for ${patience} ms`)));
    asked.on('response', (response) => {
      response.socket.setTimeout(patienceMs);
      resolve(response);
    });
    asked.on('error', (error) => reject(Object.assign(error, { wasKeptAlive: asked.reusedSocket })));
    asked.end();
    return promise;
  }

  return {
    async ask(method, target, fields, hasOther) {
      const patience = hasOther && fields.prefer === undefined ? patienceWithOtherMs : patienceMs;
      try {
        return await once(method, target, fields, patience).catch((error: object) => {
          // The API had closed the idle connection, so it never saw the request.
          if ('wasKeptAlive' in error && error.wasKeptAlive === true && 'code' in error && error.code === 'ECONNRESET')
            return once(method, target, fields, patience);
          throw error;
        });
      } catch (error) {
        const reason = error instanceof Error ? error.message || error.name : String(error);
        throw new OriginAway(`${url.origin} does not answer (${reason})`, error);
      }
    },
    close: () => agent.destroy(),
  };
}
