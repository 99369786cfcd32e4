// The manual of the gateway for people: one page in the style of the API's, made from the same declarations and schemas as the OpenAPI
// description.
import { bucketSeconds, type FeedLimits } from '../../core/limits/token-bucket.ts';
import { codeSample, html, type Markup, nothing, prose, table } from '../../http/pages/html.ts';
import { layout, type PageContent, type Section } from '../../http/pages/page.ts';
import { problemTable } from '../../http/pages/problem-table.ts';
import { inlineSchema, type JsonSchema, type Shape } from '../../schemas/http/json-schema.ts';
import { gameByEvent, nativeEvent, nativeQuote } from '../../schemas/http/native-event.ts';
import { type GatewayProblemCode, gatewayProblemTypes, type ProblemType } from '../../schemas/http/problems.ts';
import { pushAnswer, receipt, rejection, warning } from '../../schemas/http/pushes.ts';
import { mediaTypesOf, mostElements } from '../gateway/read-body.ts';
import type { GatewayRoute } from '../gateway/route.ts';
import { gatewayExamples, readGatewayExample } from './examples.ts';
import { templateOf } from './openapi.ts';
import { pathParameters, queryParameters, requestHeaders } from './parameters.ts';
import { refusalsByStatus } from './refusals.ts';

type ManualFacts = { routes: readonly GatewayRoute[]; baseUrl: string; limits: FeedLimits };

export function manual({ routes, baseUrl, limits }: ManualFacts): PageContent {
  const title = 'Sports Data Service · push gateway';
  const lead =
    'Where sources push quotes, reference data and bodies of MySportsFeeds. What is pushed is read through the API, which has another URL and other keys.';
  const sections = [
    start(baseUrl),
    examples(),
    events(),
    answers(),
    ofRoutes(routes),
    shares(limits),
    problems(routes),
  ];
  return { title, body: layout({ title, lead, sections }) };
}

function start(baseUrl: string): Section {
  return {
    id: 'start',
    title: 'Start',
    parts: [],
    body: html`<p>${prose('A push carries a feed key, `Authorization: Bearer <FEED_KEY>`. It begins with `svc_feed_` and comes from the administrator, who mints it for your sources: `./sds feed-keys mint --source mybook`.')}</p>
<pre tabindex="0"><code>${codeSample(`export GATEWAY=${baseUrl}
export FEED_KEY=svc_feed_…`)}</code></pre>
<p>Send many events in one push: at most 8 MiB inflated, ${mostElements.toLocaleString('en')} events, and of one event 5,000 quotes and 900,000 bytes. Bodies may be compressed with gzip or zstd.</p>
<p>For programs: <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI 3.1), <a href="/v1/schemas/native-event">/v1/schemas/native-event</a> (JSON Schema) and <a href="/llms.txt">/llms.txt</a>.</p>`,
  };
}

function examples(): Section {
  return {
    id: 'examples',
    title: 'Examples',
    parts: gatewayExamples.map(({ id, title }) => ({ id, title })),
    body: html`<p>${prose('They read `GATEWAY` and `FEED_KEY` from the environment and run as they are.')}</p>
${gatewayExamples.map(
  ({ id, title, about }) => html`<h3 id="${id}"><a href="#${id}">${title}</a></h3>
<p>${prose(about)}</p>
<pre tabindex="0"><code data-example="${id}">${readGatewayExample(id)}</code></pre>
`,
)}`,
  };
}

function events(): Section {
  return {
    id: 'events',
    title: 'The native event',
    parts: [],
    body: html`<p>${prose('One sportsbook in one game. Members in bold are required; unknown members are ignored, and `null` means absent.')}</p>
${members(nativeEvent)}
<h3 class="minor">game</h3>
<p>${prose('Either these, or `game_id` alone. An `event_id` of a source always means the same game.')}</p>
${members(gameByEvent)}
<h3 class="minor">A quote</h3>
${members(nativeQuote)}`,
  };
}

function answers(): Section {
  return {
    id: 'answers',
    title: 'The answer',
    parts: [],
    body: html`<p>${prose('202 means that the log has everything accepted, durably. Refused elements are listed in `rejected`; if no element of a body is acceptable, the answer is 400 with the same list. With `validate=true` the answer is 200.')}</p>
${members(pushAnswer)}
<h3 class="minor">An entry of rejected</h3>
${members(rejection)}
<h3 class="minor">An entry of warnings</h3>
${members(warning)}
<h3 class="minor">A receipt</h3>
<p>${prose('`GET /v1/receipts/{receipt}` returns the progress of a push, for 24 hours.')}</p>
${members(receipt)}`,
  };
}

