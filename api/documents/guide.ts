// llms.txt: all that a program needs to use the API, on one page of plain text. Its text on routes, tiers and problems comes from their
// declarations; only the order of steps is written here.
import { type RateLimits, tierTerms } from '../../core/access/tiers.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { type ProblemCode, type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import { inWords, leagues } from '../../schemas/reference/leagues.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { templateOf } from './operations.ts';

type GuideFacts = {
  routes: readonly RouteFacts[];
  datasets: readonly Dataset[];
  rateLimits: RateLimits;
  baseUrl: string;
};

export function guide({ routes, datasets, rateLimits, baseUrl }: GuideFacts): string {
  return `# Sports Data Service

> Read-only HTTP API: live sportsbook lines and settled game data of ${inWords(leagues, 'and')}. Lists are JSON, data are Parquet files.

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
Versions: a file that has appeared never changes; a correction is a new version of it, and without ?version=N the newest is served. X-Service-Artifact-Version names it.
Most games settle on provisional statistics: a second version of market-results within hours is the normal case. GET /v1/games/{game_id}/{dataset}/versions (free) lists {"data": [{version, etag, row_count, bytes, landed_at, reason, url}]}, newest first. Each version is debited by its own rows. To compare two, join them on the key of the dataset; a line may be null.
market-results: "result" is win, loss, push, half_win, half_loss, void or ungraded; result_reason says why a row is void or ungraded. Nothing is guessed. Every rule of grading: ${baseUrl}/docs/datasets/market-results (no key); the other datasets have such pages too.
404 not-final (sportsbook-lines only): the game is still live; its "live" member has the two addresses to use instead.

## Follow a live game
1. GET /v1/games/{game_id}/sportsbook-lines/segments without a cursor. Fetch each segments[].url verbatim (it carries rows=N), in order: together the Parquet files are the history so far.
2. Keep "cursor" once all of them are read. GET the same address with ?cursor=<cursor> and the header "Prefer: wait=25": it is answered the moment there are new rows, at the latest after 25 seconds, and counts as one request.
3. Each listed segment has rows [from_row, rows) to take; without from_row take all. The open segment grows in place: earlier rows never change.
4. Nothing new: "segments" is empty and the cursor is the same. Go on with 2.
5. Rows are debited once per account and month, however often a segment is read. To move the new rows alone, append &from_row=<from_row> to the url.
Or without Parquet: GET /v1/games/{game_id}/sportsbook-lines/rows?cursor=<cursor> answers {"rows": [row...], "cursor": string}, the rows after the cursor as JSON (of one segment, at most limit); begin without a cursor, go on with the one of the answer, until rows is empty. Same cursors, same debits.

What a 409 wants, always: nothing was debited; list the segments again without a cursor.
- live-cursor-reset (from the listing): the log was rebuilt and does not hold the cursor. Drop the rows you have, list without a cursor.
- live-segment-behind (from a segment): the log was rebuilt since it was listed. Drop the rows you have, list without a cursor.
The end is 404 with "reason": "final_available": GET the path in "final"; it replaces all live rows. With "no_live_artifact" the game is not tracked yet: ask again later.

## Poll what is quoted now
GET /v1/games/{game_id}/sportsbook-lines/board lists one file per operator; fetch board.files[].url with If-None-Match. With "Prefer: wait=25" as well either is answered the moment it is another one, else 304 after 25 seconds.
quote_state is "live" or "stale_suspect": the latter is no longer believed.

## Compare sportsbooks in one request
GET /v1/games/{game_id}/odds: JSON, no Parquet reader needed. Per selection: "best" (the highest price that can be had at "line"), "hold" of the market, and "operators" with each price, line, implied_probability, hold, is_open, quote_state, age_seconds. Decimals are strings.
Narrow it by market=, period=, operators=A,B; format=american|decimal|fractional adds "price"; best=true leaves the best sportsbook alone. at=<RFC 3339 time> gives the same as of any instant of the log, with quote_state and age_seconds null. It goes on after settlement, from the final file.
GET /v1/odds?league=MLB: the same for all games that are quoted now, in pages as in "List games".
X-Service-Rowcount is how many rows an answer is made of; a HEAD tells it before.

## Know which games move
GET /v1/events?games=<id>,<id> (at most 50) or ?league=MLB: server-sent events, free of charge. "head" says how far a dataset of a game has come: read on from the cursor that you have (rows, segments, changes). "reset": drop your cursor. "final": GET the path in "final". All heads are sent at the beginning, so after the stream has ended (every 5 to 10 minutes) just open it again.

${revisions(datasets)}## Routes
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

/** How a revisioned dataset is followed, where there is one. */
function revisions(datasets: readonly Dataset[]): string {
  const names = datasets.filter(({ kind }) => kind === 'revisioned').map(({ name }) => name);
  if (names.length === 0) return '';
  return `## Follow a revisioned dataset
S is /v1/games/{game_id} or /v1/leagues/{league}; dataset one of: ${names.join(', ')}. A league has a stream of its own for injuries alone.
1. GET S/{dataset}/snapshot. Fetch each files[].url verbatim and compare its SHA-256 with files[].sha256: together the files are the state.
2. Keep "cursor". GET S/{dataset}/changes?cursor=<cursor> after poll_after seconds, or at once with "Prefer: wait=25": the revisions after it, in order, and the next cursor.
3. Apply each revision whole. Its files have the columns of the dataset and _op: "upsert" sets the row of the primary key, "delete" removes it (it carries the old row). A revision_kind "replace" is the whole state: drop all rows before it, also when it has none.
4. After each compare with snapshot_row_count and snapshot_digest; drop the state and go back to 1 when they differ.
5. To walk to a fixed mark, send high_water_revision of the first page as until_revision on the others.
snapshot_digest: SHA-256 (hex) of the rows in primary-key order (text by UTF-8 bytes, numbers by value), each as the compact JSON array (RFC 8785) of its values in column order without _op, and a newline. Times are "YYYY-MM-DDTHH:MM:SS.ffffffZ", dates "YYYY-MM-DD", decimals strings with all digits of their scale, integers beyond 2^53-1 strings. No rows: the SHA-256 of nothing.
A published revision never changes; "verified" is a revision of its own. If-None-Match with the ETag of a snapshot or listing: 304, free, while nothing but freshness moved.

What a 410 wants, always: GET the path in "snapshot" and begin again.
- stream-reset: the stream was started over under a new stream_epoch.
- cursor-expired: revisions after the cursor are no longer listed.
404 not-yet-available: nothing is published yet, or not that revision: ask again after poll_after seconds. 404 with "reason": "revision_not_retained": read the snapshot, or an archive.
Archives keep what is no longer listed: GET /v1/leagues/{league}/{dataset}/archives lists those of all games of the league; fetch archives[].url. Rebuild from the files of "baseline", the state after its first revision; then apply "revisions" from the second on.
Files of revisions and archives debit their rows at every read; everything else here is free.

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
