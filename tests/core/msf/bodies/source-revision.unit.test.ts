// The identity of a body's content (docs/revisions.md#observations): the vectors, and that it ignores what each poll changes.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../../../../core/json/value.ts';
import { elementOf } from '../../../../core/msf/bodies/element.ts';
import { readText } from '../../../../core/msf/bodies/element-text.ts';
import { parseJsonElement } from '../../../../ingest/adapters/json-body.ts';
import { sourceRevision } from '../../../support/builders/in-one-go.ts';
import { msfVectors } from '../../../support/vectors/msf-vectors.ts';

type RevisionCase = {
  name: string;
  rule: string;
  element: JsonObject;
  expect: { canonical: string; source_revision: string };
};

describe('source revision vectors of the specification', () => {
  for (const { name, rule, element, expect } of msfVectors<RevisionCase>('source-revision')) {
    it(`${name}: ${rule}`, () => {
      assert.equal(canonicalJson(elementOf(element)), expect.canonical);
      assert.equal(sourceRevision(element), expect.source_revision);
      assert.equal(readText('playbyplay', 'NBA', element, null).sourceRevision, expect.source_revision);
      assert.equal(sourceRevision(JSON.parse(expect.canonical) as JsonValue), expect.source_revision);
    });
  }
});

describe('the source revision', () => {
  const revision = sourceRevision({ n: 2, plays: [] });
  const alike: readonly JsonValue[] = [
    { plays: [], n: 2 },
    { n: new JsonNumber('2.0'), plays: [] },
    { n: new JsonNumber('2.0000000000000000001'), plays: [] },
    { lastUpdatedOn: 'x', references: { a: 1 }, n: 2, plays: [] },
  ];
  it('is of the content', () => {
    for (const element of alike) assert.equal(sourceRevision(element), revision);
  });
  it('is another for any other content', () => {
    const others: readonly JsonValue[] = [
      { n: 2.5, plays: [] },
      { n: '2', plays: [] },
      { n: 2, plays: null },
      { n: 2 },
      { n: 2, plays: [], references2: null },
      { n: 2, plays: [{ references: null }] },
      [],
      null,
    ];
    for (const element of others) assert.notEqual(sourceRevision(element), revision);
  });
  it('knows members of any name', () => {
    const read = parseJsonElement(new TextEncoder().encode('{"__proto__":{"a":1},"n":2,"plays":[]}'));
    assert.ok(read.kind === 'parsed');
    assert.notEqual(sourceRevision(read.value), revision);
    assert.equal(canonicalJson(elementOf(read.value as JsonObject)), '{"__proto__":{"a":1},"n":2,"plays":[]}');
  });
});
