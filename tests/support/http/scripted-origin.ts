// A server that stands in for the API and answers as its test says: completely, damaged, cut off, half-way and then
// nothing more, or not yet.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ScriptedAnswer = {
  path: string;
  body: Buffer;
  fields: Record<string, string>;
  status?: number;
  /** Ends the connection before the last byte. */
  cutOff?: boolean;
  /** Sends this many bytes and then nothing more. */
  holdsAfter?: number;
};

export type ScriptedOrigin = {
  url: string;
  answers: Map<string, ScriptedAnswer>;
  /** `GET /path`, in order of arrival. */
  asked: string[];
  /** Those of them that the API would let wait: with `Prefer`, and what it serves named by `If-None-Match`. Answered at once here. */
  waits: string[];
  /** From now on, serves a Parquet file under this path as the API does. */
  file(path: string, bytes: Buffer): ScriptedAnswer;
  /** From now on says nothing. */
  fallSilent(): void;
  /** Answers again, also what was asked in the meantime. */
  speak(): void;
  close(): Promise<void>;
};

export async function startScriptedOrigin(): Promise<ScriptedOrigin> {
  const answers = new Map<string, ScriptedAnswer>();
  const asked: string[] = [];
  const waits: string[] = [];
  let unanswered: (() => void)[] | null = null;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (unanswered === null) answerTo(request, response);
    else unanswered.push(() => answerTo(request, response));
  });

  function answerTo(request: IncomingMessage, response: ServerResponse): void {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) return void response.writeHead(404).end();
    const { body, fields, status = 200, cutOff = false, holdsAfter } = answer;
    if (status !== 200) return void response.writeHead(status, status < 400 ? fields : {}).end();
    if (fields.etag !== undefined && request.headers['if-none-match'] === fields.etag) {
      if (request.headers.prefer !== undefined) waits.push(`${request.method} ${request.url}`);
      return void response.writeHead(304).end();
    }
    const length = cutOff ? body.length + 1 : body.length;
    const match = request.headers['if-match'];
    if (match !== undefined && match !== fields.etag) return void response.writeHead(412).end();
    response.writeHead(200, { ...fields, 'content-length': String(length) });
    if (request.method === 'HEAD') return void response.end();
    if (holdsAfter !== undefined) return void response.write(body.subarray(0, holdsAfter));
    if (cutOff) response.write(body, () => response.destroy());
    else response.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked,
    waits,
    file(path, bytes) {
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      const fields = {
        etag,
        'content-type': 'application/vnd.apache.parquet',
        'cache-control': 'private, max-age=5',
        vary: 'Authorization',
        'accept-ranges': 'bytes',
      };
      const answer = { path, body: bytes, fields };
      answers.set(path, answer);
      return answer;
    },
    fallSilent() {
      unanswered = [];
    },
    speak() {
      const asked = unanswered ?? [];
      unanswered = null;
      for (const answer of asked) answer();
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
