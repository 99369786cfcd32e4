// JSON values written again in steps: the same text as at once, a long one in UTF-8, wherever its pieces are cut.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { it } from 'vitest';
import { JsonNumber, type JsonValue } from '../../../core/json/value.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { jsonText, writingJson } from '../../../ingest/adapters/json-text.ts';

function written(value: JsonValue): { text: string; isLong: boolean } {
  const text = runToEnd(writingJson(value, false));
  return { text: typeof text === 'string' ? text : Buffer.from(text).toString(), isLong: typeof text !== 'string' };
}

const entry = (index: number): JsonValue => ({
  id: index,
  empty: [],
  none: {},
  odds: new JsonNumber('1.10'),
  name: 'é"',
});

it('writes a short value as a string', () => {
  for (const value of [
    null,
    true,
    'a',
    1,
    [],
    {},
    [[], {}],
    { list: [entry(0), [], {}], other: { a: { b: { c: [1] } } } },
  ])
    assert.deepEqual(written(value), { text: jsonText(value), isLong: false });
});

it('writes a long value in UTF-8', () => {
  const value = { stamp: 'now', list: Array.from({ length: 10_000 }, (_, index) => entry(index)) };
  assert.deepEqual(written(value), { text: jsonText(value), isLong: true });
});

it('cuts no character of a long text in two', () => {
  for (const before of ['', 'a']) {
    const value = { text: before + '😀'.repeat(300_000) };
    assert.deepEqual(written(value), { text: jsonText(value), isLong: true });
  }
});

it('writes a long text with its escapes, wherever it is cut', () => {
  for (const each of ['"', '\\', '\n', '\u0001', 'é', '\ud800', '\ude00', 'a"😀\ud800'])
    for (const value of [each.repeat(200_000), `a${each.repeat(200_000)}`, { text: [each.repeat(200_000)] }])
      assert.ok(isDeepStrictEqual(written(value), { text: jsonText(value), isLong: true }), each);
});
