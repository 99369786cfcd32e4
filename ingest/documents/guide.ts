// llms.txt of the push gateway: all that a program needs to push, on one page of plain text. The lists of routes, limits and problems come
// from their declarations; the rest is written here.
import { bucketSeconds, type FeedLimits } from '../../core/limits/token-bucket.ts';
import type { GatewayProblemCode, ProblemType } from '../../schemas/http/problems.ts';
import { gatewayProblemTypes } from '../../schemas/http/problems.ts';
import { mostElements } from '../gateway/read-body.ts';
import type { GatewayRoute } from '../gateway/route.ts';
import { templateOf } from './openapi.ts';
import { refusalsByStatus } from './refusals.ts';

type GatewayGuideFacts = { routes: readonly GatewayRoute[]; baseUrl: string; limits: FeedLimits };

export function guide({ routes, baseUrl, limits }: GatewayGuideFacts): string {
  return `# Sports Data Service: push gateway

> Where feed operators push quotes, reference data and bodies of MySportsFeeds. It only takes data in; read data through the API, which has another URL and other keys.

Send \`Authorization: Bearer <FEED_KEY>\` with every request, except on routes marked "no key". A feed key begins with \`svc_feed_\` and may push for its sources, within its scopes.
Unknown query parameters are refused with 400. Unknown members of bodies are ignored.
Words: an operator is a sportsbook. A source is a feed that reports quotes.

## Push quotes
${nativeExample}
kind: "image" is the operator's whole offer for the game, or for the listed "markets"; a selection that two images in a row leave out is withdrawn. "delta" changes only the selections it lists. "heartbeat" has no quotes; it only says that the feed is alive.
game: league, event_id, home_team, away_team and commence_time, or game_id alone. A source's event_id means the same game for ever.
A price is in one format: {"american":-145}, {"decimal":1.91} or {"fractional":"5/4"}. state: "open" (the default), "suspended", or in a delta "withdrawn".
NDJSON (Content-Type: application/x-ndjson) takes one event per line. Bodies may be compressed (Content-Encoding: gzip or zstd).
Many events in one push are cheaper than many pushes: at most 8 MiB uncompressed and ${mostElements.toLocaleString('en')} events; per event at most 5,000 quotes and 900,000 bytes.

## Push responses of The Odds API
curl -s "$THE_ODDS_API_URL" | curl -s -H "Authorization: Bearer $FEED_KEY" -H 'Content-Type: application/json' --data-binary @- "$GATEWAY/v1/sources/mybook/the-odds-api-v4?odds_format=american"
If you polled only some markets or bookmakers, send the same markets= and bookmakers=.

## Responses
202 {"receipt": "...", "accepted": 1, "duplicates": 0, "rejected": [], "games": [{"index": 0, "event_id": "e1", "game_id": "NFL_DET_PHI_20261130", "minted": true}], "warnings": []}: what was accepted is stored durably. rejected lists what was refused, with index, JSON pointer, code and detail; the other elements were accepted.
games lists the ids under which the API serves what you pushed. warnings lists what was accepted but is probably a mistake: market "h2h" for "moneyline", a team's name as the selection, two prices that disagree, an unknown team, a second game of the same teams and day.
While you build a feed, push with ?validate=true (200: nothing is stored) and with ?strict=true (what would be a warning is refused).
400 with "rejected": nothing in the body was accepted. An empty list gets 202 with accepted 0.
GET /v1/receipts/{receipt}: "state" is "logged", then "applied" when readers can see it.
If you retry, send an Idempotency-Key, a new one for each body. The same key with the same bytes gets the first answer again; nothing is counted twice.

## Routes
${routes.map(routeLine).join('\n')}

## Limits
Per second a key may send ${limits.requests} requests, ${limits.bytes} bytes (uncompressed) and ${limits.elements} elements; a burst may be ${bucketSeconds} times as large. Beyond that: 429 with Retry-After, and nothing of the push was accepted.
Send a body at 16 KiB per second or faster, else you get 408.

## Problems
Every failure is application/problem+json with type, title, status and often detail. Dispatch on the type, ${baseUrl}/problems/<suffix>:
${problemsOf(routes).map(problemLine).join('\n')}
Retry rate-limited, temporarily-unavailable and internal-error with exponential backoff, waiting at least Retry-After seconds. For other 4xx, fix the request.

## More
- /docs at this URL: the same for people, with examples; /v1/schemas/native-event: the event as JSON Schema
- /v1/openapi.json at this URL: every parameter, header field, body and response (OpenAPI 3.1, no key)
`;
}

const nativeExample = `POST /v1/sources/{source}/quotes, Content-Type: application/json
{"events":[{"kind":"image","operator":"mybook","game":{"league":"NFL","event_id":"e1","home_team":"Philadelphia Eagles","away_team":"Detroit Lions","commence_time":"2026-12-01T01:20:00Z"},"quotes":[{"market":"moneyline","selection":"home","price":{"american":-145}},{"market":"spread","selection":"away","line":2.5,"price":{"decimal":1.91}}]}]}`;

function routeLine(route: GatewayRoute): string {
  const { method, query, key, scope, summary } = route;
  const taken = query.length === 0 ? '' : `?${query.join('&')}`;
  const needed = key === 'none' || key === 'probe' ? ' (no key)' : scope === null ? '' : ` (scope ${scope})`;
  return `- ${method} ${templateOf(route)}${taken}${needed}: ${summary}`;
}

function problemsOf(routes: readonly GatewayRoute[]): [GatewayProblemCode, ProblemType][] {
  const possible = new Set(routes.flatMap((route) => [...refusalsByStatus(route).values()].flat()));
  return (Object.entries(gatewayProblemTypes) as [GatewayProblemCode, ProblemType][]).filter(([code]) =>
    possible.has(code),
  );
}

function problemLine([code, { statuses, meaning, remedy }]: [GatewayProblemCode, ProblemType]): string {
  return `- ${code} (${statuses.join(', ')}): ${meaning} ${remedy}`;
}
