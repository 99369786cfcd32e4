// A route of the internal listener: what it answers to the head of a request.
import type { RequestHead } from '../../http/head.ts';
import type { Refusal } from '../../http/refusal.ts';

/** `headers`: fields of its own, names and values in turn. */
export type InternalDocument = { mediaType: string; body: string; headers?: readonly string[] };

export type InternalRoute = (head: RequestHead) => Promise<InternalDocument | Refusal>;

export function jsonDocument(document: unknown): InternalDocument {
  return { mediaType: 'application/json; charset=utf-8', body: JSON.stringify(document) };
}
