// The demo: a client of the push gateway like any other, with a key of its own. It plays a slate of games by the clock, and beside it one short
// game as a recording that has settled some minutes after the start.
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
import { shortGame } from './short-game.ts';
import { rosterTeller } from './tell-rosters.ts';

export type DemoTools = {
  keys: KeysCatalog;
  pushes: Pick<PushCatalog, 'foundSource'>;
  peppers: readonly Pepper[];
  /** Where the demo remembers its key, and how far it has come. */
  dataDir: string;
  url: string;
  seed: number;
  log: Log;
  clock?: Clock;
  /** From one time of the short game's recording to the next, half a minute later in the game; left out: a second. */
  recordingPaceMs?: Millis;
};

const sources = ['demo-odds', 'demo-direct', 'demo-msf', 'demo-recording'];
const grant = unrestricted(sources, feedScopes);

/** Below that of every source without a rank of its own: what a real source says of a game counts at once. */
const demoRank = -1;

/** Starts pushing; the answer stops it and gives its key back. */
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
  const tellRosters = rosterTeller({ direct, feeds, clock, seed });
  const short = playRecording(
    { gateway, feeds, tellRosters, clock, log, stopped, seed, paceMs: tools.recordingPaceMs ?? 1_000 },
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
