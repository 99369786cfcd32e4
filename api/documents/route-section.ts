// One route in the reference: what a client may send, what it returns, and what it costs.

import { html, type Markup, nothing, prose, table } from '../../http/pages/html.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import type { JsonSchema } from '../../schemas/http/json-schema.ts';
import type { ProblemCode } from '../../schemas/http/problems.ts';
import { cachePolicies } from '../http/caching.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { bodyName } from './bodies.ts';
import { type ParameterFacts, parametersOf, templateOf } from './operations.ts';
import { refusalsByStatus } from './refusals.ts';
import { samples } from './samples.ts';

export function routeSection(route: RouteFacts, datasets: readonly Dataset[]): Markup {
  const { id, summary, details } = route;
  const parameters = parametersOf(route, datasets);
  return html`<article>
<h3 id="${id}"><a href="#${id}">${summary.replace(/\.$/, '')}</a></h3>
<p class="route"><b>GET</b>${pathOf(route)}</p>
<p class="chips">${chipsOf(route).map((chip) => html`<span class="chip">${chip}</span>`)}</p>
${details === undefined ? nothing : html`<p>${prose(details)}</p>`}
${parameters.length === 0 ? nothing : html`<h4>Parameters</h4>\n${table(['Name', 'Value', 'Meaning'], parameters.map(parameterRow))}`}
<h4>Answers</h4>
${table(['Status', 'Answer'], answersOf(route))}
${sampleSection(route)}
</article>
`;
}

function pathOf(route: RouteFacts): Markup {
  const parts = templateOf(route).split(/(\{[a-z_]+\})/);
  return html`${parts.map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part))}`;
}

const costs: Readonly<Record<RouteFacts['charge'], string>> = {
  free: 'free',
  'live-rows': 'each row once a month',
  'board-rows': 'rows × weight of boards',
  'file-rows': 'all rows at every read',
  'odds-rows': 'rows of boards × their weight; of the past, rows',
};

function chipsOf(route: RouteFacts): readonly string[] {
  const waits = route.waits ? ['Prefer: wait'] : [];
  return [route.class.key ? 'API key' : 'no key', costs[route.charge], cachePolicies[route.cache], ...waits];
}

function parameterRow({ name, in: place, required, description, schema }: ParameterFacts): readonly Markup[] {
  const needed = place === 'query' && required ? html`<span class="quiet">, required</span>` : nothing;
  return [html`<code>${name}</code>`, html`${shownValue(schema)}${needed}`, prose(description)];
}

/** The values of a parameter, in few words. */
function shownValue(schema: JsonSchema): Markup {
  const { enum: values, minimum, maximum, default: usual, format, type } = schema;
  if (Array.isArray(values)) {
    return values.length > 12
      ? html`one of <a href="#problems">these</a>`
      : html`${values.map((value, at) => html`${at === 0 ? '' : ', '}${String(value)}`)}`;
  }
  const bounds = typeof maximum === 'number' && maximum <= 10_000 ? ` ${String(minimum)} to ${maximum}` : '';
  return html`${String(format ?? type)}${bounds}${usual === undefined ? '' : html`<span class="quiet">, default ${String(usual)}</span>`}`;
}

function answersOf(route: RouteFacts): readonly (readonly Markup[])[] {
  const failures = [...refusalsByStatus(route, 'GET')]
    .map(([status, codes]) => [status, codes.filter((code) => !ofAllRoutes.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  return [
    [html`200`, successOf(route)],
    ...(route.class.file ? [[html`206`, html`The byte range that was asked for.`]] : []),
    ...(route.cache === 'never' ? [] : [[html`304`, html`Unchanged: <code>If-None-Match</code> names it.`]]),
    ...failures.map(([status, codes]) => [html`${status}`, html`${codes.map(problemLink)}`]),
  ];
}

/** Answers that any route may give are described once, under the rules of all routes. */
const ofAllRoutes: ReadonlySet<ProblemCode> = new Set(['malformed-request', 'internal-error']);

function problemLink(code: ProblemCode, at: number): Markup {
  return html`${at === 0 ? '' : ', '}<a href="#problem-${code}">${code}</a>`;
}

function successOf(route: RouteFacts): Markup {
  const body = route.answers[200];
  if (body === 'parquet')
    return html`Parquet, with <code>X-Service-Rowcount</code>${route.versioned ? html`, <code>X-Service-Artifact-Version</code>` : nothing} and <code>X-Service-Debited</code>.`;
  if (body === 'text/html') return html`A page.`;
  if (body === 'text/plain') return html`Plain text.`;
  if (body === 'text/javascript') return html`A module of JavaScript.`;
  if (body === 'text/event-stream') return html`A stream of events (<code>text/event-stream</code>).`;
  if (route.class.charged)
    return html`${bodyName(body, route.path)}, JSON, with <code>X-Service-Rowcount</code> and <code>X-Service-Debited</code>.`;
  return html`${bodyName(body, route.path)}, JSON${route.page ? ', or a page' : ''}.`;
}

function sampleSection(route: RouteFacts): Markup {
  const body = route.answers[200];
  const sample = typeof body === 'string' ? undefined : samples[bodyName(body, route.path)];
  if (sample === undefined) return nothing;
  return html`<details><summary>Example of a 200</summary>
<pre tabindex="0"><code>${JSON.stringify(sample, null, 2)}</code></pre></details>`;
}
