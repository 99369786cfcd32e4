// Looks up writers' schemas: once per id, with patience while the registry does not answer, and a limited number of times if it does not
// know the id.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { openWriterSchemas } from '../../../platform/avro/writer-schemas.ts';

const schema = JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'v', type: 'int' }] });
const codec = openCodec(schema);
const never = new AbortController().signal;
const decoded = (v: number) => ({ value: { v }, undecodable: null });

function framed(id: number, v: number): Buffer {
  return codec.encode(id, { v });
}

describe('schemas of writers', () => {
  it('are asked for once, however many records carry the id, and not at all when noted', async () => {
    const asked: number[] = [];
    const ask = async (id: number) => {
      asked.push(id);
      return schema;
    };
    const schemas = openWriterSchemas(codec, ask, silentLog);
    schemas.note(1, schema);
    const first = await schemas.decodeAll([framed(1, 1), framed(2, 2), framed(2, 3), framed(3, 4)], never);
    assert.deepEqual(first, [1, 2, 3, 4].map(decoded));
    await schemas.decodeAll([framed(2, 5), framed(3, 6)], never);
    assert.deepEqual(asked, [2, 3]);
  });

  it('that the registry does not know make records undecodable after a few queries, among good ones, and are not queried at each batch', async () => {
    let asked = 0;
    const emptyRegistry = async () => {
      asked += 1;
      return null;
    };
    const schemas = openWriterSchemas(codec, emptyRegistry, silentLog);
    schemas.note(1, schema);
    const answer = await schemas.decodeAll([framed(1, 1), framed(9, 2), null, framed(1, 3)], never);
    assert.deepEqual(
      answer.map((each) => each.undecodable),
      [null, 'no schema has the id 9', 'no value', null],
    );
    assert.equal(asked, 4);
    await schemas.decodeAll([framed(9, 2)], never);
    assert.equal(asked, 4);
  });

  it('say of a record whether it may decode later: not where its schema is known and does not fit', async () => {
    const schemas = openWriterSchemas(codec, async (id) => (id === 3 ? '"string"' : null), silentLog);
    schemas.note(1, schema);
    const cut = framed(1, 1).subarray(0, 5);
    const answer = await schemas.decodeAll([framed(9, 1), framed(3, 1), cut, null, framed(1, 1)], never);
    assert.deepEqual(
      answer.map((each) => ('mayDecodeLater' in each ? each.mayDecodeLater : false)),
      [true, false, false, false, false],
    );
    const many = await schemas.decodeAll(
      Array.from({ length: 40 }, (_, id) => framed(id + 100, 1)),
      never,
    );
    assert.ok(many.every((each) => 'mayDecodeLater' in each && each.mayDecodeLater));
  });

  it('are waited for while the registry does not answer', async () => {
    const answers = [new Error('status 400'), new Error('status 503'), null, schema];
    const lookup = async () => {
      const answer = answers.shift() ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const schemas = openWriterSchemas(codec, lookup, silentLog);
    assert.deepEqual(await schemas.decodeAll([framed(5, 1)], never), [decoded(1)]);
  });

  it('are waited for no longer than the consumer lives', async () => {
    const stop = new AbortController();
    const lookup = async (): Promise<string> => {
      stop.abort(new Error('stopped'));
      throw new Error('unreachable');
    };
    const schemas = openWriterSchemas(codec, lookup, silentLog);
    await assert.rejects(schemas.decodeAll([framed(5, 1)], stop.signal), /stopped/);
  });

  it('that are no schema of ours make records undecodable', async () => {
    const texts = ['{', '"string"', schema.replace('"R"', '"Other"')];
    const schemas = openWriterSchemas(codec, async (id) => texts[id] ?? null, silentLog);
    const answer = await schemas.decodeAll([framed(0, 1), framed(1, 1), framed(2, 1)], never);
    for (const each of answer) assert.match(String(each.undecodable), /schema \d cannot be read/);
  });

  it('made up by the thousand are not looked up by the thousand', async () => {
    let asked = 0;
    const emptyRegistry = async () => {
      asked += 1;
      return null;
    };
    const schemas = openWriterSchemas(codec, emptyRegistry, silentLog);
    const answer = await schemas.decodeAll(
      Array.from({ length: 5_000 }, (_, id) => framed(id + 10, 1)),
      never,
    );
    assert.ok(answer.every((each) => each.value === null));
    assert.ok(asked <= 4 * 32, `${asked} look-ups`);
  });
});
