import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { canonicalJson, canonicalSha256 } from '../../../core/json/canonical.ts';
import { isJsonObject, JsonNumber, type JsonValue, memberOf, numberText } from '../../../core/json/value.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseJsonElement, parsingJsonBody } from '../../../ingest/adapters/json-body.ts';
import { splitLines } from '../../../ingest/adapters/ndjson.ts';
import { scanJson } from '../../support/builders/in-one-go.ts';

const bytesOf = (text: string) => Buffer.from(text, 'utf8');

function parsed(text: string): JsonValue {
  const result = runToEnd(parsingJsonBody(bytesOf(text)));
  assert.equal(result.kind, 'parsed', result.kind === 'malformed' ? result.detail : '');
  return (result as { value: JsonValue }).value;
}

function detail(body: string | Uint8Array): string {
  const result = runToEnd(parsingJsonBody(typeof body === 'string' ? bytesOf(body) : body));
  assert.equal(result.kind, 'malformed');
  return (result as { detail: string }).detail;
}

describe('numbers keep their text', () => {
  const texts = [
    '-110',
    '-110.0',
    '1.2e2',
    '2.50000',
    '2.00005000000000000000001',
    '-0.0',
    '-0',
    '0',
    '1e400',
    '1E-7',
    '0.000001',
    '0.0000001',
    '123456789012345',
    '1234567890123456',
    '0.1',
    '100000.000001',
    '9007199254740993',
    '1e999999999999',
  ];
  for (const text of texts) {
    it(text, () => {
      const value = parsed(`{"a":[${text}]}`) as { a: JsonValue[] };
      assert.equal(numberText(value.a[0] as JsonValue), text);
    });
  }
});

describe('objects', () => {
  it('have __proto__ as a member like any other, in either parser', () => {
    for (const number of ['1', '1.0']) {
      const value = parsed(`{"__proto__":{"kind":"image"},"n":${number}}`);
      assert.ok(isJsonObject(value));
      assert.equal(memberOf(value, 'kind'), null);
      assert.ok(isJsonObject(memberOf(value, '__proto__')));
      assert.equal(canonicalJson(value), '{"__proto__":{"kind":"image"},"n":1}');
    }
  });

  it('do not inherit members', () => {
    const value = parsed('{}');
    assert.ok(isJsonObject(value));
    for (const name of ['constructor', 'toString', '__proto__']) assert.equal(memberOf(value, name), null);
  });

  it('keep the last of equal names, in either parser', () => {
    assert.equal(canonicalJson(parsed('{"a":1,"b":[2],"a":{"c":3}}')), '{"a":{"c":3},"b":[2]}');
    assert.equal(canonicalJson(parsed('{"a":1.0,"b":[2],"a":{"c":3}}')), '{"a":{"c":3},"b":[2]}');
  });

  it('are not numbers', () => {
    assert.equal(numberText(parsed('{"text":"5"}')), null);
    assert.ok(!isJsonObject(new JsonNumber('5.0')));
  });
});

