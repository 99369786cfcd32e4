// The route for bodies of MSF (docs/operations.md#push-gateway): reads what its path, query and headers say before the body. Independent of
// the feeds' forms and of the log.
import { isLeague } from '../../core/league-code.ts';
import { descriptorOf, feedNamed, msfFeeds } from '../../core/msf/feeds/feeds.ts';
import type { MsfFeed } from '../../core/msf/types.ts';
import { sourceTimeRefusal } from '../../core/quotes/source-time.ts';
import { nearestMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import { msfBody, pushAnswer } from '../../schemas/http/pushes.ts';
import { type League, leagues } from '../../schemas/reference/leagues.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { answerSent, headerOf, refusalOfOwnTime } from './push.ts';
import type { Call, GatewayRoute } from './route.ts';

export const msf: GatewayRoute = {
  id: 'pushMsf',
  summary: 'A body of MySportsFeeds v2.x, unchanged.',
  details: 'A league accepts bodies of one source at a time; `game` is for feeds of one game.',
  method: 'POST',
  path: '/v1/sources/:source/msf/:league/:season/:feed',
  key: 'source',
  scope: 'msf',
  query: ['game'],
  headers: ['Content-Encoding', 'Idempotency-Key', 'X-Observed-At', 'X-Request-Started-At', 'traceparent'],
  takes: { forms: ['json'], body: msfBody },
  gives: pushAnswer,
  missing: false,
  async handle(call, tools, place) {
    const route = routeOf(call);
    if (isRefusal(route)) return route;
    const times = timesOf(call, tools.clock.now());
    if (isRefusal(times)) return times;
    return await answerSent(call, tools, place, ['json'], (sent) => tools.acceptMsf({ ...sent, ...route, ...times }));
  },
};

const seasonForm = /^[0-9A-Za-z-]{1,64}$/;
const gameForm = /^[0-9A-Za-z-]{1,64}$/;

type RouteParts = { league: League; season: string; feed: MsfFeed; game: string | null };

function routeOf({ params, query }: Call): RouteParts | GatewayRefusal {
  const { league: code = '', season = '' } = params;
  const league = code.toUpperCase();
  if (!isLeague(league))
    return refuse('not-found', { detail: `The league in the path is none of ${leagues.join(', ')}.` });
  if (!seasonForm.test(season))
    return refuse('not-found', { detail: 'The season in the path is not of [0-9A-Za-z-]{1,64}.' });
  const feed = feedNamed(params.feed ?? '');
  if (feed === null) return refuse('not-found', { detail: `The feed in the path is none of ${msfFeeds.join(', ')}.` });
  const game = query.game ?? null;
  if (game === null) return { league, season, feed, game };
  const { kind } = descriptorOf(feed).form;
  if (kind !== 'game' && kind !== 'entries')
    return refuse('validation-error', { detail: `query parameter game is not for ${feed}, which is of no game` });
  if (!gameForm.test(game))
    return refuse('validation-error', { detail: 'query parameter game is no game: 42070, or 20171017-BOS-CLE' });
  return { league, season, feed, game };
}

type Times = { observedAt: Micros | null; requestStartedAt: Micros | null };

/** The times that a sender gives for a body. A time ahead of the clock would outrank all correct ones. */
function timesOf(call: Call, now: Micros): Times | GatewayRefusal {
  const refusal = refusalOfOwnTime(call);
  if (refusal !== null) return refusal;
  const observedAt = timeIn(call, 'X-Observed-At', now);
  if (isRefusal(observedAt)) return observedAt;
  const requestStartedAt = timeIn(call, 'X-Request-Started-At', now);
  return isRefusal(requestStartedAt) ? requestStartedAt : { observedAt, requestStartedAt };
}

function timeIn({ request }: Call, header: string, now: Micros): Micros | null | GatewayRefusal {
  const text = headerOf(request.headers[header.toLowerCase()]);
  if (text === null) return null;
  const time = nearestMicros(text);
  const refusal = sourceTimeRefusal(time, now, '');
  return refusal === null
    ? time
    : refuse('validation-error', { detail: refusal.detail.replace('the source time', header) });
}
