// Plays recordings through the push gateway like anybody's feed: each line one push at its own time, at the asked pace, with ticks in
// between, so that staleness moves as it did. Stopped at any line it goes on there; what was pushed twice is a duplicate.
import type { Clock } from '../../core/ports/clock.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { GatewayClient, PushedReceipt } from './gateway-client.ts';
import { bodyText, type RecordedLine } from './recording.ts';
import { shiftTimes } from './shift-times.ts';

export type ReplayOptions = {
  /** How many seconds of the recording pass in one second; Infinity: as fast as it is accepted. */
  speed: number;
  /** Times end at now instead of when they were recorded. */
  shiftToNow: boolean;
  /** Path and query of the push route below the source. */
  route: string;
  /** Keeps only what is wanted of a body. */
  select: (body: unknown) => unknown;
};

export type Span = { first: Micros; last: Micros; lines: number };

export type ReplayTools = {
  gateway: GatewayClient;
  clock: Clock;
  /** Called after each line. */
  pushed: (line: RecordedLine, receipt: PushedReceipt) => void;
};

const tickEveryMs = 1_000;

/** Pushes `lines`; `span` is of the whole recording, so that a resumed replay keeps its pace. */
export async function replay(
  tools: ReplayTools,
  lines: AsyncIterable<RecordedLine>,
  span: Span,
  options: ReplayOptions,
): Promise<void> {
  const { clock, gateway } = tools;
  const length = span.last - span.first;
  const paced = Number.isFinite(options.speed);
  // The last line is sent when its own moment comes, so no time ever lies in the future.
  const delta = options.shiftToNow ? clock.now() + (paced ? length / options.speed : 0) - span.last : 0;
  let from: { at: Micros; began: Micros } | null = null;
  for await (const line of lines) {
    from ??= { at: line.at, began: clock.now() };
    if (paced)
      await waitFor(
        tools,
        from.began + (line.at - from.at) / options.speed,
        (now) =>
          line.at +
          delta -
          (from === null ? 0 : (from.began + (line.at - from.at) / options.speed - now) * options.speed),
      );
    const body = options.select(delta === 0 ? line.body : shiftTimes(line.body, delta));
    const receipt = await gateway.push(options.route, bodyText(body), formatMicros(Math.trunc(line.at + delta)));
    tools.pushed(line, receipt);
  }
}

/** Waits until `moment`, sending a tick each second with the replay's own time. */
async function waitFor(tools: ReplayTools, moment: Micros, timeAt: (now: Micros) => Micros): Promise<void> {
  const { clock, gateway } = tools;
  for (;;) {
    const leftMs = (moment - clock.now()) / 1_000;
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(leftMs, tickEveryMs));
    if (leftMs > tickEveryMs) await gateway.tick(formatMicros(Math.trunc(timeAt(clock.now()))));
  }
}

/** How the receipts came out, once everything is folded and visible. */
export type ReplaySummary = {
  pushes: number;
  accepted: number;
  applied: number;
  duplicates: number;
  refused: number;
  rejected: number;
};

/** Waits until every receipt is applied, and adds them up. */
export async function settleReceipts(
  tools: Pick<ReplayTools, 'gateway' | 'clock'>,
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
  for (const [index, receipt] of receipts.entries()) {
    summary.rejected += receipt.rejected;
    let state = await tools.gateway.receipt(receipt.receipt);
    while (state.state !== 'applied') {
      await tools.clock.sleep(50);
      state = await tools.gateway.receipt(receipt.receipt);
    }
    summary.accepted += state.counts.accepted;
    summary.applied += state.counts.applied;
    summary.duplicates += state.counts.duplicates;
    summary.refused += state.counts.refused;
    progress(index + 1);
  }
  return summary;
}