/** The members of a shape, with the descriptions of its schema. */
function members(shape: Shape): Markup {
  const { properties = {}, required = [] } = inlineSchema(shape) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? html`<strong><code>${name}</code></strong>` : html`<code>${name}</code>`,
    typeOf(schema),
    prose(String(schema.description ?? '')),
  ]);
  return table(['Member', 'Value', 'Meaning'], rows);
}

function typeOf(schema: JsonSchema): Markup {
  const { enum: values, type, anyOf } = schema;
  if (Array.isArray(values)) return html`${values.map(String).join(', ')}`;
  if (Array.isArray(anyOf)) {
    const kinds = new Set(
      (anyOf as JsonSchema[]).filter((each) => each.type !== 'null').map((each) => typeOf(each).text),
    );
    return html`${[...kinds].join(' or ')}`;
  }
  const kinds = [type ?? 'any'].flat().filter((each) => each !== 'null');
  return html`${kinds.join(' or ')}`;
}

function ofRoutes(routes: readonly GatewayRoute[]): Section {
  return {
    id: 'routes',
    title: 'Routes',
    parts: routes.map((route) => ({ id: route.id, title: templateOf(route).replace('/v1/sources/{source}', '…') })),
    body: html`${routes.map(routeSection)}`,
  };
}

function routeSection(route: GatewayRoute): Markup {
  const { id, summary, details, method, key, scope, query, headers, takes, path } = route;
  const chips = [
    key === 'none' || key === 'probe' ? 'no key' : 'feed key',
    ...(scope === null ? [] : [`scope ${scope}`]),
  ];
  const inPath = [...path.matchAll(/:([a-z_]+)/g)].map(
    ([, name = '']) => [name, pathParameters[name]?.description] as const,
  );
  const inQuery = query.map((name) => [name, queryParameters[name]?.description] as const);
  const inHead = headers.map((name) => [name, requestHeaders[name].description] as const);
  return html`<article>
<h3 id="${id}"><a href="#${id}">${summary.replace(/\.$/, '')}</a></h3>
<p class="route"><b>${method}</b>${templateOf(route)}</p>
<p class="chips">${chips.map((chip) => html`<span class="chip">${chip}</span>`)}</p>
${details === undefined ? nothing : html`<p>${prose(details)}</p>`}
${
  takes === null
    ? nothing
    : html`<p>Takes ${prose(
        takes.forms
          .flatMap(mediaTypesOf)
          .map((type) => `\`${type}\``)
          .join(', '),
      )}.</p>`
}
${table(
  ['Name', 'Meaning'],
  [...inPath, ...inQuery, ...inHead].map(([name, about = '']) => [html`<code>${name}</code>`, prose(about)]),
)}
${table(
  ['Status', 'Problem'],
  [...refusalsByStatus(route)].map(([status, codes]) => [status, html`${codes.map(problemLink)}`]),
)}
</article>
`;
}

function problemLink(code: GatewayProblemCode, at: number): Markup {
  return html`${at === 0 ? '' : ', '}<a href="#problem-${code}">${code}</a>`;
}

function shares(limits: FeedLimits): Section {
  return {
    id: 'shares',
    title: 'Shares',
    parts: [],
    body: html`<p>${prose(`A key may send a second ${limits.requests} requests, ${limits.bytes} bytes inflated and ${limits.elements} elements, and ${bucketSeconds} times that at once. Beyond it the answer is 429 with \`Retry-After\`, and nothing of the push was accepted. A body has to come at 16 KiB a second or more.`)}</p>`,
  };
}

function problems(routes: readonly GatewayRoute[]): Section {
  const possible = new Set(routes.flatMap((route) => [...refusalsByStatus(route).values()].flat()));
  const entries = (Object.entries(gatewayProblemTypes) as [GatewayProblemCode, ProblemType][]).filter(([code]) =>
    possible.has(code),
  );
  return {
    id: 'problems',
    title: 'Problem types',
    parts: [],
    body: html`<p>${prose('Every failure is `application/problem+json` with `type`, `title`, `status` and often `detail`. Dispatch on the `type`.')}</p>
${problemTable(entries)}`,
  };
}
