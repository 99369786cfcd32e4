// The reference of the API for people: one page made from the same declarations and schemas as the OpenAPI description.
import { requestWindow } from '../../core/limits/request-window.ts';
import { type RateLimits, type TierTerms, tierTerms } from '../../core/limits/tier-limits.ts';
import { codeSample, html, type Markup, prose, table } from '../../http/pages/html.ts';
import { layout, type Section } from '../../http/pages/page.ts';
import { problemTable } from '../../http/pages/problem-table.ts';
import { board } from '../../schemas/datasets/board.ts';
import type { Column, Dataset } from '../../schemas/datasets/column.ts';
import { perGameNames } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { type ProblemCode, type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import { inWords, leagues } from '../../schemas/reference/leagues.ts';
import { type RouteFacts, tagsOf } from '../pipeline/route-facts.ts';
import { clientsSection } from './clients-section.ts';
import { columnTable } from './column-table.ts';
import { type Examples, exampleLanguages, tasksFor } from './examples.ts';
import { routeSection } from './route-section.ts';

type ReferenceFacts = {
  routes: readonly RouteFacts[];
  datasets: readonly Dataset[];
  rateLimits: RateLimits;
  baseUrl: string;
  examples: Examples;
};

export function referenceBody(facts: ReferenceFacts): { title: string; body: Markup } {
  const sections = [
    start(facts),
    examplesSection(facts),
    clientsSection({ msf: hasRevisions(facts.datasets), baseUrl: facts.baseUrl }),
    ...tagsOf(facts.routes).map((tag) => routesOf(tag, facts)),
    rules(),
    tiers(facts.rateLimits),
    columns(facts.datasets),
    problems(),
  ];
  return {
    title: 'Sports Data Service · API reference',
    body: html`<section aria-label="Language of the examples">${exampleLanguages.map(
      ({ id }, at) =>
        html`<input class="choice" type="radio" name="language" id="in-${id}" aria-label="Examples in ${id}"${at === 0 ? checked : ''}>`,
    )}</section>
${layout({ title: 'Sports Data Service', lead: `Live sportsbook lines and settled game data of ${inWords(leagues, 'and')}. Lists, odds and rows are JSON; files are Parquet.`, sections })}`,
  };
}

const checked = html` checked`;

function start({ baseUrl }: ReferenceFacts): Section {
  return {
    id: 'start',
    title: 'Start',
    parts: [],
    body: html`<p>Every route that serves data takes an API key, <code>Authorization: Bearer &lt;API_KEY&gt;</code>; it begins with <code>svc_live_</code> and comes from your account. It is shown once.</p>
<pre tabindex="0"><code data-start="curl">${codeSample(`export API=${baseUrl}
export KEY=svc_live_…

curl -s -H "Authorization: Bearer $KEY" "$API/v1/me"              # your tier, limit and quota
curl -s -H "Authorization: Bearer $KEY" "$API/v1/games?limit=5"   # games; one that is played now:
export GAME=$(curl -s -H "Authorization: Bearer $KEY" "$API/v1/games?status=STARTED" | jq -r '.data[0].id')`)}</code></pre>
<p>What the final files mean, with every rule of grading: ${perGameNames.map((name, at) => html`${at === 0 ? '' : ', '}<a href="/docs/datasets/${name}">${name}</a>`)}.</p>
<p>For programs: <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI 3.1) and <a href="/llms.txt">/llms.txt</a>.</p>`,
  };
}

function examplesSection({ examples, datasets }: ReferenceFacts): Section {
  const tasks = tasksFor({ msf: hasRevisions(datasets) });
  const labels = exampleLanguages.map(({ id, name }) => html`<label for="in-${id}">${name}</label>`);
  return {
    id: 'examples',
    title: 'Examples',
    parts: tasks.map(({ id, title }) => ({ id, title })),
    body: html`<p>The code samples read <code>API</code>, <code>KEY</code> and, if they need a game, <code>GAME</code> from the environment, and run unchanged. Python needs pandas, pyarrow and requests; it gives Arrow a buffer of its own, because with <code>io.BytesIO</code> the interpreter may abort at its end. Those for Node are <code>.mjs</code> files and need Node 20 or newer.</p>
${tasks.map(
  ({ id, title, about }) => html`<h3 id="${id}"><a href="#${id}">${title}</a></h3>
<p>${prose(about)}</p>
<div class="tabs">${labels}</div>
${exampleLanguages.map(
  (language) =>
    html`<pre class="example ${language.id}" tabindex="0"><code data-example="${id} ${language.id}">${codeSample(examples[id][language.id], language.comment)}</code></pre>\n`,
)}`,
)}`,
  };
}

function hasRevisions(datasets: readonly Dataset[]): boolean {
  return datasets.some(({ kind }) => kind === 'revisioned');
}

function routesOf(tag: RouteFacts['tag'], { routes, datasets }: ReferenceFacts): Section {
  const own = routes.filter((route) => route.tag === tag);
  return {
    id: tag.toLowerCase().replaceAll(' ', '-'),
    title: tag,
    parts: own.map(({ id, path }) => ({ id, title: shortened(path) })),
    body: html`${own.map((route) => routeSection(route, datasets))}`,
  };
}

/** A path as the table of contents shows it: without the common prefix. */
function shortened(path: string): string {
  return path.replace(/^\/v1\/games\/:game_id\/(?:sportsbook-lines\/)?(?=.)/, '…/').replaceAll(/:([a-z_]+)/g, '{$1}');
}

function rules(): Section {
  return {
    id: 'rules',
    title: 'Rules of all routes',
    parts: [],
    body: html`<h3 class="minor">Requests</h3>
<p>${prose('All routes are GET. HEAD returns the same header fields without a body, free of charge; on files its `X-Service-Rowcount` is the cost in rows. Unknown, repeated or malformed query parameters are refused with `validation-error`, never ignored. Game ids, leagues and operators are case-insensitive.')}</p>
<h3 class="minor">Pages</h3>
<p>${prose('Lists return `{"data": […], "next_cursor": …}`. Send `next_cursor` back verbatim, with the same filters, until it is null.')}</p>
<h3 class="minor">Conditions and ranges</h3>
<p>${prose('Data have an ETag; on files it is the SHA-256 of the bytes. `If-None-Match` with the current ETag returns 304, free of charge; `If-Match` without it returns 412. Files support one byte range; `If-Range` with another ETag returns the whole file.')}</p>
<h3 class="minor">Waiting</h3>
<p>${prose('With `Prefer: wait=25` a request waits for news: on `segments`, `rows` and `changes` until there is something after the cursor; on boards, or without a cursor, until the ETag differs from `If-None-Match`. It then gets the usual answer with `Preference-Applied`, after 25 seconds at the latest. It counts as one request.')}</p>
<h3 class="minor">Metering</h3>
<p>${prose('The quota counts rows per calendar month (UTC). All rows of a final file are charged at every read, also of a range. A row of a live segment is charged once per account and month, so polling costs only new rows. The rows of boards are charged with the weight of boards of this service, which can be 0. All rows of files of revisions and archives are charged at every read, also of a range; manifests, listings and archives are free. Lists, HEAD, 304 and all failures are free. `X-Service-Debited` is the number of rows charged for an answer. A read that would exceed the quota is refused as a whole and not charged.')}</p>
<h3 class="minor">Failures</h3>
<p>${prose('Every failure is `application/problem+json` with `type`, `title`, `status` and often `detail`. Dispatch on the `type`: two types share 403, three share 429. Retry `rate-limited`, `temporarily-unavailable` and `internal-error` with exponential backoff, waiting at least the seconds in `Retry-After`. Do not retry `quota-exhausted` or `throttled` in a loop. Any other 4xx needs another request: the remedy of its type says which.')}</p>`,
  };
}

function tiers(rateLimits: RateLimits): Section {
  const entries = Object.entries(tierTerms) as [keyof typeof tierTerms, TierTerms][];
  return {
    id: 'tiers',
    title: 'Tiers',
    parts: [],
    body: html`${table(
      ['Tier', `Requests per ${requestWindow.name}`, 'Active keys', 'History'],
      entries.map(([tier, terms]) => [
        html`<strong>${tier}</strong>`,
        rateLimits[tier],
        terms.activeKeys ?? 'shared',
        historyOf(terms.history),
      ]),
    )}
<p>${prose(`Requests are counted per key over any ${requestWindow.ms / 1_000} seconds; routes without a key per address, ${rateLimits.address} ${requestWindow.inWords}. Games and revisions outside the history are refused with \`history-restricted\`, never left out silently. Monthly rows: \`quota\` of \`GET /v1/me\`.`)}</p>
<p>To subscribe, renew or upgrade, sign in to your account; keys are minted and revoked on its key page.</p>`,
  };
}

function historyOf(history: TierTerms['history']): string {
  if (history === 'all') return 'all games';
  return history === 'month'
    ? 'one sample month, the `demo_month` of /v1/me'.replaceAll('`', '')
    : `${history.days} days`;
}

