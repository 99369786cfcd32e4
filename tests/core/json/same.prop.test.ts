// Claims: values are the same exactly where they are written the same; a hash of texts in pieces is the hash of the text. Violations would need a
// name that is found where it is not, a member that is passed over, or a piece that is cut where a character is.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { JsonComparer } from '../../../core/json/same.ts';
import { type Hashed, hashTexts } from '../../../core/json/text-hash.ts';
import type { JsonValue } from '../../../core/json/value.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const names = fc.constantFrom('a', 'b', '0', '1', '', '__proto__', 'constructor', 'toString');
const leaves = fc.constantFrom('null', 'true', '0', '1', '-0.5', '""', '"a"', '"\\ud800"');
const { value: texts } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 3, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
}));

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

describe('values', () => {
  // The same comparer for all pairs: nothing of one pair may affect the next.
  const comparer = new JsonComparer();

  it('are the same where they are written the same', () => {
    let same = 0;
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [one, other] = [parse(a), parse(b)];
        const expected = JSON.stringify(one) === JSON.stringify(other);
        assert.equal(comparer.isSame(one, other), expected, `${a} and ${b}`);
        assert.ok(comparer.isSame(one, parse(a)), a);
        if (expected) same += 1;
      }),
      { numRuns: cases(3_000) },
    );
    assert.ok(same > cases(30), `${same} pairs were the same`);
  });

  it('differ when one has a member that the other only inherits', () => {
    const own = parse('{"__proto__":{},"a":1}');
    for (const text of ['{"b":1,"a":1}', '{"a":1,"b":{}}', '{"a":1}', '{}', '[]', '{"a":1,"__proto__":{}}']) {
      assert.ok(!comparer.isSame(own, parse(text)), text);
      assert.ok(!comparer.isSame(parse(text), own), text);
    }
  });
});

describe('the hash of texts', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.constantFrom('x', '€', '😀'), fc.nat(40_000)).map(([letter, count]) => letter.repeat(count)),
    ),
    { maxLength: 8 },
  );
  const textOf = (text: string) => text;
  const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

  it('is that of the text, and of its lines, whatever was hashed before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pieces, fc.nat(8), fc.nat(8)), { maxLength: 4 }), (turns) => {
        let [text, lines]: (Hashed<string> | null)[] = [null, null];
        let parts: string[] = [];
        for (const [more, at, cut] of turns) {
          parts = parts.toSpliced(at, cut, ...more);
          text = hashTexts(parts, { textOf, inLines: false }, text);
          lines = hashTexts(parts, { textOf, inLines: true }, lines);
          assert.equal(text.sha256, sha256(parts.join('')));
          assert.equal(lines.sha256, sha256(parts.map((line) => `${line}\n`).join('')));
        }
      }),
    );
  });
});
