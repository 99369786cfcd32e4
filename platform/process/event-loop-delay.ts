// How late the event loop of this thread runs its timers.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;

/** Starts measuring; the returned function gives quantiles, in seconds, since its previous call. */
export function measureEventLoopDelay(): () => readonly { quantile: string; seconds: number }[] {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const late = (nanos: number): number => Math.max(0, nanos / 1e9 - resolutionMs / 1_000);
  return () => {
    const read = [
      { quantile: '0.5', seconds: late(delays.percentile(50)) },
      { quantile: '0.99', seconds: late(delays.percentile(99)) },
      { quantile: '1', seconds: late(delays.max) },
    ];
    delays.reset();
    return read;
  };
}
