// Pushes a body in MySportsFeeds' form, like a poller that has just requested it.
import type { Clock } from '../../core/ports/clock.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { GatewayClient } from '../replay/gateway-client.ts';
import type { FeedPush } from './feed-pushes.ts';

export async function pushFeed(feeds: GatewayClient, clock: Clock, { route, body }: FeedPush): Promise<void> {
  await feeds.push(route, JSON.stringify(body), { requestStartedAt: formatMicros(clock.now()) });
}
