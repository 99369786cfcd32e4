// JSON as others write it means the same whatever was parsed before it, of whatever sender. A violation is a member under the name of another.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { describe, it } from 'vitest';
import { parseJson } from '../../../core/json/parse-json.ts';

/** Names that begin alike, also as others write them. */
const names = fc.oneof(
  fc.constantFrom('k', 'kind', 'k\\', 'k\\u0', 'k\\u006', 'k"', 'k\n', 'k\\n', '', '1', 'n0', 'é😀'),
  fc.string({ unit: fc.constantFrom('k', 'i', '\\', 'u', '0', '6', '"', '\n'), maxLength: 5 }),
);

/** The name as JSON, with as many escapes as one likes. */
const written = fc.tuple(names, fc.infiniteStream(fc.boolean())).map(([name, escapes]) => {
  const units = Array.from({ length: name.length }, (_, at) => name[at] as string);
  const texts = units.map((unit) =>
    escapes.next().value === true
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(unit).slice(1, -1),
  );
  return `"${texts.join('')}"`;
});

const { json: texts } = fc.letrec<{ json: string; object: string; array: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 3 }, written, fc.constantFrom('1', 'null', 'true'), tie('object'), tie('array')),
  object: fc
    .array(fc.tuple(written, fc.constantFrom('', ' ', '\n\t'), tie('json')), { maxLength: 4 })
    .map((members) => `{${members.map(([name, space, value]) => `${name}${space}:${space}${value}`).join(',')}}`),
  array: fc.array(tie('json'), { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`),
}));

function independently(text: string): unknown {
  return parseLossless(text, undefined, { parseNumber: Number, onDuplicateKey: ({ newValue }) => newValue });
}

describe('a text', () => {
  it('is read as it is written, whatever was read before it', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), texts, (before, text) => {
        for (const each of before) JSON.parse(each);
        assert.equal(JSON.stringify(parseJson(text)), JSON.stringify(independently(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps a name with an escape though an earlier name was written like its beginning', () => {
    JSON.parse('{"g":0,"k\\\\u0":1}');
    assert.deepEqual(parseJson('{"g":0,"k\\u0069nd":"image"}'), { g: 0, kind: 'image' });
    JSON.parse('{"yards":1,"note\\\\":1}');
    assert.deepEqual(parseJson('[{"yards":1,"note\\n" : 1}]'), [{ yards: 1, 'note\n': 1 }]);
  });

  it('has __proto__ as a member like any other, also with an escape', () => {
    const value = parseJson('{"__pr\\u006fto__":{"kind":"image"}}');
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
    assert.equal(JSON.stringify(value), '{"__proto__":{"kind":"image"}}');
  });

  it('that is no JSON is refused at its place, as JSON.parse does', () => {
    for (const text of [
      '{"a\\n":1,}',
      '{"a\\x":1}',
      '{"a\\',
      '{"a\\u00":1}',
      '{"a\\n":1} 2',
      '["a\\n":1]',
      '"a\\n":',
    ]) {
      let fault: unknown;
      try {
        JSON.parse(text);
      } catch (error) {
        fault = error;
      }
      assert.ok(fault instanceof SyntaxError, text);
      assert.throws(() => parseJson(text), { name: 'SyntaxError', message: fault.message }, text);
    }
  });
});