function columns(datasets: readonly Dataset[]): Section {
  const segmentColumns = new Set<string>(sportsbookLines.columns.map(({ name }) => name));
  return {
    id: 'columns',
    title: 'Columns',
    parts: [...datasets, board].map((dataset) => ({ id: columnsId(dataset), title: titleOf(dataset) })),
    body: html`<p>${prose('Parquet with zstd, statistics and truthful nullability; times are microseconds in UTC, decimals exact. Live segments have exactly the columns of the final `sportsbook-lines`.')}</p>
${datasets.map((dataset) => columnsOf(dataset, dataset.columns))}
${columnsOf(
  board,
  board.columns.filter(({ name }) => !segmentColumns.has(name)),
)}`,
  };
}

/** The board is not a dataset of its own: it has the columns of segments and more. */
function titleOf(dataset: Dataset): string {
  return dataset === board ? 'board files' : dataset.name;
}

function columnsId(dataset: Dataset): string {
  return `columns-${titleOf(dataset).replaceAll(' ', '-')}`;
}

function columnsOf(dataset: Dataset, shown: readonly Column[]): Markup {
  const id = columnsId(dataset);
  const beside = dataset === board ? ' The columns of segments, and:' : '';
  return html`<h3 id="${id}"><a href="#${id}">${titleOf(dataset)}</a></h3>
<p>${dataset.description} Key: ${dataset.primaryKey.join(', ')}.${beside}${dataset !== board && dataset.kind === 'per_game' ? pageLink(dataset.name) : ''}</p>
${columnTable(shown)}`;
}

/** A link to the explanation of a dataset of settled games. */
function pageLink(name: string): Markup {
  return html` <a href="/docs/datasets/${name}">How its rows come about, versions, corrections</a>`;
}

function problems(): Section {
  const entries = Object.entries(problemTypes) as [ProblemCode, ProblemType][];
  return {
    id: 'problems',
    title: 'Problem types',
    parts: [],
    body: problemTable(entries),
  };
}
