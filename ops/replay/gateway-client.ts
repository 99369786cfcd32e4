// A client of the push gateway: pushes, ticks and receipts over HTTP. While the gateway cannot accept, it retries after the time that the
// gateway names.
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

/** `receipt` null: the gateway has refused every record of the body. */
export type PushedReceipt = { receipt: string | null; accepted: number; duplicates: number; rejected: number };

type ReceiptCounts = { accepted: number; applied: number; duplicates: number; refused: number };

/**
 * RFC 3339 times for a body: when it was observed (absent: it is receive-timed), and when its request started (MSF). And the key under which it
 * may be pushed again.
 */
type PushFields = { observedAt?: string; requestStartedAt?: string; idempotencyKey?: string };

export interface GatewayClient {
  /** Pushes a body to `/v1/sources/{source}/{route}`. */
  push(route: string, body: string, fields?: PushFields): Promise<PushedReceipt>;
  tick(at: string): Promise<void>;
  /** The state of a push; null once its receipt has expired. */
  receipt(receipt: string): Promise<{ state: string; counts: ReceiptCounts } | null>;
}

/** The gateway refused permanently; a retry would not help. The message contains its reason. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
  readonly status: number | null;
  /** The problem document, if there is one. */
  readonly problem: Readonly<Record<string, unknown>>;
  constructor(message: string, status: number | null, problem: Readonly<Record<string, unknown>>) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

/** The caller's signal has aborted. The push under way may or may not have been accepted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const longestPauseMs: Millis = 2_000;
/** The longest wait to accept from the gateway: a used-up share refills in seconds, a daily quota does not. */
const longestWaitMs: Millis = 900_000;
/** Pushes are safe to repeat: they carry their own times or a key, or are images, which change nothing when they come again. */
const patienceMs: Millis = 60_000;

/** `tickSource`: the source of the events that ticks are for; left out: `source`. */
export function gatewayClient(
  target: { url: string; key: string; source: string; tickSource?: string },
  clock: Clock,
  interrupted?: AbortSignal,
): GatewayClient {
  const call = async (
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    let giveUp = clock.now() + patienceMs * 1_000;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      let reason: string;
      let retryAfterMs: Millis = 0;
      try {
        const response = await fetch(`${target.url}${path}`, {
          method,
          body,
          headers: { authorization: `Bearer ${target.key}`, ...headers },
          signal: interrupted ?? null,
        });
        if (response.ok) return await response.json();
        const problem = problemOf(await response.text());
        reason = `${response.status} ${[problem.title, problem.detail].filter((text) => text !== undefined).join(': ')}`;
        if (response.status !== 503 && response.status !== 429)
          throw new GatewayRefused(`${method} ${path}: ${reason}`, response.status, problem);
        retryAfterMs = 1_000 * Number(response.headers.get('retry-after') ?? 0);
        if (retryAfterMs > longestWaitMs)
          throw new GatewayRefused(
            `${method} ${path}: ${reason}; not before ${retryAfterMs / 1_000} s`,
            response.status,
            problem,
          );
        // The gateway answers, so waiting for it is enough.
        if (response.status === 429) giveUp = clock.now() + (retryAfterMs + patienceMs) * 1_000;
      } catch (error) {
        if (error instanceof GatewayRefused) throw error;
        if (interrupted?.aborted) throw new Interrupted(`${method} ${path} was interrupted`);
        reason = reasonOf(error);
      }
      if (clock.now() > giveUp)
        throw new GatewayRefused(`${method} ${path}: the gateway does not answer: ${reason}`, null, {});
      await clock.sleep(Math.max(pauseMs, retryAfterMs), interrupted);
    }
  };
  const pathOf = (source: string) => `/v1/sources/${encodeURIComponent(source)}`;
  const json = { 'content-type': 'application/json' };
  return {
    async push(route, body, { observedAt, requestStartedAt, idempotencyKey } = {}) {
      const headers = {
        ...json,
        ...(observedAt === undefined ? {} : { 'x-observed-at': observedAt }),
        ...(requestStartedAt === undefined ? {} : { 'x-request-started-at': requestStartedAt }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      };
      try {
        const answer = (await call('POST', `${pathOf(target.source)}/${route}`, body, headers)) as {
          receipt: string;
          accepted: number;
          duplicates: number;
          rejected: unknown[];
        };
        return { ...answer, rejected: answer.rejected.length };
      } catch (error) {
        // Every record was refused for its own reason: they are dead letters, and the next push contains others.
        const rejected = error instanceof GatewayRefused && error.status === 400 ? error.problem.rejected : undefined;
        if (!Array.isArray(rejected)) throw error;
        return { receipt: null, accepted: 0, duplicates: 0, rejected: rejected.length };
      }
    },
    async tick(at) {
      await call('POST', `${pathOf(target.tickSource ?? target.source)}/ticks`, JSON.stringify({ at }), json);
    },
    async receipt(receipt) {
      try {
        return (await call('GET', `/v1/receipts/${receipt}`, null, {})) as { state: string; counts: ReceiptCounts };
      } catch (error) {
        if (error instanceof GatewayRefused && error.status === 404) return null;
        throw error;
      }
    },
  };
}

function problemOf(body: string): Record<string, unknown> {
  try {
    const problem: unknown = JSON.parse(body);
    return typeof problem === 'object' && problem !== null ? (problem as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
