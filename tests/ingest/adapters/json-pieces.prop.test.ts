// Claims: a body parsed in pieces of any size gives the same value as the whole body, or the same refusal; and its elements are counted
// correctly while it arrives in chunks of any size. A violation would need a comma or bracket within a string to cut a container, a piece
// that is JSON only by itself, a repeated member that is lost or moved, or a count that is wrong at the edge of a chunk.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { scanningJson } from '../../../core/json/scan.ts';
import type { JsonValue } from '../../../core/json/value.ts';
import { ValueCount } from '../../../core/json/value-count.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { NotJson, parsingPieces } from '../../../ingest/adapters/json-pieces.ts';
import { splitLines } from '../../../ingest/adapters/ndjson.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const names = fc.constantFrom('a', 'b', 'events', '__proto__', '7', ']},{', 'é😀');
const space = fc.constantFrom('', '', ' ', '\n ', '\t');
const { value: jsonTexts } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('null', 'true', '""', '"],{"', '"\\"\\\\,"', '"\\u005b"', '"é😀"', '1', '-0', '1e5', '12.50'),
    fc
      .tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 6 }))
      .map(([gap, items]) => `[${gap}${items.map((item) => item.join('')).join(',')}]`),
    fc
      .tuple(space, fc.array(fc.tuple(names, space, tie('value'), space), { maxLength: 6 }))
      .map(
        ([gap, members]) =>
          `{${gap}${members.map(([name, a, item, b]) => `${JSON.stringify(name)}${a}:${a}${item}${b}`).join(',')}}`,
      ),
  ),
}));

/** Valid texts, and texts with something inserted, removed or moved. */
const bodies = fc.oneof(
  fc.tuple(space, jsonTexts, space).map((parts) => parts.join('')),
  fc
    .tuple(jsonTexts, fc.nat(), fc.nat(3), fc.constantFrom('', ',', ':', '[', ']', '{', '}', '"', '0', ' ', '\\'))
    .map(([text, place, length, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + length);
    }),
  fc
    .array(fc.constantFrom('{', '}', '[', ']', '"', ',', ',', ':', '1', ' ', '"a"', '"a":[', 'null'), { maxLength: 30 })
    .map((parts) => parts.join('')),
);

type Outcome = { value: unknown } | 'malformed';

/** Numbers are compared as doubles here; core/json/json.prop tests that their texts are kept. */
function inPieces(text: string, size: number): Outcome {
  const bytes = Buffer.from(text, 'utf8');
  try {
    return { value: plain(runToEnd(parsingPieces(bytes, runToEnd(scanningJson(bytes, 32, true, size))))) };
  } catch (error) {
    assert.ok(error instanceof NotJson, String(error));
    return 'malformed';
  }
}

function whole(text: string): Outcome {
  try {
    return { value: plain(JSON.parse(Buffer.from(text, 'utf8').toString()) as JsonValue) };
  } catch {
    return 'malformed';
  }
}

function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if ('text' in value && value.constructor !== Object) return Number(value.text);
  return Object.entries(value).map(([name, item]) => [name, plain(item as JsonValue)]);
}

describe('a body in pieces', () => {
  it('is the body as a whole, or malformed as that is', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 24 }), (text, size) => {
        assert.deepEqual(inPieces(text, size), whole(text));
      }),
      { numRuns: cases(6_000) },
    );
  });

  it('has its long texts as they are, or is malformed as they are', () => {
    const texts = ['é😀', '\\n', '\\u00e9', '\\ud800', '\\"', '"', '\\', '\n', '\u0001', '"x"', '\\q'].flatMap((put) =>
      ['', 'y', 'y'.repeat(70_000)].map((behind) => `"${'x'.repeat(70_000)}${put}${behind}"`),
    );
    for (const text of [...texts, `"${'x'.repeat(70_000)}`, `"${'x'.repeat(70_000)}" 1`])
      for (const body of [
        text,
        `[${text}]`,
        `{"a":${text}}`,
        ` { "b" : 1 , "a" : ${text} , "b" : ${text} } `,
        `{"a":[1,{"__proto__":${text}}],"a":2}`,
        `{a:${text}}`,
      ])
        assert.ok(isDeepStrictEqual(inPieces(body, 16 * 1024), whole(body)), body.replaceAll(/x+/g, 'x'));
  });

  it('names the line and column of what is wrong', () => {
    const lines = ['{"events":[', ...Array.from({ length: 40 }, (_, at) => `{"é":${at}},`), '{"é":nil}]}'];
    const bytes = Buffer.from(lines.join('\n'), 'utf8');
    const parse = () => runToEnd(parsingPieces(bytes, runToEnd(scanningJson(bytes, 32, true, 16))));
    assert.throws(parse, /not JSON \(line 42, column [67]\)/);
  });

  it('is given up between any two pieces, and takes a step for each', () => {
    const bytes = Buffer.from(`[${Array.from({ length: 100 }, (_, at) => `{"a":${at}}`).join()}]`);
    const steps = parsingPieces(bytes, runToEnd(scanningJson(bytes, 32, true, 16)));
    let taken = 0;
    while (steps.next().done !== true) taken += 1;
    assert.ok(taken >= 50, `${taken} steps`);
  });
});

describe('what a body holds', () => {
  const chunked = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 });
  const count = (form: 'json' | 'ndjson', text: string, sizes: readonly number[]): ValueCount => {
    const counted = new ValueCount(form);
    const bytes = Buffer.from(text, 'utf8');
    let from = 0;
    for (const size of sizes) {
      counted.add(bytes.subarray(from, from + size));
      from += Math.min(size, bytes.length - from);
    }
    counted.add(bytes.subarray(from));
    return counted;
  };

  it('is counted as it is parsed, in whatever chunks it comes', () => {
    fc.assert(
      fc.property(jsonTexts, chunked, (text, sizes) => {
        const counted = count('json', text, sizes);
        const spans = runToEnd(scanningJson(Buffer.from(text), 1_000, true));
        const value = JSON.parse(text) as unknown;
        // Of members with one name the last is read, but each is counted.
        if (Array.isArray(value)) assert.equal(counted.elements, value.length);
        else if (Object.keys((value ?? {}) as object).length <= 1 || !text.includes('"events"'))
          assert.ok(counted.elements >= [...spans.members.values()].reduce((sum, list) => sum + list.length, 0));
        assert.equal(counted.separators, text.replaceAll(/"(\\.|[^"\\])*"/g, '').replaceAll(/[^,{[]/g, '').length);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it('in lines is the lines that are not blank', () => {
    const line = fc.constantFrom('', ' ', '\t\r', '{}', ' [1,2]', '"a', '"\\', 'x,y', '{"a":"\\""}');
    fc.assert(
      fc.property(fc.array(line), chunked, (lines, sizes) => {
        const text = lines.join('\n');
        assert.equal(count('ndjson', text, sizes).elements, runToEnd(splitLines(Buffer.from(text))).length);
      }),
      { numRuns: cases(1_000) },
    );
  });
});
