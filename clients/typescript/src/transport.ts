// One request until it has its answer: what is transient is asked again at the client's pace, every other refusal is thrown by its type. Knows
// nothing of games.
import { NotAsPublished, Problem, type ProblemDocument, type ProblemType, SdsError, Unreachable } from './errors.ts';
import { Pace } from './pace.ts';
import { type Row, rowsOfFile } from './parquet.ts';

/** Times in seconds. */
export type Options = {
  baseUrl: string;
  apiKey: string;
  /** Between two listings of a game that is followed. Default 2. */
  poll?: number;
  /** The longest such pause, while there is trouble or nothing to follow yet. Default 30. */
  mostPoll?: number;
  /** Without a byte after which a request is given up and asked again. Default 20. */
  silence?: number;
  /** Without a good answer after which the client throws what it got instead. Default 120. */
  patience?: number;
  /** First and longest pause of the back-off that all requests of a client share. Default 0.5 and 30. */
  backoff?: readonly [first: number, longest: number];
  /** Requests at once where many files are read. Default 8. */
  atOnce?: number;
  /** Of final files; `fileCache` of `sds-client/node` keeps them in a folder. */
  cache?: FileCache;
};

export type FileCache = {
  recall(path: string): Promise<{ etag: string; body: Uint8Array<ArrayBuffer> } | null>;
  /** Where it fails, the file is not kept; the rows are handed out all the same. */
  keep(path: string, etag: string, body: Uint8Array<ArrayBuffer>): Promise<void>;
};

export type Answer = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> };

/** The answer is not whole, or not what it says it is: it is asked for again. */
class Unreadable extends Error {}

const typesThatPass: ReadonlyMap<number, ProblemType> = new Map([
  [429, 'rate-limited'],
  [503, 'temporarily-unavailable'],
]);

const now = (): number => performance.now() / 1_000;

export class Transport {
  readonly poll: number;
  readonly mostPoll: number;
  readonly atOnce: number;
  readonly cache: FileCache | null;
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #silence: number;
  readonly #patience: number;
  readonly #pace: Pace;

  constructor(options: Options) {
    const [baseUrl, apiKey] = [withoutSpace(options.baseUrl), withoutSpace(options.apiKey)];
    // Neither is shown: they may be in the wrong order, and a key has no place in a log.
    if (!/^https?:\/\/[!-~]+$/.test(baseUrl))
      throw new RangeError('baseUrl is no address that begins with http:// or https://');
    if (!/^[!-~]+$/.test(apiKey)) throw new RangeError('apiKey is empty, or has a character that no key has');
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
    this.poll = options.poll ?? 2;
    this.mostPoll = options.mostPoll ?? 30;
    this.#silence = options.silence ?? 20;
    this.#patience = options.patience ?? 120;
    this.#pace = new Pace(...(options.backoff ?? [0.5, 30]));
    this.atOnce = Math.max(1, options.atOnce ?? 8);
    this.cache = options.cache ?? null;
  }

  now(): number {
    return now();
  }

  async pauseUntil(at: number, signal?: AbortSignal): Promise<void> {
    const seconds = at - now();
    if (seconds > 0) await pause(seconds, signal);
  }

  /** A JSON document that has these members. */
  json<Document>(path: string, members: readonly string[], signal?: AbortSignal): Promise<Document> {
    return this.ask(path, async ({ body }) => documentOf<Document>(body, members), { signal });
  }

