// The live page: its HTML, its style and the modules that a browser runs, as files of this folder. Made once; with a key for browsers on this
// machine only where the program that runs the API gives one (docs/interface.md#live-page).
import { readdirSync, readFileSync } from 'node:fs';
import { html, Markup } from '../../http/pages/html.ts';
import { pageMediaType, pageStyle, renderPage } from '../../http/pages/page.ts';
import { textRepresentation } from '../documents/page.ts';
import { type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfBytes } from '../http/etag.ts';

export type LivePage = {
  /** The page; `browserHere`: for a browser on this machine. */
  page(browserHere: boolean): Representation;
  /** A module by its name; undefined: there is none. */
  module(name: string): Representation | undefined;
};

/** `demoKey`: the key that a browser on this machine finds filled in; null: none. */
export function openLivePage(demoKey: string | null): LivePage {
  const browserFiles = new URL('browser/', import.meta.url);
  const modules = new Map(
    readdirSync(browserFiles).map((name) => [
      name,
      textRepresentation(withoutComments(new URL(name, browserFiles)), 'text/javascript; charset=utf-8'),
    ]),
  );
  const body = readFileSync(new URL('page.html', import.meta.url), 'utf8');
  const style = pageStyle(new URL('page.css', import.meta.url));
  const links = html`${[...modules.keys()].map((name) => html`<link rel="modulepreload" href="/page/${name}">\n`)}`;
  const start = html`<script type="module" src="/page/main.mjs"></script>\n`;
  const rendered = (key: Markup) =>
    renderPage({ title: 'Live odds', body: new Markup(body) }, { style, allows, head: html`${key}${links}${start}` });

  const shared = rendered(html``);
  const forEveryone = textRepresentation(shared.text, pageMediaType, shared.headers);
  const forBrowsersHere =
    demoKey === null ? forEveryone : neverKept(rendered(html`<meta name="key" content="${demoKey}">\n`));
  return { page: (browserHere) => (browserHere ? forBrowsersHere : forEveryone), module: (name) => modules.get(name) };
}

/** A module as browsers get it: its comments are for readers of this folder. */
function withoutComments(module: URL): string {
  let isInside = false;
  const code = readFileSync(module, 'utf8')
    .split('\n')
    .filter((line) => {
      const text = line.trim();
      const opens = text.startsWith('/**');
      const isComment = isInside || opens || text.startsWith('//');
      isInside = (isInside || opens) && !text.endsWith('*/');
      return !isComment;
    });
  return code.join('\n');
}

/** It runs its own modules and asks its own listener; text never becomes markup or code. */
const allows = [
  "script-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

function neverKept({ text, headers }: { text: string; headers: readonly string[] }): Representation {
  const body = Buffer.from(text, 'utf8');
  return represent({
    etag: etagOfBytes(body),
    size: body.length,
    mediaType: pageMediaType,
    cacheControl: cachePolicies.never,
    keyed: false,
    rows: null,
    headers,
    body: () => body,
  });
}
