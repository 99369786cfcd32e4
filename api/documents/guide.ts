// llms.txt: all that a program has to know to use the API, on one page of plain text. What it says of routes, tiers and problems comes from
// where they are declared; only the order of steps is told here.
import { type RateLimits, tierTerms } from '../../core/access/tiers.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { type ProblemCode, type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import type { RouteFacts } from '../route-facts.ts';
import { templateOf } from './operations.ts';

export type GuideFacts = {
  routes: readonly RouteFacts[];
  datasets: readonly Dataset[];
  rateLimits: RateLimits;
  baseUrl: string;
};

export function guide({ routes, datasets, rateLimits, baseUrl }: GuideFacts): string {
  return `# Sports Data Service

> Read-only HTTP API: live sportsbook lines and settled game data of MLB, NBA, NHL, NFL and NCAAM. Lists are JSON, data are Parquet files.

Base address: ${baseUrl}
Every request but those marked "no key" carries \`Authorization: Bearer <API_KEY>\`; a key begins with \`svc_live_\`. Keys come from an account; no route makes one.
All routes are GET; HEAD gives the same header fields free of charge. Unknown query parameters are refused with 400.

## List games
GET /v1/games?league=MLB&date_from=2026-08-01&date_to=2026-08-31
The answer is {"data": [game...], "next_cursor": string or null}. For the next page send the same filters and cursor=<next_cursor>, until it is null.
A game's "id" (<LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>) is what paths take. "in_progress" is true while it is played.

## Download a file of a settled game
GET /v1/games/{game_id}/{dataset}, dataset one of: ${perGame(datasets)}.
The body is one Parquet file (zstd). X-Service-Rowcount is its row count, X-Service-Debited what this read cost. A HEAD tells the price before.
Range requests work, and are debited like the whole file. If-None-Match with the ETag: 304, free. Columns: GET /v1/datasets/{name}/schema (no key).
404 not-final (sportsbook-lines only): the game is still live; its "live" member has the two addresses to use instead.

## Follow a live game
1. GET /v1/games/{game_id}/sportsbook-lines/segments without a cursor. Fetch each segments[].url verbatim (it carries rows=N), in order: together the Parquet files are the history so far.
2. Keep "cursor" once all of them are read. After 5 seconds GET the same address with ?cursor=<cursor>.
3. Each listed segment has rows [from_row, rows) to take; without from_row take all. The open segment grows in place: earlier rows never change.
4. Nothing new: "segments" is empty and the cursor is the same. Go on with 2.
5. Rows are debited once per account and month, however often a segment is read.

What a 409 wants, always: nothing was debited; list the segments again without a cursor.
- live-cursor-reset (from the listing): the log was rebuilt and does not hold the cursor. Drop the rows you have, list without a cursor.
- live-segment-behind (from a segment): the log was rebuilt since it was listed. Drop the rows you have, list without a cursor.
The end is 404 with "reason": "final_available": GET the path in "final"; it replaces all live rows. With "no_live_artifact" the game is not tracked yet: ask again later.

## Poll what is quoted now
GET /v1/games/{game_id}/sportsbook-lines/board lists one file per operator; fetch board.files[].url with If-None-Match. Asking more often than every 5 seconds brings nothing.
quote_state is "live" or "stale_suspect": the latter is no longer believed.

## Routes
${routes.map(routeLine).join('\n')}

## Limits
Requests per minute: ${(Object.keys(tierTerms) as Tier[]).map((tier) => `${tier} ${rateLimits[tier]}`).join(', ')}; routes without a key ${rateLimits.address} per address. The RateLimit header fields tell what is left.
GET /v1/me tells the tier, the quota of rows a month and what is used of it.

## Problems
Every failure is application/problem+json with type, title, status and often detail. Dispatch on the type, ${baseUrl}/problems/<suffix>:
${(Object.entries(problemTypes) as [ProblemCode, ProblemType][]).map(problemLine).join('\n')}
Retry rate-limited, temporarily-unavailable and internal-error with growing pauses, at least Retry-After seconds. Other 4xx: mend the request.

## More
- ${baseUrl}/v1/openapi.json: every parameter, header field and answer (OpenAPI 3.1, no key)
- ${baseUrl}/docs: the same for people, with programs in curl, Python, DuckDB and TypeScript (no key)
`;
}

function perGame(datasets: readonly Dataset[]): string {
  return datasets
    .filter(({ kind }) => kind === 'per_game')
    .map(({ name }) => name)
    .join(', ');
}

function routeLine(route: RouteFacts): string {
  const query = Object.keys(route.query);
  const taken = query.length === 0 ? '' : `?${query.join('&')}`;
  return `- GET ${templateOf(route)}${taken}${route.class.key ? '' : ' (no key)'}: ${route.summary}`;
}

function problemLine([code, { statuses, meaning, remedy }]: [ProblemCode, ProblemType]): string {
  return `- ${code} (${statuses.join(', ')}): ${meaning} ${remedy}`;
}
