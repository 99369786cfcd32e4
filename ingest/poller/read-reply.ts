// Interprets a reply of MySportsFeeds for the poller, by its status and headers; content counts only once it is in the log. Independent of
// when requests are made.

import type { PullAnswer } from '../../core/msf/polling/polling.ts';
import { factsOf, type PullFacts } from '../../core/msf/polling/pull-facts.ts';
import { type Pull, polledSeason, pullPath } from '../../core/msf/polling/pulls.ts';
import type { MsfFeed } from '../../core/msf/types.ts';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { parseJsonElement } from '../adapters/json-body.ts';
import { ElementNotHeld } from '../gateway/hold-elements.ts';
import type { SourceReply } from './msf-source.ts';

/** A body as it came, for the pipeline of pushes (docs/operations.md#push-gateway). */
export type PulledBody = {
  league: League;
  season: string;
  feed: MsfFeed;
  /** The source's id of the game, if the feed is about one. */
  game: string | null;
  requestStartedAt: Micros;
  body: Uint8Array;
};

/** Accepts a body as if it were pushed; any kind but `accepted` is a refusal. Rejects if it cannot be stored durably. */
export type AcceptPulled = (pulled: PulledBody) => Promise<{
  kind: string;
  rejected?: readonly { code: string; detail: string }[];
}>;

type Request = { pull: Pull; startedAt: Micros };
type Tools = { accept: AcceptPulled; log: Log };

/** The result of a request (docs/revisions.md#poller). */
export async function readReply(tools: Tools, request: Request, reply: SourceReply, now: Micros): Promise<PullAnswer> {
  const path = pullPath(request.pull);
  if (reply.kind === 'none') {
    tools.log.warn('MySportsFeeds did not answer', { path, reason: reply.detail });
    return { kind: 'unreachable' };
  }
  const { status } = reply;
  if (status === 200) return await readContent(tools, request, reply.body);
  if (status === 204) return { kind: 'no-content' };
  if (status === 304) return { kind: 'unchanged' };
  if (status === 400 || status === 404) return { kind: 'unknown' };
  if (status === 401) {
    tools.log.error('MySportsFeeds refuses the key', { setting: 'SDS_MSF_API_KEY' });
    return { kind: 'key-refused' };
  }
  if (status === 403) {
    tools.log.warn('the MySportsFeeds key has no right to a feed', { path });
    return { kind: 'not-subscribed' };
  }
  if (status === 429) {
    const retryAfter = retryAfterOf(reply.retryAfter, now);
    tools.log.warn('MySportsFeeds was asked too often', { path, retry_after_s: (retryAfter ?? 0) / microsPerSecond });
    return { kind: 'too-many', retryAfter };
  }
  tools.log.info('MySportsFeeds has no answer for the moment', { path, status });
  return { kind: 'trouble' };
}

async function readContent(
  { accept, log }: Tools,
  { pull, startedAt }: Request,
  body: Uint8Array,
): Promise<PullAnswer> {
  const path = pullPath(pull);
  const parsed = parseJsonElement(body);
  if (parsed.kind === 'malformed') {
    log.warn('MySportsFeeds sent no JSON', { path, reason: parsed.detail });
    return { kind: 'trouble' };
  }
  const facts: PullFacts = factsOf(pull, parsed.value);
  const { league, feed, game } = pull;
  if (feed === 'latest_updates') return { kind: 'content', facts };
  const named = game === null ? null : String(game);
  const pulled = { league, season: polledSeason, feed, game: named, requestStartedAt: startedAt, body };
  try {
    const { kind, rejected = [] } = await accept(pulled);
    const reason = rejected[0]?.detail ?? '';
    if (kind !== 'accepted') log.warn('a body of MySportsFeeds was refused', { path, kind, reason });
    // When the league becomes this source's, the next request must bring the content again.
    return { kind: rejected.some(({ code }) => code === 'other-source') ? 'other-source' : 'content', facts };
  } catch (error) {
    if (![BrokerUnavailable, CatalogUnavailable, ElementNotHeld].some((kind) => error instanceof kind)) {
      // One body must not end the polling of all others.
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error('a body of MySportsFeeds could not be taken', { path, error: failure });
      return { kind: 'failed', facts };
    }
    log.warn('a body of MySportsFeeds could not be had durably', {
      path,
      error: error instanceof Error ? error.message : '',
    });
    return { kind: 'not-taken' };
  }
}

/** How long to wait: seconds, or a date. Null if there is nothing readable. */
function retryAfterOf(text: string | null, now: Micros): Micros | null {
  const value = text?.trim() ?? '';
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * microsPerSecond;
  const date = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date * 1_000 - now);
}
