// Plays the slate through the push gateway, second by second. Its world depends only on the seed and the time, so after an outage of the
// gateway the demo continues with the current state.
import type { Log } from '../../core/ports/telemetry.ts';
import { microsPerSecond } from '../../core/units.ts';
import { type GatewayClient, Interrupted } from '../replay/gateway-client.ts';
import { directBody, heartbeatBody, pollBody } from './bodies.ts';
import { feedPushesAt } from './feed-pushes.ts';
import { pushFeed } from './push-feed.ts';
import { openRosterPushes, type PushRosters, type RosterTools } from './push-rosters.ts';
import { teamsIn } from './rosters.ts';
import { gamesAt, isQuoted } from './slate.ts';
import { endOf } from './timeline.ts';

type SlateTools = RosterTools & {
  odds: GatewayClient;
  log: Log;
  stopped: AbortSignal;
  /** Games that ended before this time (seconds) are left out: no book has quoted them. */
  since: number;
};

/** Seconds between two polls: in play a quote is suspect after fifteen. */
const pollEvery = 5;
const imageEvery = 4;
const heartbeatEvery = 2;

/** Plays until it is stopped. */
export async function playSlate(tools: SlateTools): Promise<void> {
  const { clock, log, stopped } = tools;
  const pushRosters = openRosterPushes(tools);
  for (let round = 0; !stopped.aborted; round += 1) {
    try {
      await playRound(tools, pushRosters, Math.floor(clock.now() / microsPerSecond), round);
    } catch (error) {
      if (error instanceof Interrupted) return;
      log.warn('the demo could not push', { error: error instanceof Error ? error.message : String(error) });
    }
    await clock.sleep(1_000 - ((clock.now() / 1_000) % 1_000), stopped);
  }
}

async function playRound(tools: SlateTools, pushRosters: PushRosters, now: number, round: number): Promise<void> {
  const { odds, direct, feeds, clock, seed, since } = tools;
  const games = gamesAt(seed, now).filter((game) => endOf(game) > since);
  const quoted = games.filter((game) => isQuoted(game, now));
  await pushRosters(teamsIn(games));
  if (round % pollEvery === 0) await odds.push('the-odds-api-v4', JSON.stringify(pollBody(seed, quoted, now)));
  if (round % imageEvery === 1) await direct.push('quotes', JSON.stringify(directBody(seed, quoted, now)));
  else if (round % heartbeatEvery === 1) await direct.push('quotes', JSON.stringify(heartbeatBody(seed, quoted, now)));
  for (const push of feedPushesAt(seed, games, now, round)) await pushFeed(feeds, clock, push);
}
