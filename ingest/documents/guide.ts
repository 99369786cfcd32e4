// llms.txt of the push gateway: all that a program has to know to push, on one page of plain text. What it says of routes, shares and problems
// comes from where they are declared; only the order of steps stands here.
import { bucketSeconds, type FeedLimits } from '../../core/access/token-bucket.ts';
import type { GatewayProblemCode, ProblemType } from '../../schemas/http/problems.ts';
import { gatewayProblemTypes } from '../../schemas/http/problems.ts';
import type { GatewayRoute } from '../gateway/route.ts';
import { templateOf } from './openapi.ts';
import { refusalsByStatus } from './refusals.ts';

type GatewayGuideFacts = { routes: readonly GatewayRoute[]; baseUrl: string; limits: FeedLimits };

export function guide({ routes, baseUrl, limits }: GatewayGuideFacts): string {
  return `# Sports Data Service: push gateway

> Where feed operators push quotes, reference data and bodies of MySportsFeeds. It reads nothing out: that is the API's, on another address with other keys.

Every request but those marked "no key" carries \`Authorization: Bearer <FEED_KEY>\`; a feed key begins with \`svc_feed_\` and speaks for its sources, with its scopes.
Unknown query parameters are refused with 400. Unknown members of bodies are passed over.

## Push quotes
${nativeExample}
kind: "image" is the whole offer of the operator in the game, as far as "markets" says; what two images in a row leave out is withdrawn. "delta" touches only what it names. "heartbeat" says that the feed is still there, and has no quotes.
game: league, event_id, home_team, away_team and commence_time, or game_id alone. The same event_id of a source is the same game ever after.
A price is in one format: {"american":-145}, {"decimal":1.91} or {"fractional":"5/4"}. state: "open" (left out), "suspended", or in a delta "withdrawn".
NDJSON (Content-Type: application/x-ndjson) takes one event a line. Bodies may be compressed (Content-Encoding: gzip or zstd).
Many events in one push are cheaper than many pushes: at most 8 MiB inflated, 150,000 events, and of one event 5,000 quotes and 900,000 bytes.

## Push what The Odds API answers
curl -s "$THE_ODDS_API_URL" | curl -s -H "Authorization: Bearer $FEED_KEY" -H 'Content-Type: application/json' --data-binary @- "$GATEWAY/v1/sources/mybook/the-odds-api-v4?odds_format=american"
Send as markets= and bookmakers= what was polled, where that was not everything.

## What comes back
202 {"receipt": "...", "accepted": 1, "duplicates": 0, "rejected": [], "games": [{"index": 0, "event_id": "e1", "game_id": "NFL_DET_PHI_20261130", "minted": true}], "warnings": []}: the log has what is accepted, durably. rejected lists what was refused, by index, JSON pointer, code and detail; its neighbours went on.
games names the games under which the API serves what was pushed. warnings lists what is accepted and probably a mistake: market "h2h" for "moneyline", a team's name as the selection, two prices that disagree, an unknown team, a second game of the same teams and day.
While you build a feed, push with ?validate=true (200: nothing is kept) and with ?strict=true (warnings are refusals).
400 with "rejected": nothing of the body was acceptable. An empty list is 202 with accepted 0.
GET /v1/receipts/{receipt}: "state" is "logged", then "applied" once readers see it.
A client that may retry sends an Idempotency-Key, new with each body: the same key and bytes again are answered as the first time, and nothing is counted twice.

## Routes
${routes.map(routeLine).join('\n')}

## Shares
A key may send a second ${limits.requests} requests, ${limits.bytes} bytes inflated and ${limits.elements} elements, and ${bucketSeconds} times that at once. Beyond: 429 with Retry-After, and nothing of the push was accepted.
A body has to come at 16 KiB a second or more, else 408.

## Problems
Every failure is application/problem+json with type, title, status and often detail. Dispatch on the type, ${baseUrl}/problems/<suffix>:
${problemsOf(routes).map(problemLine).join('\n')}
Retry rate-limited, temporarily-unavailable and internal-error with growing pauses, at least Retry-After seconds. Other 4xx: mend the request.

## More
- /docs on this address: the same for people, with examples; /v1/schemas/native-event: the event as JSON Schema
- /v1/openapi.json on this address: every parameter, header field, body and answer (OpenAPI 3.1, no key)
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
