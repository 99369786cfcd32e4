// The demo: an ordinary client of the push gateway with its own key. It plays a slate of games by the clock, and one short game as a
// recording that settles some minutes after the start.
import { unrestricted } from '../../core/access/feed-grant.ts';
import type { Pepper } from '../../core/access/key-format.ts';
import { feedScopes, type KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Millis, microsPerSecond } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { gatewayClient } from '../replay/gateway-client.ts';
import { renewFeedKey } from '../service/own-feed-key.ts';
import { openMemory } from './memory.ts';
import { playRecording } from './play-recording.ts';
import { playSlate } from './play-slate.ts';
import { openRosterPushes } from './push-rosters.ts';
import { shortGame } from './short-game.ts';

type DemoTools = {
  keys: KeysCatalog;
  pushes: Pick<PushCatalog, 'foundSource'>;
  peppers: readonly Pepper[];
  /** Where the demo stores its key and its progress. */
  dataDir: string;
  url: string;
  seed: number;
  log: Log;
  clock?: Clock;
  /** Pause between two times of the short game's recording, which are half a minute apart in the game; default: a second. */
  recordingPaceMs?: Millis;
};

const sources = ['demo-odds', 'demo-direct', 'demo-msf', 'demo-recording'];
const grant = unrestricted(sources, feedScopes);

/** Below the default rank of sources, so that what a real source reports of a game counts at once. */
const demoRank = -1;

/** Starts pushing; returns a function that stops it and revokes its key. */
export async function startDemo(tools: DemoTools): Promise<() => Promise<void>> {
  const { seed, log, url } = tools;
  const clock = tools.clock ?? systemClock;
  const key = await renewFeedKey(tools.keys, tools.peppers, tools.dataDir, 'demo', grant);
  for (const source of sources) await tools.pushes.foundSource(source, demoRank);
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const client = (source: string) => gatewayClient({ url, key: key.plaintext, source }, clock, stopped);
  const [odds, direct, feeds, gateway] = [
    client('demo-odds'),
    client('demo-direct'),
    client('demo-msf'),
    client('demo-recording'),
  ];
  const memory = openMemory(tools.dataDir, seed);
  const { since, recording } = memory.recall(Math.floor(clock.now() / microsPerSecond));
  const slate = playSlate({ odds, direct, feeds, clock, log, stopped, seed, since });
  const pushRosters = openRosterPushes({ direct, feeds, clock, seed });
  const short = playRecording(
    { gateway, feeds, pushRosters, clock, log, stopped, seed, paceMs: tools.recordingPaceMs ?? 1_000 },
    shortGame(seed, recording.start),
    recording.told,
    memory.keep,
  );
  return async () => {
    stopping.abort();
    await Promise.all([slate, short]);
    await tools.keys.revokeFeedKey(key.id);
  };
}
