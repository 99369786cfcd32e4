// llms.txt: all that a program needs to use the API, on one page of plain text. The lists of routes, tiers and problems come from their
// declarations; the rest is written here.
import { requestWindow } from '../../core/limits/request-window.ts';
import { type RateLimits, tierTerms } from '../../core/limits/tier-limits.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { type ProblemCode, type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import { inWords, leagues } from '../../schemas/reference/leagues.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { clientFunctions, clientPrograms, modelTools } from './client-programs.ts';
import { templateOf } from './operations.ts';

type GuideFacts = {
  routes: readonly RouteFacts[];
  datasets: readonly Dataset[];
  rateLimits: RateLimits;
  baseUrl: string;
};

export function guide({ routes, datasets, rateLimits, baseUrl }: GuideFacts): string {
  return `# Sports Data Service

> Read-only HTTP API: live sportsbook lines and settled game data of ${inWords(leagues, 'and')}. Lists, odds and routes that end in /rows are JSON; files are Parquet.

Base URL: ${baseUrl}
Send \`Authorization: Bearer <API_KEY>\` with every request, except on routes marked "no key". A key begins with \`svc_live_\`; keys come from your account, no route makes one.
All routes are GET. HEAD returns the same header fields, free. Unknown query parameters are refused with 400.
Words: an operator is a sportsbook. A game is settled when its files are final. A read is charged in rows of your monthly quota.

## List games
GET /v1/games?league=MLB&date_from=2026-08-01&date_to=2026-08-31
The response is {"data": [game...], "next_cursor": string or null}. For the next page send the same filters and cursor=<next_cursor>, until it is null.
Use a game's "id" as {game_id} in paths: <LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>, with the Eastern Time date of the scheduled start. A second game of the same teams on one date ends in _2, a third in _3. Until both teams are known the id is a UUID, which stays valid in paths. Otherwise an id never changes, even if the game moves to another date. "in_progress" is true while the game is played.

## Download a file of a settled game
GET /v1/games/{game_id}/{dataset}, dataset one of: ${perGame(datasets)}.
The body is one Parquet file (zstd). X-Service-Rowcount is its number of rows, X-Service-Debited the rows charged for this read. Send HEAD first to see the cost.
Range requests work and are charged like the whole file; DuckDB over httpfs makes none after "set force_download = true". If-None-Match with the ETag: 304, free. Columns: GET /v1/datasets/{name}/schema (no key).
Versions: a published file never changes. Corrections are new versions; without ?version=N you get the newest. X-Service-Artifact-Version is the version you got.
Most games settle on provisional statistics, so expect a second version of market-results within hours. GET /v1/games/{game_id}/{dataset}/versions (free) lists {"data": [{version, etag, row_count, bytes, landed_at, reason, url}]}, newest first. Each version is charged by its own rows. Join two versions on the primary key. \`line\` can be null, so use a null-safe comparison.
market-results: "result" is win, loss, push, half_win, half_loss, void or ungraded; result_reason says why a row is void or ungraded. All grading rules: ${baseUrl}/docs/datasets/market-results (no key). Each of these datasets has such a page.
404 not-final (sportsbook-lines only): the game is still live. Use one of the two URLs in "live" instead.

## Follow a live game
1. GET /v1/games/{game_id}/sportsbook-lines/segments without a cursor. Fetch each segments[].url verbatim (it carries rows=N), in order: together the Parquet files are the history so far.
2. After you have read all of them, keep "cursor". GET the same listing with ?cursor=<cursor> and the header "Prefer: wait=25": it responds as soon as there are new rows, or after 25 seconds, and counts as one request.
3. Read rows from_row (inclusive) to rows (exclusive) of each listed segment; without from_row read all. The newest segment grows in place: its earlier rows never change.
4. If "segments" is empty and the cursor is the same, nothing is new. Continue with step 2.
5. A row is charged once per account and month, however often you read its segment. To download only new rows, append &from_row=<from_row> to the url.
Without a Parquet reader: GET /v1/games/{game_id}/sportsbook-lines/rows?cursor=<cursor> returns {"rows": [row...], "cursor": string}: the rows after the cursor as JSON, of one segment, at most limit. Start without a cursor, then send the returned cursor, until rows is empty. Cursors and charges are those of the segments.

On any 409: nothing is charged. Drop your rows and list the segments again without a cursor.
- live-cursor-reset (listing or rows): the log was rebuilt and no longer has the position of your cursor.
- live-segment-behind (segment): the log was rebuilt after the segment was listed.
When the game is final you get 404 with "reason": "final_available": GET the path in "final"; that file replaces all live rows. "reason": "no_live_artifact": the game has no live data yet; ask again later.

## Poll current quotes
GET /v1/games/{game_id}/sportsbook-lines/board lists one file per operator; fetch board.files[].url with If-None-Match. If you also send Prefer: wait=25, the listing or file responds as soon as it changes, or with 304 after 25 seconds.
quote_state is "live" or "stale_suspect". "stale_suspect" means the quote may be out of date; do not rely on it.

## Compare sportsbooks in one request
GET /v1/games/{game_id}/odds returns JSON. Per selection: "best" (the highest price at "line" that is open and not stale_suspect), "hold" of the market, and "operators" with each price, line, implied_probability, hold, is_open, quote_state, age_seconds. Decimals are strings.
Filter by market=, period=, operators=A,B. format=american|decimal|fractional adds "price". best=true returns only the best sportsbook. at=<RFC 3339 time> returns the odds at that time, with quote_state and age_seconds null. The route also works after settlement; it then reads the final file.
GET /v1/odds?league=MLB: the same for all games with current quotes, in pages as in "List games".
X-Service-Rowcount is the number of rows that the response was computed from. Send HEAD first to see it.

## Get notified of updates
GET /v1/events?games=<id>,<id> (at most 50) or ?league=MLB: server-sent events, free. "head": a game's dataset has new data; continue from your cursor (rows, segments, changes). "reset": drop your cursor. "final": GET the path in "final". Every stream starts with all heads and ends after 5 to 10 minutes: just open it again.

${revisions(datasets)}## Clients
A checkout of the service has clients that follow, read and verify as described above. They continue by themselves after restarts, 409, 410 and the end of a game. "Reset" in place of a row: discard what you have of the game.
${clientPrograms.map(({ title, install }) => `${title}: ${oneLine(install)}`).join('\n')}
Python: from sds_client import Client, AsyncClient, Reset; sds = Client(api, key). TypeScript: import { Client, Reset } from 'sds-client'; const sds = new Client({ baseUrl, apiKey }).
${clientFunctions.map(([call, gives]) => `- sds.${call}: ${gives}`).join('\n')}
./sds proxy --url ${baseUrl} --key-file <file>: serves the API at http://127.0.0.1:8090 without a key and keeps its files on disk, so that each is charged once, also for range requests.
./sds mcp --url ${baseUrl} --key-file <file>: an MCP server (stdio, read-only) with the tools ${modelTools.join(', ')}.

## Routes
${routes.map(routeLine).join('\n')}

## Limits
Requests per ${requestWindow.name}: ${(Object.keys(tierTerms) as Tier[]).map((tier) => `${tier} ${rateLimits[tier]}`).join(', ')}; routes without a key ${rateLimits.address} per IP address. The RateLimit header fields show what is left.
GET /v1/me returns your tier, your monthly quota of rows and how much of it is used.

## Problems
Every failure is application/problem+json with type, title, status and often detail. Dispatch on the type, ${baseUrl}/problems/<suffix>:
${(Object.entries(problemTypes) as [ProblemCode, ProblemType][]).map(problemLine).join('\n')}
Retry rate-limited, temporarily-unavailable and internal-error with exponential backoff, waiting at least Retry-After seconds. Do not retry quota-exhausted or throttled in a loop. Any other 4xx needs another request: the remedy of its type says which.

## More
- ${baseUrl}/v1/openapi.json: every parameter, header field and response (OpenAPI 3.1, no key)
- ${baseUrl}/docs: the same for people, with code samples in curl, Python, DuckDB and Node (no key)
`;
}

