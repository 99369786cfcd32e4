// Problem documents (RFC 9457): the only body of any failure. Written to a response, or as raw bytes where Node has no response yet.
import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { problemMediaType, problemTypes } from '../../schemas/http/problems.ts';
import { everyAnswer } from '../http/answer.ts';
import { transportFields } from '../http/transport-fields.ts';
import type { Refusal } from './refusal.ts';

/** The public address of the service: `{base_url}` of problem types and links. It is known at the latest when the service listens. */
export type Site = { baseUrl: string };

export function statusOf(refusal: Refusal): number {
  return refusal.status ?? problemTypes[refusal.refused].statuses[0];
}

/** The document of a refusal. */
export function problemDocument(site: Site, refusal: Refusal): string {
  return JSON.stringify({
    type: `${site.baseUrl}/problems/${refusal.refused}`,
    title: refusal.title ?? problemTypes[refusal.refused].title,
    status: statusOf(refusal),
    ...(refusal.detail === undefined ? {} : { detail: refusal.detail }),
    ...refusal.members,
  });
}

function headersOf(site: Site, refusal: Refusal, document: string, requestId: string): string[] {
  return [
    'Content-Type',
    problemMediaType,
    'Content-Length',
    String(Buffer.byteLength(document)),
    'Cache-Control',
    'no-store',
    'Vary',
    'Authorization',
    ...(refusal.headers ?? []),
    ...everyAnswer,
    ...transportFields(site.baseUrl),
    'X-Request-Id',
    requestId,
  ];
}

/** Writes the problem; without its body to a HEAD. `close` ends the connection after it. */
export function writeProblem(
  response: ServerResponse,
  site: Site,
  refusal: Refusal,
  requestId: string,
  options: { head: boolean; close?: boolean },
): void {
  const document = problemDocument(site, refusal);
  const headers = headersOf(site, refusal, document, requestId);
  if (options.close) headers.push('Connection', 'close');
  response.writeHead(statusOf(refusal), headers);
  response.end(options.head ? undefined : document);
}

/** The whole answer as bytes, for a connection on which no request could be read, and which ends with it. */
export function rawProblem(site: Site, refusal: Refusal, requestId: string): string {
  const document = problemDocument(site, refusal);
  const headers = [...headersOf(site, refusal, document, requestId), 'Connection', 'close'];
  let head = `HTTP/1.1 ${statusOf(refusal)} ${STATUS_CODES[statusOf(refusal)] ?? ''}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}\r\n${document}`;
}
