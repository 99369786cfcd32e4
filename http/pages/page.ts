// An HTML page with its style sheet and script inline and nothing from elsewhere, and a policy that lets a browser load and run nothing
// else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Markup } from './html.ts';

export type PageContent = { title: string; body: Markup };

/** `headers`: the page's header fields, names and values alternating. */
export type RenderedPage = { text: string; headers: readonly string[] };

export const pageMediaType = 'text/html; charset=utf-8';

/** The colours of all pages. */
const theme = readFileSync(new URL('theme.css', import.meta.url), 'utf8');
const reference = pageStyle(new URL('style.css', import.meta.url));
/** What a browser adds to the reference. */
const ofReference = pageScript(new URL('reference.mjs', import.meta.url));

/** A style sheet, including the colours, and the hash by which the policy allows it. */
export type PageStyle = { readonly text: string; readonly source: string };

export function pageStyle(file: URL): PageStyle {
  const text = theme + readFileSync(file, 'utf8');
  return { text, source: hashSource(text) };
}

/** A script that stands in its page: an element of the head, and the directives by which a policy lets it run, and nothing become code. */
export type PageScript = { readonly element: Markup; readonly allows: readonly string[] };

export function pageScript(file: URL): PageScript {
  const text = readFileSync(file, 'utf8');
  const allows = [`script-src ${hashSource(text)}`, "require-trusted-types-for 'script'", "trusted-types 'none'"];
  return { element: html`<script type="module">${new Markup(text)}</script>\n`, allows };
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export type PageOptions = {
  /** Left out: the style of the reference pages. */
  style?: PageStyle;
  /** What the page may do beyond displaying itself, as directives of its policy; left out: run the reference script. */
  allows?: readonly string[];
  /** Elements of its head. */
  head?: Markup;
};

export function renderPage(
  { title, body }: PageContent,
  { style = reference, allows = ofReference.allows, head = ofReference.element }: PageOptions = {},
): RenderedPage {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
${head}<style>${new Markup(style.text)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  const directives = [
    "default-src 'none'",
    `style-src ${style.source}`,
    'img-src data:',
    ...allows,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { text, headers: ['Content-Security-Policy', directives.join('; ')] };
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b6e4f"/><path d="M3 11l3-4 3 2 4-5" fill="none" stroke="#fff" stroke-width="1.6"/></svg>',
)}`;

/** A section of a page, with its entries in the table of contents. */
export type Section = { id: string; title: string; parts: readonly { id: string; title: string }[]; body: Markup };

/** The body of a page with a table of contents at its side. */
export function layout({
  title,
  lead,
  sections,
}: {
  title: string;
  lead: string;
  sections: readonly Section[];
}): Markup {
  return html`<div class="layout">
<nav aria-label="Contents">
<a class="brand" href="#top">${title}</a>
<ul>${sections.map(
    ({ id, title, parts }) =>
      html`<li><a href="#${id}">${title}</a><ul>${parts.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>`)}</ul></li>\n`,
  )}</ul>
</nav>
<main id="top">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${sections.map(({ id, title, body }) => html`<section>\n<h2 id="${id}"><a href="#${id}">${title}</a></h2>\n${body}\n</section>\n`)}
</main>
</div>`;
}
