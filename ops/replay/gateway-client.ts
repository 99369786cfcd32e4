// A client of the push gateway: pushes, ticks and receipts over HTTP, tried again while the gateway says that it cannot accept now.
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

export type PushedReceipt = { receipt: string; accepted: number; duplicates: number; rejected: number };

export type ReceiptCounts = { accepted: number; applied: number; duplicates: number; refused: number };

export interface GatewayClient {
  /** Pushes a body to `/v1/sources/{source}/{route}`; `observedAt` null: receive-timed. */
  push(route: string, body: string, observedAt: string | null): Promise<PushedReceipt>;
  tick(at: string): Promise<void>;
  receipt(receipt: string): Promise<{ state: string; counts: ReceiptCounts }>;
}

/** The gateway refused; trying again would not help. The message carries its reason. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

const longestPauseMs: Millis = 2_000;
/** Pushes are safe to repeat: they carry their own times, or a key. */
const patienceMs: Millis = 60_000;

export function gatewayClient(target: { url: string; key: string; source: string }, clock: Clock): GatewayClient {
  const call = async (
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    const giveUp = clock.now() + patienceMs * 1_000;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      let reason: string;
      try {
        const response = await fetch(`${target.url}${path}`, {
          method,
          body,
          headers: { authorization: `Bearer ${target.key}`, ...headers },
        });
        if (response.ok) return await response.json();
        reason = `${response.status} ${await response.text()}`;
        if (response.status !== 503 && response.status !== 429)
          throw new GatewayRefused(`${method} ${path}: ${reason}`);
      } catch (error) {
        if (error instanceof GatewayRefused) throw error;
        reason =
          error instanceof Error
            ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
            : String(error);
      }
      if (clock.now() > giveUp) throw new GatewayRefused(`${method} ${path}: the gateway does not answer: ${reason}`);
      await clock.sleep(pauseMs);
    }
  };
  const source = `/v1/sources/${encodeURIComponent(target.source)}`;
  const json = { 'content-type': 'application/json' };
  return {
    async push(route, body, observedAt) {
      const headers = observedAt === null ? json : { ...json, 'x-observed-at': observedAt };
      const answer = (await call('POST', `${source}/${route}`, body, headers)) as {
        receipt: string;
        accepted: number;
        duplicates: number;
        rejected: unknown[];
      };
      return { ...answer, rejected: answer.rejected.length };
    },
    async tick(at) {
      await call('POST', `${source}/ticks`, JSON.stringify({ at }), json);
    },
    async receipt(receipt) {
      return (await call('GET', `/v1/receipts/${receipt}`, null, {})) as { state: string; counts: ReceiptCounts };
    },
  };
}
