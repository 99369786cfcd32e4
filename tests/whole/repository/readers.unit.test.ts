// The table of readers.md is true and complete: each sentence of the pages for readers has a row under its page and heading, in order, and
// each test that a row names exists. A sentence that changes has no row any more.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { sentencesOf, unwrapped } from '../../support/book/interface-sentences.ts';
import { faultOfTest, type Row, rowsOfTable } from '../../support/book/interface-table.ts';
import { readersPages } from '../../support/book/readers-pages.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The rows of the table by the page that they are about. */
const tables = new Map<string, readonly Row[]>(
  read('tests/readers.md')
    .split(/^# (?=docs\/)/m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), rowsOfTable(part)]),
);

describe('the table of the pages for readers', () => {
  it('is about these pages', () => {
    assert.deepEqual(
      [...tables.keys()],
      readersPages.map(({ page }) => page),
    );
  });

  for (const { page, sections } of readersPages) {
    it(`has a row for each sentence of ${page}, in its order and under its heading`, () => {
      const said = sentencesOf(unwrapped(read(page))).filter(({ section }) => sections?.includes(section) ?? true);
      for (const section of sections ?? [])
        assert.ok(
          said.some((each) => each.section === section),
          section,
        );
      assert.deepEqual(
        tables.get(page)?.map(({ sentence, section }) => ({ id: sentence, section })),
        said.map(({ id, section }) => ({ id, section })),
      );
    });

    it(`names tests that exist, for ${page}`, () => {
      const faults = (tables.get(page) ?? []).flatMap(({ sentence, about, mark, tests }) => {
        if (mark === null && tests.length === 0) return [`${sentence} ${about}: no test`];
        return tests
          .map(faultOfTest)
          .filter((fault) => fault !== null)
          .map((fault) => `${sentence} ${about}: ${fault}`);
      });
      assert.deepEqual(faults, []);
    });

    it(`leaves no claim of ${page} where the table sees none`, () => {
      const unproven = new Set(
        (tables.get(page) ?? []).filter(({ mark }) => mark !== null).map(({ sentence }) => sentence),
      );
      const claims = sentencesOf(unwrapped(read(page)))
        .filter(({ id }) => unproven.has(id))
        .filter(({ text }) => /\b(must|never|always|required|rejects?|charged?|debits?|cached)\b/.test(text));
      assert.deepEqual(claims, []);
    });
  }
});

it('a page is read by its sentences, however its lines are wrapped', () => {
  const page =
    '# Title\n\nOne\nsentence. Two.\n\n- An item\n  of two lines.\n\n```sh\ncode\n```\n\n| a | b |\n|---|---|\n| c | d |\n';
  assert.deepEqual(
    sentencesOf(unwrapped(page)).map(({ text }) => text),
    ['One sentence.', 'Two.', 'An item of two lines.', '| c | d |'],
  );
});

it('a case of the conformance suite is a test of the files that play it, and of no other', () => {
  const name = 'does not follow a redirect';
  const [played, other] = ['clients/conformance/typescript.e2e.test.ts', 'clients/typescript/package.e2e.test.ts'];
  assert.equal(faultOfTest({ file: played, name }), null);
  assert.match(faultOfTest({ file: played, name: 'follows a redirect' }) ?? '', /no test of the name/);
  assert.match(faultOfTest({ file: other, name }) ?? '', /no test of the name/);
});