  /** A Parquet file whose bytes are those of its ETag, and of `sha256`. */
  file<Of extends Row = Row>(
    path: string,
    { sha256, signal }: { sha256?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<Of[]> {
    digester();
    return this.ask(path, async (answer) => readRows<Of>(await provenBytes(answer, sha256)), { signal });
  }

  /**
   * The number of the last row of a final file, free of charge. Null where it is not known: rows were removed, which makes another version, or
   * the HEAD is refused. It has no problem document, so a GET has the reason.
   */
  async lastRow(path: string, signal?: AbortSignal): Promise<number | null> {
    try {
      const read = async ({ headers }: Answer) =>
        headers.get('x-service-artifact-version') === '1' ? headers.get('x-service-rowcount') : null;
      const text = await this.ask(path, read, { method: 'HEAD', signal });
      return text !== null && /^\d+$/.test(text) ? Number(text) : null;
    } catch (error) {
      if (error instanceof Problem && !passes(error)) return null;
      throw error;
    }
  }

  async ask<Result>(
    path: string,
    read: (answer: Answer) => Promise<Result>,
    { method = 'GET', headers = {}, signal }: Asked = {},
  ): Promise<Result> {
    // Joined to the base URL as it is: nothing that was received may send the key to another host.
    if (!/^\/[\x21-\x7e]*$/.test(path)) throw new NotAsPublished(`not an absolute path: ${path}`);
    let began: number | null = null;
    for (;;) {
      for (let delay = this.#pace.delay(now()); delay > 0; delay = this.#pace.delay(now())) {
        // Another request may have been told to wait for longer than any call of this client does.
        if (delay > this.#patience && this.#pace.cause !== undefined) throw this.#pace.cause;
        await pause(delay, signal);
      }
      const sent = now();
      began ??= sent;
      let failure: Error;
      let retryAfter = 0;
      try {
        const answer = await this.#send(path, method, headers, signal);
        // Of a redirect, browsers say that its status is 0, and nothing else.
        if ((answer.status >= 200 && answer.status < 300) || answer.status === 304) {
          const result = await read(answer);
          this.#pace.answered(sent);
          return result;
        }
        const problem = problemOf(answer, path, method);
        if (!passes(problem)) {
          this.#pace.answered(sent);
          throw problem;
        }
        failure = problem;
        retryAfter = retryAfterOf(answer.headers);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        failure = new Unreachable(`${path}: ${error.message}`, { cause: error.cause });
      }
      const came = now();
      this.#pace.failed(sent, came, retryAfter, failure);
      if (came + this.#pace.delay(came) - began > this.#patience) throw failure;
    }
  }

  async #send(path: string, method: string, headers: object, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const silent = new AbortController();
    const stop = (): void => silent.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let timer = setTimeout(stop, this.#silence * 1_000);
    try {
      const response = await fetch(this.#baseUrl + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${this.#apiKey}` },
        redirect: 'manual',
        cache: 'no-store',
        signal: silent.signal,
      });
      const pieces: Uint8Array[] = [];
      const reader = response.body?.getReader();
      for (;;) {
        clearTimeout(timer);
        timer = setTimeout(stop, this.#silence * 1_000);
        const piece = await reader?.read();
        if (piece === undefined || piece.done) break;
        pieces.push(piece.value);
      }
      return { status: response.status, headers: response.headers, body: joined(pieces) };
    } catch (error) {
      signal?.throwIfAborted();
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new Unreadable(silent.signal.aborted ? 'silence' : `${String(error)}${cause}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

type Asked = { method?: string; headers?: Readonly<Record<string, string>>; signal?: AbortSignal | undefined };

export async function provenBytes({ headers, body }: Answer, sha256?: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await sha256Of(body);
  const tag = /^"([0-9a-f]{64})"$/.exec(headers.get('etag') ?? '')?.[1];
  if ((tag ?? found) !== found || (sha256 ?? found) !== found)
    throw new Unreadable('other bytes than their digest says');
  return body;
}

/** `Of`: what the dataset's columns say of its rows. */
export async function readRows<Of extends Row>(body: Uint8Array<ArrayBuffer>): Promise<Of[]> {
  try {
    return (await rowsOfFile(body)) as Of[];
  } catch (error) {
    throw new Unreadable(`not a Parquet file: ${String(error)}`, { cause: error });
  }
}

/** What computes digests. Asked for before a file is, which is charged. @throws SdsError where the browser has none */
export function digester(): typeof crypto.subtle {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle === undefined)
    throw new SdsError('nothing can be proven without crypto.subtle: browsers have it on secure pages only');
  return subtle;
}

/** In hexadecimal. @throws SdsError as `digester` */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await digester().digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function documentOf<Document>(body: Uint8Array, members: readonly string[]): Document {
  const document = jsonOf(body);
  if (document === null || members.some((name) => !(name in document)))
    throw new Unreadable(`no document with ${members.join(', ')}`);
  return document as Document;
}

function jsonOf(body: Uint8Array): object | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Whether the same request may succeed a little later. */
function passes({ type, status, document }: Problem): boolean {
  if (type === 'rate-limited' || status === 408) return true;
  return status >= 500 && !String(document.reason ?? '').startsWith('archive_');
}

/** Without a document, what says when to ask again is known by its status: of the problems of 429, one alone has a `Retry-After`. */
function problemOf({ status, headers, body }: Answer, path: string, method: string): Problem {
  const byStatus = method === 'HEAD' && headers.has('retry-after') ? typesThatPass.get(status) : undefined;
  const document = byStatus === undefined ? (jsonOf(body) ?? {}) : { type: byStatus };
  return new Problem(document as ProblemDocument, status, path);
}

/** In seconds. A date is read by the answer's own clock: this machine's may be wrong. */
function retryAfterOf(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = (Date.parse(text) - Date.parse(headers.get('date') ?? '')) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.max(0, seconds);
}

/** A key or an address that was read from a file may have some around it. */
function withoutSpace(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended);
      resolve();
    }, seconds * 1_000);
    if (signal?.aborted) ended();
    signal?.addEventListener('abort', ended, { once: true });
  });
}
