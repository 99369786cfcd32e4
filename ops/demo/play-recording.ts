// Plays the recording of a game through the push gateway: each of its times is one round of pushes. After the end of the game each round
// also has a tick, because books without quotes send no times. After a stop it continues where it was; what it pushes twice is a duplicate.
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { type Millis, microsPerSecond } from '../../core/units.ts';
import { type GatewayClient, Interrupted, type PushedReceipt } from '../replay/gateway-client.ts';
import { whenApplied } from '../replay/replay.ts';
import type { PushRosters } from './push-rosters.ts';
import { recordedPushes } from './recorded-pushes.ts';
import { teamsIn } from './rosters.ts';
import { recordedTimes } from './short-game.ts';
import type { DemoGame } from './slate.ts';
import { endOf } from './timeline.ts';

type RecordingTools = {
  gateway: GatewayClient;
  /** For the play-by-play source: a league accepts only one. */
  feeds: GatewayClient;
  pushRosters: PushRosters;
  clock: Clock;
  log: Log;
  stopped: AbortSignal;
  seed: number;
  /** Pause between two times of the recording. */
  paceMs: Millis;
};

const againAfterMs: Millis = 1_000;

/** Plays the recording from its time number `pushed` on; calls `onPushed` after each with the number done. */
export async function playRecording(
  tools: RecordingTools,
  game: DemoGame,
  pushed: number,
  onPushed: (pushed: number) => void,
): Promise<void> {
  const { clock, log, stopped, paceMs } = tools;
  const times = recordedTimes(game);
  for (let step = pushed; step < times.length && !stopped.aborted; ) {
    const next = clock.now() + paceMs * 1_000;
    try {
      await tools.pushRosters(teamsIn([game]));
      await pushTime(tools, game, times[step] ?? 0);
      step += 1;
      onPushed(step);
      await clock.sleep((next - clock.now()) / 1_000, stopped);
    } catch (error) {
      if (error instanceof Interrupted) return;
      log.warn('the demo could not push its short game', {
        error: error instanceof Error ? error.message : String(error),
      });
      await clock.sleep(againAfterMs, stopped);
    }
  }
}

async function pushTime(
  { gateway, feeds, clock, stopped, seed }: RecordingTools,
  game: DemoGame,
  at: number,
): Promise<void> {
  const observedAt = formatMicros(at * microsPerSecond);
  const receipts: PushedReceipt[] = [];
  for (const { route, body } of recordedPushes(seed, game, at)) {
    const client = route.startsWith('msf/') ? feeds : gateway;
    receipts.push(await client.push(route, JSON.stringify(body), { observedAt }));
  }
  if (at < endOf(game)) return;
  // The gateway sends ticks to games that have ended in the catalog, so the end must be applied first.
  if (at === endOf(game))
    for (const { receipt } of receipts)
      if (receipt !== null) await whenApplied({ gateway, clock, interrupted: stopped }, receipt);
  await gateway.tick(observedAt);
}
