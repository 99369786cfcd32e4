// The page behind the `type` of a problem: cause and remedy, for programs and for people.

import { html, type Markup, prose } from '../../http/pages/html.ts';
import { type GatewayProblemCode, gatewayProblemTypes, type ProblemType } from '../../schemas/http/problems.ts';
import type { ProblemPage } from '../../schemas/http/service.ts';

export function problemRecord(baseUrl: string, code: GatewayProblemCode): ProblemPage {
  const { title, statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
  return { type: `${baseUrl}/problems/${code}`, title, statuses: [...statuses], meaning, remedy };
}

export function problemBody(code: GatewayProblemCode): { title: string; body: Markup } {
  const { title, statuses, meaning, remedy }: ProblemType = gatewayProblemTypes[code];
  return {
    title: `${title} · Sports Data Service`,
    body: html`<main class="leaf">
<p class="eyebrow"><a href="/docs#problems">Problem types</a></p>
<h1>${title}</h1>
<p><code class="name">${code}</code> ${statuses.map((status) => html`<span class="chip">${status}</span> `)}</p>
<h2>Cause</h2>
<p>${prose(meaning)}</p>
<h2>Remedy</h2>
<p>${prose(remedy)}</p>
<p class="quiet">Dispatch on the <code>type</code> of a problem document, never on its title. <a href="/docs">Reference of the API</a></p>
</main>`,
  };
}
