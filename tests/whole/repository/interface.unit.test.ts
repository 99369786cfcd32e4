// The table of interface.md is true and complete: each test that it names exists, and — where the interface is beside this repository —
// each of its sentences has a row, and each row a sentence. A sentence that changes has no row any more.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { sentencesOf } from '../../support/book/interface-sentences.ts';
import { faultOfTest, rowsOfTable } from '../../support/book/interface-table.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const table = readFileSync(new URL('../../interface.md', import.meta.url), 'utf8');
const rows = rowsOfTable(table);
const page = new URL('../../../../shared/spec/interface-specification.md', import.meta.url);

describe('the table of the interface', () => {
  it('names tests that exist', () => {
    assert.deepEqual(
      rows.flatMap(({ sentence, about, tests }) =>
        tests
          .map(faultOfTest)
          .filter((fault) => fault !== null)
          .map((fault) => `${sentence} ${about}: ${fault}`),
      ),
      [],
    );
  });

  it('has no row without a test or a mark, and none twice', () => {
    assert.deepEqual(
      rows.filter(({ mark, tests }) => mark === null && tests.length === 0),
      [],
    );
    assert.equal(new Set(rows.map(({ sentence }) => sentence)).size, rows.length);
    const lines = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| sentence'));
    assert.equal(lines.length, rows.length, 'every line of a table was read');
  });

  it('leaves nothing of the MSF routes to be proven elsewhere', () => {
    const theirs = rows.filter(({ section }) => /MSF/.test(section));
    assert.ok(theirs.length > 70, `${theirs.length} rows`);
    assert.deepEqual(
      theirs.filter(({ mark }) => mark !== null),
      [],
    );
  });
});

describe('the interface', skipFor(existsSync(page) ? false : 'the specification is not beside this repository'), () => {
  const sentences = existsSync(page) ? sentencesOf(readFileSync(page, 'utf8')) : [];

  it('has no sentence without a row of the table', () => {
    const known = new Set(rows.map(({ sentence }) => sentence));
    assert.deepEqual(
      sentences.filter(({ id }) => !known.has(id)),
      [],
    );
  });

  it('has a sentence for each row, in its order and under its heading', () => {
    assert.deepEqual(
      rows.map(({ sentence, section }) => ({ id: sentence, section })),
      sentences.map(({ id, section }) => ({ id, section })),
    );
  });

  it('leaves no claim where the table sees none', () => {
    const says = new Map(sentences.map(({ id, text }) => [id, text]));
    const claims = rows
      .filter(({ mark }) => mark === 'no claim')
      .map(({ sentence }) => says.get(sentence) ?? '')
      .filter((text) => /\b(must|never|always|required|rejects?|answers?|charged?|debits?|cached)\b/.test(text));
    assert.deepEqual(claims, []);
  });
});

it('a sentence that changes by a word is another one', () => {
  const before = '# Title\n\nOne. Two `three`.\n\n- Item one: yes.\n\n| a | b |\n|---|---|\n| c | d |\n';
  const said = sentencesOf(before);
  assert.deepEqual(
    said.map(({ text }) => text),
    ['One.', 'Two `three`.', 'Item one: yes.', '| c | d |'],
  );
  const changed = sentencesOf(before.replace('yes', 'no'));
  assert.deepEqual(
    changed.map(({ id }, at) => id === said[at]?.id),
    [true, true, false, true],
  );
});
