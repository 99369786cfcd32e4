// The API as the tools of `sds mcp` read it: over HTTP, with the key of a reader, charged like any reader. Independent of MCP.

import type { Millis } from '../../core/units.ts';
import { within } from '../../platform/process/deadline.ts';
import { keepFiles } from './kept-files.ts';

/** `charged`: the rows that the read was charged. */
export type Read =
  | { kind: 'document'; document: JsonDocument; charged: number }
  | { kind: 'file'; bytes: Uint8Array; charged: number }
  | Refused;

/** The problem document, or a substitute if there was none. */
type Refused = { kind: 'refused'; problem: JsonDocument };

export type JsonDocument = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Reader = {
  /** Reads a route with these parameters. Never rejects: no answer counts as a refusal. */
  read(path: string, query?: Query): Promise<Read>;
  /** Reads a final file, or has it still; refused if it would be charged more than `mostRows`. Never rejects either. */
  file(path: string, mostRows: number): Promise<Read>;
};

const patienceMs: Millis = 30_000;

/** `url`: that of the API's listener, such as http://127.0.0.1:8080. */
export function openReader(url: string, key: string, patience = patienceMs): Reader {
  /** What `take` makes of the answer. */
  async function ask<Taken>(
    target: URL,
    request: { method?: string; fields?: Record<string, string> },
    take: (response: Response) => Promise<Taken>,
  ): Promise<Taken | Refused> {
    const { method = 'GET', fields = {} } = request;
    const headers = { ...fields, authorization: `Bearer ${key}` };
    const ended = new AbortController();
    try {
      const asked = fetch(target, { method, headers, redirect: 'error', signal: ended.signal });
      return await within(patience, asked.then(take));
    } catch (error) {
      ended.abort();
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      return refused(
        'no-answer',
        `The API at ${url} did not answer (${String(error)}${cause}). If it has the request, its rows may have been charged.`,
      );
    }
  }

  return {
    read(path, query = {}) {
      const target = new URL(url + path);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) target.searchParams.set(name, String(value));
      return ask(target, {}, readOf);
    },
    file: keepFiles({
      async head(path) {
        const named = await ask(new URL(url + path), { method: 'HEAD' }, async ({ ok, headers }) => {
          const [etag, rows] = [headers.get('etag'), headers.get('x-service-rowcount')];
          return ok && etag !== null && rows !== null ? { etag, rows: Number(rows) } : null;
        });
        return named === null || 'kind' in named ? null : named;
      },
      get: (path, etag) => ask(new URL(url + path), { fields: { 'if-match': etag } }, readOf),
    }),
  };
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

function refused(code: string, detail: string): Refused {
  return { kind: 'refused', problem: { code, detail } };
}