describe('a malformed body names the place', () => {
  const cases: readonly [body: string, place: RegExp][] = [
    ['', /line 1, column 1/],
    ['{"events":[1,]}', /line 1, column 14/],
    ['{"events":[\n {"a":1},\n {"a" 2}\n]}', /line 3, column 7/],
    ['{"events":[{"a":"\u0001"}]}', /line 1, column 18/],
    ['[1] 2', /line 1, column 5/],
    ['{"a":01}', /line 1, column 7/],
    ['[1.]', /line 1, column 4/],
    ['{"a":NaN}', /line 1, column 6/],
    ["{'a':1}", /line 1, column 2/],
    ['{"a":"\\x"}', /line 1, column 8/],
    ['[1.0,tru]', /line 1, column 6/],
    ['{"a":"unfinished', /line 1, column 17/],
  ];
  for (const [body, place] of cases) it(JSON.stringify(body), () => assert.match(detail(body), place));

  it('of bytes that are no UTF-8', () => {
    assert.equal(detail(Buffer.from([0x7b, 0x22, 0xc3, 0xa9, 0xff, 0x22])), 'not UTF-8 at byte 4');
    assert.equal(detail(Buffer.from([0x22, 0xc3])), 'not UTF-8 at byte 1');
    assert.equal(detail(Buffer.concat([bytesOf('"é€😀'), Buffer.from([0xed, 0xa0, 0x80])])), 'not UTF-8 at byte 11');
  });

  it('ignores a byte order mark', () => {
    assert.deepEqual(parsed('\ufeff[1]'), [1]);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it('of an element refuses only that element', () => {
    const deep = nested(33);
    const result = runToEnd(parsingJsonBody(bytesOf(`{"events":[${nested(32)},${deep},{"a":1}]}`)));
    assert.ok(result.kind === 'parsed');
    const { events } = result.value as { events: JsonValue[] };
    assert.equal(canonicalJson(events[0] as JsonValue), nested(32));
    assert.equal(events[1], null);
    assert.deepEqual(events[2], { a: 1 });
    const spans = result.outline.members.get('events') ?? [];
    assert.deepEqual(
      spans.map((span) => span.tooDeep),
      [false, true, false],
    );
    assert.equal((spans[1]?.end ?? 0) - (spans[1]?.start ?? 0), deep.length);
  });

  it('outside the elements refuses the body', () => {
    assert.match(detail(`{"x":{"y":${nested(40)}},"events":[]}`), /nested deeper than 32/);
  });

  it('of a million levels is refused without a stack', () => {
    const result = runToEnd(parsingJsonBody(bytesOf(`[${nested(1_000_000)},1.0]`)));
    assert.ok(result.kind === 'parsed');
    assert.equal(canonicalJson(result.value), '[null,1]');
    assert.match(detail('['.repeat(1_000_000)), /not JSON/);
    assert.match(detail('{"a":'.repeat(1_000_000)), /nested deeper/);
    assert.equal(parseJsonElement(bytesOf(nested(33))).kind, 'malformed');
    assert.equal(parseJsonElement(bytesOf(nested(32))).kind, 'parsed');
  });
});

describe('the outline', () => {
  const spansOf = (text: string, name: string | null) => {
    const bytes = bytesOf(text);
    const { elements, members } = scanJson(bytes, 32, true);
    const spans = name === null ? elements : (members.get(name) ?? []);
    return spans.map(({ start, end }) => bytes.toString('utf8', start, end));
  };

  it('finds the elements of an array by their bytes', () => {
    const text = ' [ {"é":"],["} ,\n"a,\\"b" , 12 , [ 1 , [2] ] , null,true]';
    assert.deepEqual(spansOf(text, null), ['{"é":"],["}', '"a,\\"b"', '12', '[ 1 , [2] ]', 'null', 'true']);
    assert.deepEqual(spansOf('[]', null), []);
    assert.deepEqual(spansOf('[ ]', null), []);
  });

  it('finds the elements of an object’s arrays by name, the last of equal names', () => {
    const text = '{"a":"events","events":[1,2],"n":{"events":[3]},"d\\u0061ta":[{"events":[4]}],"events":[ 5 ]}';
    assert.deepEqual(spansOf(text, 'events'), ['5']);
    assert.deepEqual(spansOf(text, 'data'), ['{"events":[4]}']);
    assert.deepEqual(spansOf(text, 'n'), []);
  });

  it('reads past anything', () => {
    for (const text of [
      '',
      '"',
      '"\\',
      ']',
      '}}',
      '[}',
      '{]',
      ',',
      '[,',
      '-',
      '[1',
      '{"a":[',
      '{"events"[1]',
      '\u0000',
      '[[',
    ]) {
      assert.doesNotThrow(() => scanJson(bytesOf(text), 32, true), text);
    }
  });
});

describe('the canonical form', () => {
  it('has the members of large objects in order too', () => {
    const names = Array.from({ length: 200 }, (_, at) => `n${(at * 7_919) % 200}`);
    const object = Object.fromEntries(names.map((name) => [name, null]));
    assert.equal(
      canonicalJson(object),
      `{${names
        .toSorted()
        .map((name) => `"${name}":null`)
        .join(',')}}`,
    );
  });

  it('is RFC 8785’s', () => {
    const value = parsed(
      '{"\\u20ac":"Euro","\\r":"CR","1":1,"\\ud83d\\ude00":true,"\\u0080":[56.0,1E30,4.50,2e-3,0.000000000000000000000000001]}',
    );
    assert.equal(canonicalJson(value), '{"\\r":"CR","1":1,"\u0080":[56,1e+30,4.5,0.002,1e-27],"€":"Euro","😀":true}');
  });

  it('is alike for numbers that differ beyond a double', () => {
    const [a, b] = ['{"a":2.00005000000000000000001}', '{"a":2.00005}'].map((text) => canonicalSha256(parsed(text)));
    assert.equal(a, b);
  });

  it('is total', () => {
    assert.equal(canonicalJson(parsed('[1e400,-1e400,-0.0,-0]')), '[null,null,0,0]');
    assert.equal(canonicalJson(parsed('["\\ud800"]')), '["\\ud800"]');
  });

  it('has the SHA-256 of its UTF-8', () => {
    const expected = createHash('sha256').update('{"a":"é"}').digest('hex');
    assert.equal(canonicalSha256(parsed('{"a":"é"}')), expected);
  });
});

describe('lines', () => {
  it('are the ones that are not blank, with their numbers', () => {
    const lines = runToEnd(splitLines(bytesOf('{"a":1}\r\n\n  {"b":2} \n\t\n{"c":3}')));
    assert.deepEqual(lines, [
      { line: 1, start: 0, end: 7 },
      { line: 3, start: 12, end: 19 },
      { line: 5, start: 23, end: 30 },
    ]);
    assert.deepEqual(runToEnd(splitLines(bytesOf(' \n\r\n'))), []);
  });
});
