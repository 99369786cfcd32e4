// The proxy's answer to a request, as a value.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { KeptAnswer } from './kept-answers.ts';

export type ProxyRequest = {
  method: 'GET' | 'HEAD';
  /** Path and query, as sent. */
  target: string;
  fields: IncomingHttpHeaders;
};

export type HowKept = 'hit' | 'stored' | 'received' | 'confirmed' | 'stale';

export type ProxyAnswer =
  /**
   * From disk, or `bytes` from memory, which the disk could not take. `asked`: the header fields of the API's answer; empty if it was not
   * asked.
   */
  | { kind: 'kept'; answer: KeptAnswer; how: HowKept; asked: IncomingHttpHeaders; bytes?: Uint8Array }
  /** The API's answer, passed on. */
  | { kind: 'passed'; response: IncomingMessage }
  | { kind: 'unavailable'; detail: string };

/** Fields of one connection or request, or that the proxy writes itself: they are not kept, nor sent with kept bytes. */
const notKept = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
  ...['age', 'content-length', 'date', 'set-cookie', 'strict-transport-security', 'x-request-id', 'x-service-debited'],
  ...[
    'preference-applied',
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ],
]);

/** Names and values, alternating. Pages of other origins may not read through the proxy, whatever the API allows. */
export function fieldsToKeep(fields: IncomingHttpHeaders): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value !== 'string' || notKept.has(name) || name.startsWith('access-control-') ? [] : [name, value],
  );
}

/** The fields of an answer that is passed on. */
export function fieldsToPass(fields: IncomingHttpHeaders): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const ofOrigin = ['date', 'content-length'].includes(name) || !hopByHop.has(name);
    return value === undefined || !ofOrigin || name.startsWith('access-control-')
      ? []
      : [value].flat().flatMap((one) => [name, one]);
  });
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
