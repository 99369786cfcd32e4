// Claims: bodies parse to what was written, whichever parser reads them; the outline finds the elements that JSON.parse finds;
// the canonical form is the one of an independent implementation. Violations would need a number that the outline calls plain
// and String does not write back, a bracket counted inside a string, or a member order that is not UTF-16's.
import assert from 'node:assert/strict';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { describe, it } from 'vitest';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { JsonNumber, type JsonValue, numberText } from '../../../core/json/value.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parsingJsonBody } from '../../../ingest/adapters/json-body.ts';
import { scanJson } from '../../support/builders/in-one-go.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

/** Number texts of JSON's grammar, many of them at the limits of what a double preserves. */
const numberTexts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom('1', '9'), digits(0, 18)).map(([first, rest]) => first + rest),
    ),
    fc.option(fc.oneof(digits(1, 8), digits(1, 20), fc.constantFrom('5', '50', '000001', '0000001')), { nil: null }),
    fc.option(fc.constantFrom('e5', 'E+2', 'e-7', 'e0', 'e400'), { nil: null, freq: 6 }),
  )
  .map(
    ([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
  );

const space = fc.constantFrom('', '', ' ', '\n', '\t ');

/** JSON texts in free form: white space, escapes, nesting, odd names. */
const { value: jsonTexts } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('null', 'true', 'false', '""', '"],{"', '"\\"\\\\"', '"\\u00e9"', '"é😀"'),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    numberTexts,
    fc
      .tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.map((item) => item.join('')).join(',')}]`),
    fc
      .tuple(space, fc.array(fc.tuple(fc.string(), space, tie('value'), space), { maxLength: 4 }))
      .map(
        ([gap, members]) =>
          `{${gap}${members.map(([name, a, item, b]) => `${JSON.stringify(name)}${a}:${item}${b}`).join(',')}}`,
      ),
  ),
}));

function parse(text: string): JsonValue {
  const result = runToEnd(parsingJsonBody(Buffer.from(text, 'utf8')));
  if (result.kind === 'malformed') throw new Error(result.detail);
  return result.value;
}

/** Turns numbers into their texts, so that two readers can be compared. */
function textual(value: JsonValue): unknown {
  const number = numberText(value);
  if (number !== null) return { number };
  if (Array.isArray(value)) return value.map(textual);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value).map(([name, item]) => [name, textual(item as JsonValue)]);
}

function losslessly(text: string): JsonValue {
  return parseLossless(text, undefined, {
    parseNumber: (number) => new JsonNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as JsonValue;
}

describe('JSON bodies', () => {
  it('keep the text of every number', () => {
    fc.assert(
      fc.property(numberTexts, (text) => {
        const [number] = parse(`[${text}]`) as JsonValue[];
        assert.equal(numberText(number as JsonValue), text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('mean the same to both parsers', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => assert.deepEqual(textual(parse(text)), textual(losslessly(text)))),
      { numRuns: 500 },
    );
  });

  it('have the elements that the outline finds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(space, jsonTexts, space), { maxLength: 5 }), fc.boolean(), (items, wrapped) => {
        const list = `[${items.map((item) => item.join('')).join(',')}]`;
        const bytes = Buffer.from(wrapped ? `{"x":[1],"events" : ${list},"y":"[2]"}` : list, 'utf8');
        const outline = scanJson(bytes, 32, true);
        const spans = wrapped ? outline.members.get('events') : outline.elements;
        assert.deepEqual(
          spans?.map(({ start, end }) => bytes.toString('utf8', start, end)),
          items.map(([, text]) => text),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('never make the parser throw, whatever the bytes', () => {
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', '1', '-', '.', 'e', 'null', ' ', 'é', '"events"'),
    );
    fc.assert(
      fc.property(soup, (parts) => void runToEnd(parsingJsonBody(Buffer.from(parts.join(''), 'utf8')))),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void runToEnd(parsingJsonBody(bytes))),
      { numRuns: 2_000 },
    );
  });

  it('have the canonical form of an independent implementation', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const plain: unknown = JSON.parse(text);
        let expected: string | undefined;
        try {
          expected = canonicalize(plain);
        } catch {
          return; // the RFC has no form for numbers beyond a double and for invalid Unicode
        }
        assert.equal(canonicalJson(parse(text)), expected);
      }),
      { numRuns: 500 },
    );
  });
});
