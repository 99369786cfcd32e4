// Every page and anchor that comments and pages cite exists.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { readCheckout } from '../../support/architecture/read-checkout.ts';
import { anchorsOf, type Citation, citationsIn, formerPages, linksIn } from '../../support/book/citations.ts';

const root = dirname(fileURLToPath(new URL('../..', import.meta.url)));
const own = ['tests/whole/repository/citations.unit.test.ts', 'tests/support/book/citations.ts'];
/** A migration never changes once it was applied somewhere, its comments included. */
const isMigration = (path: string): boolean => /^schemas\/catalog\/\d{4}_/.test(path);
const checkout = readCheckout(root).filter(({ path }) => !own.includes(path) && !isMigration(path));
const pages = new Map(checkout.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]));

function faultOf({ target, anchor }: Citation): string | null {
  const page = pages.get(target);
  if (page === undefined) return existsSync(`${root}/${target}`) && anchor === null ? null : `there is no ${target}`;
  return anchor === null || anchorsOf(page).includes(anchor) ? null : `${target} has no #${anchor}`;
}

function faults(path: string, cited: readonly Citation[]): string[] {
  return cited.flatMap((citation) => faultOf(citation) ?? []).map((fault) => `${path}: ${fault}`);
}

describe('what is cited of docs/', () => {
  it('is there, page and anchor', () => {
    const found = checkout.map(({ path, text }) => ({ path, cited: citationsIn(text) }));
    assert.ok(found.flatMap(({ cited }) => cited).length > 300, 'comments cite the book');
    assert.deepEqual(
      found.flatMap(({ path, cited }) => faults(path, cited)),
      [],
    );
  });

  it('is there where a page links to another', () => {
    const found = [...pages].map(([path, text]) => ({ path, cited: linksIn(path, text) }));
    assert.ok(found.flatMap(({ cited }) => cited).length > 20, 'pages link to one another');
    assert.deepEqual(
      found.flatMap(({ path, cited }) => faults(path, cited)),
      [],
    );
  });

  it('is nowhere a page that this repository does not have', () => {
    const found = checkout.flatMap(({ path, text }) =>
      [...text.replaceAll(/\b(?:docs|shared\/spec)\/[\w-]+\.md/g, '').matchAll(formerPages)]
        .filter(() => !path.startsWith('docs/'))
        .map(([words]) => `${path}: ${words}`),
    );
    assert.deepEqual(found, []);
  });

  for (const [path, text] of pages) {
    it(`has every anchor once: ${path}`, () => {
      const anchors = anchorsOf(text);
      assert.deepEqual(
        anchors.filter((anchor) => /-\d+$/.test(anchor) && anchors.includes(anchor.replace(/-\d+$/, ''))),
        [],
      );
    });
  }
});

describe('a citation', () => {
  it('is read as it is written', () => {
    assert.deepEqual(citationsIn('as docs/quotes.md#withdrawal says; docs/README.md.'), [
      { target: 'docs/quotes.md', anchor: 'withdrawal' },
      { target: 'docs/README.md', anchor: null },
    ]);
    assert.deepEqual(
      linksIn('docs/a.md', '[b](b.md#c), [here](#d), [up](../README.md), [out](https://example.com/x)'),
      [
        { target: 'docs/b.md', anchor: 'c' },
        { target: 'docs/a.md', anchor: 'd' },
        { target: 'README.md', anchor: null },
      ],
    );
  });

  it('is found by the words of its heading', () => {
    const page = '# A page\n## Half-even rounding\n```\n# no heading\n```\n### `quote_state`, and why\n## A page\n';
    assert.deepEqual(anchorsOf(page), ['a-page', 'half-even-rounding', 'quote_state-and-why', 'a-page-1']);
  });
});
