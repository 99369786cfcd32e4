// A route of the internal listener: what it answers to the head of a request from an address.
import type { RequestHead } from '../../http/head.ts';
import type { Refusal } from '../../http/refusal.ts';

/** `headers`: fields of its own, names and values in turn. */
export type InternalDocument = { mediaType: string; body: string; headers?: readonly string[] };

/** `address`: of the connection's other end; undefined: it is closed. */
export type InternalRoute = (head: RequestHead, address: string | undefined) => Promise<InternalDocument | Refusal>;

export function jsonDocument(document: unknown): InternalDocument {
  return { mediaType: 'application/json; charset=utf-8', body: JSON.stringify(document) };
}
