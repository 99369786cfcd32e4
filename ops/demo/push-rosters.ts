// Pushes teams and their players through the gateway, each team once.
import type { Clock } from '../../core/ports/clock.ts';
import { microsPerSecond } from '../../core/units.ts';
import type { GatewayClient } from '../replay/gateway-client.ts';
import { playersPushes } from './feed-pushes.ts';
import { pushFeed } from './push-feed.ts';
import { type DemoTeam, teamsBody } from './rosters.ts';

export type RosterTools = { direct: GatewayClient; feeds: GatewayClient; clock: Clock; seed: number };

export type PushRosters = (teams: readonly DemoTeam[]) => Promise<void>;

export function openRosterPushes({ direct, feeds, clock, seed }: RosterTools): PushRosters {
  const pushed = new Set<string>();
  return async (teams) => {
    const fresh = teams.filter(({ league, name }) => !pushed.has(`${league} ${name}`));
    if (fresh.length === 0) return;
    await direct.push('reference', JSON.stringify(teamsBody(fresh)));
    const now = Math.floor(clock.now() / microsPerSecond);
    for (const push of playersPushes(seed, fresh, now)) await pushFeed(feeds, clock, push);
    for (const { league, name } of fresh) pushed.add(`${league} ${name}`);
  };
}
