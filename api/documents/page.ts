// An HTML page: one style sheet within it, nothing from elsewhere, and a policy that lets a browser load and run nothing else.
import { createHash } from 'node:crypto';
import { type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfBytes } from '../http/etag.ts';
import { html, Markup } from './html.ts';

type RenderPage = (page: { title: string; body: Markup; headers?: readonly string[] }) => Representation;

/** Pages in the style of `style`, a style sheet. */
export function pageRenderer(style: string): RenderPage {
  const digest = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const security = ['Content-Security-Policy', policy];

  return ({ title, body, headers = [] }) => {
    const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${new Markup(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
    return textRepresentation(text, 'text/html; charset=utf-8', [...security, ...headers]);
  };
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b6e4f"/><path d="M3 11l3-4 3 2 4-5" fill="none" stroke="#fff" stroke-width="1.6"/></svg>',
)}`;

/** Text that any cache may store, as it is served. */
export function textRepresentation(text: string, mediaType: string, headers: readonly string[] = []): Representation {
  const body = Buffer.from(text, 'utf8');
  return represent({
    etag: etagOfBytes(body),
    size: body.length,
    mediaType,
    cacheControl: cachePolicies.public,
    keyed: false,
    rows: null,
    headers,
    body: () => body,
  });
}
