// The API as the tools of `sds mcp` read it: over HTTP, with the key of a reader, charged like any reader. Independent of MCP.

import type { Millis } from '../../core/units.ts';
import { within } from '../../platform/process/deadline.ts';

/** `charged`: the rows that the read was charged. */
export type Read =
  | { kind: 'document'; document: JsonDocument; charged: number }
  | { kind: 'file'; bytes: Uint8Array; charged: number }
  /** The problem document, or a substitute if there was none. */
  | { kind: 'refused'; problem: JsonDocument };

export type JsonDocument = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Reader = {
  /** Reads a route with these parameters. Never rejects: no answer counts as a refusal. */
  read(path: string, query?: Query): Promise<Read>;
};

const patienceMs: Millis = 30_000;

/** `url`: that of the API's listener, such as http://127.0.0.1:8080. */
export function openReader(url: string, key: string): Reader {
  return {
    async read(path, query = {}) {
      const target = new URL(url + path);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) target.searchParams.set(name, String(value));
      try {
        return await within(patienceMs, get(target, key));
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
        return refused('no-answer', `The API at ${url} did not answer (${String(error)}${cause}).`);
      }
    },
  };
}

async function get(target: URL, key: string): Promise<Read> {
  return readOf(await fetch(target, { headers: { authorization: `Bearer ${key}` }, redirect: 'error' }));
}

async function readOf(response: Response): Promise<Read> {
  const charged = Number(response.headers.get('x-service-debited') ?? 0);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (response.ok && !isJson) return { kind: 'file', bytes: await response.bytes(), charged };
  const text = await response.text();
  if (!isJson) return refused('no-problem-document', `HTTP ${response.status}: ${text.slice(0, 200)}`);
  const document = JSON.parse(text) as JsonDocument;
  return response.ok ? { kind: 'document', document, charged } : { kind: 'refused', problem: document };
}

function refused(code: string, detail: string): Read {
  return { kind: 'refused', problem: { code, detail } };
}
