// Plays recordings through the push gateway like any other feed: each line is one push at its own time, at the given speed, with ticks in
// between, so that staleness advances as it did. A replay stopped at any line continues there; what is pushed twice is a duplicate.
import { createHash } from 'node:crypto';
import type { Clock } from '../../core/ports/clock.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { type GatewayClient, Interrupted, type PushedReceipt } from './gateway-client.ts';
import { bodyText, type RecordedLine } from './recording.ts';
import { shiftTimes } from './shift-times.ts';

type ReplayOptions = {
  /** Names the replay in its Idempotency-Keys; a continued one keeps its name. */
  id: string;
  /** How many lines it has pushed before. */
  pushed: number;
  /** Seconds of the recording per second; Infinity: as fast as the gateway accepts. */
  speed: number;
  /** By how much all times are shifted. */
  shift: Micros;
  /** Path and query of the push route of a line, after the source. */
  routeOf: (line: RecordedLine) => string;
  /** Keeps only the wanted parts of a body. */
  select: (body: unknown) => unknown;
};

export type RecordingSpan = { first: Micros; last: Micros; lines: number };

type ReplayTools = {
  gateway: GatewayClient;
  clock: Clock;
  interrupted?: AbortSignal;
};

const tickEveryMs = 1_000;

/**
 * The shift for a recording that starts playing now: it must push no time before that time has come, and end at now as soon as possible;
 * slow motion falls behind the recording's own speed.
 */
export function shiftToNow(span: RecordingSpan, speed: number, now: Micros): Micros {
  const length = span.last - span.first;
  return Math.trunc(now + Math.min(length, length / speed) - span.last);
}

/** Pushes `lines` and yields the answer to each. @throws Interrupted */
export async function* replay(
  tools: ReplayTools,
  lines: AsyncIterable<RecordedLine>,
  options: ReplayOptions,
): AsyncGenerator<PushedReceipt> {
  const { clock, gateway } = tools;
  const { speed, shift } = options;
  let place = options.pushed;
  let began: Micros | null = null;
  let first: Micros = 0;
  for await (const line of lines) {
    if (began === null) {
      began = clock.now();
      first = line.at;
    } else if (Number.isFinite(speed)) {
      await waitFor(tools, began + (line.at - first) / speed, (leftMs) => line.at + shift - leftMs * 1_000 * speed);
    }
    if (tools.interrupted?.aborted) throw new Interrupted(`stopped before line ${line.number}`);
    const body = bodyText(options.select(shift === 0 ? line.body : shiftTimes(line.body, shift)));
    const idempotencyKey = keyOf(options.id, place, body);
    yield await gateway.push(options.routeOf(line), body, {
      observedAt: formatMicros(line.at + shift),
      idempotencyKey,
    });
    place += 1;
  }
}

/**
 * Events of one line share its time. So if only some of them reached the log, the line must come again as the same push: those of another one
 * would conflict with them.
 */
function keyOf(id: string, place: number, body: string): string {
  return `${id}-${place}-${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
}

/** Waits until `moment` and sends a tick every second with the replay's own time, which `timeAt` computes from the remaining time. */
async function waitFor(tools: ReplayTools, moment: Micros, timeAt: (leftMs: number) => Micros): Promise<void> {
  const { clock, gateway, interrupted } = tools;
  for (;;) {
    const leftMs = (moment - clock.now()) / 1_000;
    if (leftMs <= 0 || interrupted?.aborted) return;
    await clock.sleep(Math.min(leftMs, tickEveryMs), interrupted);
    if (leftMs > tickEveryMs && !interrupted?.aborted)
      await gateway.tick(formatMicros(Math.trunc(timeAt((moment - clock.now()) / 1_000))));
  }
}

/** The totals of the receipts, once everything is folded and visible. */
export type ReplaySummary = {
  pushes: number;
  accepted: number;
  applied: number;
  duplicates: number;
  refused: number;
  rejected: number;
};

/** Waits until every receipt is applied, and adds them up. The outcome of an expired one is unknown. @throws Interrupted */
export async function sumReceipts(
  tools: ReplayTools,
  receipts: readonly PushedReceipt[],
  progress: (done: number) => void,
): Promise<ReplaySummary> {
  const summary: ReplaySummary = {
    pushes: receipts.length,
    accepted: 0,
    applied: 0,
    duplicates: 0,
    refused: 0,
    rejected: 0,
  };
  for (const [index, { receipt, accepted, rejected }] of receipts.entries()) {
    summary.rejected += rejected;
    const state = receipt === null ? null : await whenApplied(tools, receipt);
    summary.accepted += state?.counts.accepted ?? accepted;
    summary.applied += state?.counts.applied ?? 0;
    summary.duplicates += state?.counts.duplicates ?? 0;
    summary.refused += state?.counts.refused ?? 0;
    progress(index + 1);
  }
  return summary;
}

/** Waits until a push is folded and visible; null: its receipt has expired. @throws Interrupted */
export async function whenApplied({ gateway, clock, interrupted }: ReplayTools, receipt: string) {
  for (;;) {
    const state = await gateway.receipt(receipt);
    if (state === null || state.state === 'applied') return state;
    await clock.sleep(50, interrupted);
    if (interrupted?.aborted) throw new Interrupted('stopped while waiting for receipts');
  }
}
