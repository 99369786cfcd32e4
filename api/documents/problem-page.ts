// The page behind the `type` of a problem: cause and remedy, for programs and for people.

import { html, type Markup, prose, table } from '../../http/pages/html.ts';
import { type GatewayProblemCode, gatewayProblemTypes, type ProblemType } from '../../schemas/http/problems.ts';
import type { ProblemPage } from '../../schemas/http/service.ts';
import { problemExample } from './problem-examples.ts';

export function problemRecord(baseUrl: string, code: GatewayProblemCode): ProblemPage {
  const { title, statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
  return { type: `${baseUrl}/problems/${code}`, title, statuses: [...statuses], meaning, remedy };
}

export function problemBody(baseUrl: string, code: GatewayProblemCode): { title: string; body: Markup } {
  const { title, statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
  return {
    title: `${title} · Sports Data Service`,
    body: html`<main class="leaf">
<p class="eyebrow"><a href="/problems">Problem types</a></p>
<h1>${title}</h1>
<p><code class="name">${code}</code> ${statuses.map((status) => html`<span class="chip">${status}</span> `)}</p>
<h2>Cause</h2>
<p>${prose(meaning)}</p>
<h2>Remedy</h2>
<p>${prose(remedy)}</p>
<h2>Example</h2>
<pre tabindex="0"><code>${JSON.stringify(problemExample(baseUrl, code), null, 2)}</code></pre>
<p class="quiet">Dispatch on the <code>type</code> of a problem document, never on its title. <a href="/docs">Reference of the API</a></p>
</main>`,
  };
}

/** The list of all types. */
export function problemsBody(codes: readonly GatewayProblemCode[]): { title: string; body: Markup } {
  const rows = codes.map((code) => {
    const { statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
    const name = html`<a href="/problems/${code}"><code>${code}</code></a>`;
    return [name, statuses.join(', '), html`${prose(meaning)}<br><span class="quiet">${prose(remedy)}</span>`];
  });
  return {
    title: 'Problem types · Sports Data Service',
    body: html`<main class="sheet">
<p class="eyebrow"><a href="/docs">Reference of the API</a></p>
<h1>Problem types</h1>
<p>Of the API and of the push gateway. Dispatch on the <code>type</code> of a problem document, never on its title.</p>
${table(['Type', 'Status', 'Cause and remedy'], rows)}
</main>`,
  };
}