/** The chapter on revisioned datasets; empty if none is served. */
function revisions(datasets: readonly Dataset[]): string {
  const names = datasets.filter(({ kind }) => kind === 'revisioned').map(({ name }) => name);
  if (names.length === 0) return '';
  return `## Follow a revisioned dataset
S is /v1/games/{game_id} or /v1/leagues/{league}; dataset one of: ${names.join(', ')}. Below a league only injuries has data; the archives of all datasets are listed there too.
1. GET S/{dataset}/snapshot. Fetch each files[].url verbatim and compare its SHA-256 with files[].sha256: together the files are the state.
2. Keep "cursor". GET S/{dataset}/changes?cursor=<cursor> after poll_after seconds, or at once with "Prefer: wait=25": it returns the revisions after the cursor, in order, and the next cursor.
3. Apply each revision atomically (all of its files or none). Its files have the columns of the dataset and _op: "upsert" sets the row with its primary key, "delete" removes it (the file has the old row). revision_kind "replace" is the whole state: delete all your rows first, even if the replacement is empty.
4. After each revision compare your rows with snapshot_row_count and snapshot_digest. If they differ, drop the state and go back to step 1.
5. To page to a fixed end, send the first page's high_water_revision as until_revision on the next pages.
snapshot_digest: SHA-256 (hex) of the rows in primary-key order (text by UTF-8 bytes, numbers by value), each as the compact JSON array (RFC 8785) of its values in column order without _op, and a newline. Times are "YYYY-MM-DDTHH:MM:SS.ffffffZ", dates "YYYY-MM-DD", decimals strings with all digits of their scale, integers beyond 2^53-1 strings. With no rows: the SHA-256 of the empty string.
A published revision never changes; "verified" is a revision of its own. If-None-Match with the ETag of a snapshot or listing: 304 (free) if only the freshness fields changed.

On any 410: GET the path in "snapshot" and start over.
- stream-reset: the stream was restarted under a new stream_epoch.
- cursor-expired: the revisions after your cursor are no longer listed.
404 not-yet-available: nothing, or not that revision, is published yet; ask again after poll_after seconds. 404 with "reason": "revision_not_retained": read the snapshot, or an archive.
Archives keep the revisions that are no longer listed: GET /v1/leagues/{league}/{dataset}/archives lists those of all games of the league; fetch archives[].url. Load the "baseline" files: the state after the archive's first revision. Then apply "revisions", skipping the first.
Files of revisions and archives, and /rows of revisions, are charged by their rows at every read; everything else here is free.

`;
}

/** Commands on one line, without their comments. */
function oneLine(commands: string): string {
  return commands
    .split('\n')
    .map((line) => line.split(' #', 1).join('').trimEnd())
    .join('; ');
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
