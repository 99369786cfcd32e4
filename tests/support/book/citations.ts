// Finds citations of the book: pages of docs/ and their anchors, as comments write them (`docs/quotes.md#withdrawal`)
// and as pages link to each other. Does not look at what a page says.
import { posix } from 'node:path';

/** `target`: the cited page, from the top of the repository. `anchor`: null if the whole page is cited. */
export type Citation = { target: string; anchor: string | null };

/** Anchors of the headings of a Markdown page, as GitHub makes them. */
export function anchorsOf(page: string): string[] {
  const headings = page.replaceAll(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm);
  const seen = new Map<string, number>();
  return [...headings].map(([, heading]) => {
    const anchor = slugOf(heading as string);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

function slugOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
}

/** Every page and anchor of docs/ that a text names. */
export function citationsIn(text: string): Citation[] {
  return [...text.matchAll(/\bdocs\/([A-Za-z][\w-]*\.md)(?:#([\w-]+))?/g)].map(([, page, anchor]) => ({
    target: `docs/${page}`,
    anchor: anchor ?? null,
  }));
}

/** Every link of a Markdown page into this repository. `path`: the page's own. */
export function linksIn(path: string, text: string): Citation[] {
  const links = text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^()\s#:]*)(?:#([\w-]+))?\)/g);
  return [...links].map(([, to, anchor]) => ({
    target: to === '' ? path : posix.normalize(posix.join(posix.dirname(path), to as string)),
    anchor: anchor ?? null,
  }));
}

/** References to earlier pages, from before docs/, and to rules by number: this repository has neither. */
export const formerPages =
  /\b(?:decisions|quotes|msf|settlement|columns|operations|reliability|architecture|style|interface-specification|real-services)\.md\b|\bdecisions? \d+\b/g;
