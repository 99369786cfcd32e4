// The codec on the product's own schemas: what goes in comes out, and what is no record comes out as a reason.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import { openCodec, schemaIdOf, UnfitValue } from '../../../platform/avro/codec.ts';
import { IncompatibleSchemas } from '../../../platform/avro/decoder.ts';
import { eventSchema, eventTopics } from '../../../platform/avro/event-schemas.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import type { GamesRecord } from '../../../schemas/events/games.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { everything, gameUuids, image, tick } from '../../support/builders/broker-records.ts';

const game = gameUuids[0] as string;
const quotes = openCodec(eventSchema(topics.quotes));
const decodeQuotes = quotes.decoderFrom(quotes.schema);

/** A schema of one record `R` with these fields. */
function schemaOf(...fields: readonly object[]): string {
  return JSON.stringify({ type: 'record', name: 'R', fields });
}

function codecOf(type: unknown) {
  const codec = openCodec(schemaOf({ name: 'v', type }));
  const decode = codec.decoderFrom(codec.schema);
  return (...bytes: number[]) => decode(Buffer.from([0, 0, 0, 0, 1, ...bytes]));
}

describe('a value through the codec', () => {
  it('comes back as the plain object it was, with every member, null and character', () => {
    for (const record of [tick(7), image(game, 50), everything(game)]) {
      assert.deepStrictEqual(decodeQuotes(quotes.encode(1, record)), { value: record, undecodable: null });
    }
  });

  it('is framed with the id of its schema, in four bytes after a zero', () => {
    const framed = quotes.encode(0x01020304, tick(1));
    assert.deepEqual([...framed.subarray(0, 5)], [0, 1, 2, 3, 4]);
    assert.equal(schemaIdOf(framed), 0x01020304);
  });

  it('is larger than any buffer kept, when it must be', () => {
    const record = image(game, 40_000);
    assert.deepStrictEqual(decodeQuotes(quotes.encode(1, record)).value, record);
  });

  it('that is none of the schema is refused when written', () => {
    const bad: readonly unknown[] = [null, 7, { ...tick(1), tick: { at: 0.5 } }, { ...tick(1), game_uuid: 3 }];
    for (const value of bad) assert.throws(() => quotes.encode(1, value), UnfitValue);
    assert.throws(() => quotes.encode(1, { ...tick(1), tick: { at: 2 ** 53 } }), UnfitValue);
  });

  it('of the games topic has the form of games.ts', () => {
    const codec = openCodec(eventSchema(topics.games));
    const record: GamesRecord = {
      id: game,
      league: 'NBA',
      source: 'feed',
      source_id: '7',
      received_at: null,
      push: null,
      push_index: null,
      team: null,
      player: {
        first_name: 'Some',
        last_name: 'Body',
        position: null,
        jersey_number: 0,
        current_team_id: null,
        is_active: true,
      },
      venue: null,
    };
    assert.deepStrictEqual(codec.decoderFrom(codec.schema)(codec.encode(1, record)).value, record);
  });

  it('can lack any member: every field of every topic has a default (FULL_TRANSITIVE)', () => {
    for (const topic of eventTopics) {
      const codec = openCodec(eventSchema(topic));
      const { value, undecodable } = codec.decoderFrom(codec.schema)(codec.encode(1, {}));
      assert.equal(undecodable, null);
      assert.ok(value !== null && !Object.values(value as object).includes(undefined));
    }
  });
});

describe('bytes that are no value', () => {
  const truncated = quotes.encode(1, everything(game));

  it('are distinguished by their frame', () => {
    assert.equal(schemaIdOf(Buffer.alloc(0)), 'no value');
    assert.match(String(schemaIdOf(Buffer.from([0, 0, 0]))), /bytes end/);
    assert.match(String(schemaIdOf(Buffer.from('{"game_uuid":1}'))), /first byte 123/);
  });

  it('give a reason wherever they are cut off', () => {
    for (let length = 5; length < truncated.length; length++) {
      const { value, undecodable } = decodeQuotes(truncated.subarray(0, length));
      assert.equal(value, null);
      assert.equal(typeof undecodable, 'string');
    }
  });

  it('may not follow a value', () => {
    const { undecodable } = decodeQuotes(Buffer.concat([truncated, Buffer.from([0])]));
    assert.equal(undecodable, '1 bytes after the value');
  });

  it('cannot claim more than there is: lengths and counts beyond the bytes end the reading at once', () => {
    const long = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f];
    assert.match(String(codecOf('string')(...long).undecodable), /a string has/);
    assert.match(String(codecOf('bytes')(...long).undecodable), /bytes expected, 0 left/);
    assert.match(String(codecOf('bytes')(0x01).undecodable), /negative length/);
    assert.match(String(codecOf({ type: 'array', items: 'null' })(...long).undecodable), /a block of \d+ items/);
    assert.match(String(codecOf({ type: 'array', items: 'int' })(0x03, 0x7e).undecodable), /block is longer/);
    assert.match(String(codecOf({ type: 'map', values: 'int' })(...long).undecodable), /a block of \d+ items/);
  });

  it('cannot hold a string above 64 kB, and can hold one of exactly that', () => {
    const codec = openCodec(schemaOf({ name: 'v', type: 'string' }));
    const decode = codec.decoderFrom(codec.schema);
    assert.deepEqual(decode(codec.encode(1, { v: 'x'.repeat(65_536) })).value, { v: 'x'.repeat(65_536) });
    assert.equal(decode(codec.encode(1, { v: 'x'.repeat(65_537) })).undecodable, 'a string has 65537 bytes');
  });

  it('of observations hold an element of 900,000 bytes whole, and no longer string', () => {
    const { schema, longestString } = serviceTopics(1).find(({ name }) => name === topics.observations)!;
    const codec = openCodec(schema, longestString);
    const record = (length: number): ObservationsRecord => ({
      ...blankObservations({ uuid: game, id: 'NBA_BOS_CLE_20260110', league: 'NBA' }, 'msf', 7),
      observation: {
        season: '2025-2026-regular',
        feed: 'playbyplay',
        msf_game_id: 900_001,
        observed_at: null,
        request_started_at: 6,
        last_updated_on: '2026-01-10T01:00:08.000Z',
        element: 'x'.repeat(length),
        held: null,
        rebuild: null,
      },
    });
    const decode = codec.decoderFrom(schema);
    assert.deepStrictEqual(decode(codec.encode(1, record(900_000))).value, record(900_000));
    assert.match(String(decode(codec.encode(1, record(900_001))).undecodable), /900001 bytes/);
  });

  it('hold numbers to 2^53 exactly, and of one beyond on which side it is', () => {
    const codec = openCodec(schemaOf({ name: 'v', type: 'long' }));
    const decode = codec.decoderFrom(codec.schema);
    const borders = [0, 63, 64, 2 ** 31, 2 ** 52 - 1, 2 ** 52, 2 ** 52 + 1, 2 ** 53 - 2, Number.MAX_SAFE_INTEGER];
    for (const v of borders.flatMap((each) => [each, -each, -each - 1]).filter(Number.isSafeInteger)) {
      assert.deepStrictEqual(decode(codec.encode(1, { v })).value, { v: v === 0 ? 0 : v });
    }
    for (const v of [2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])
      assert.throws(() => codec.encode(1, { v }), UnfitValue);
    const [low, high] = [0xfd, 0xfe].map((first) => codecOf('long')(first, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f));
    assert.deepEqual([low?.value, high?.value], [{ v: Number.MIN_SAFE_INTEGER }, { v: Number.MAX_SAFE_INTEGER }]);
    const full = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    for (const [v, ...bytes] of [
      [Number.POSITIVE_INFINITY, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20],
      [Number.NEGATIVE_INFINITY, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f],
      [Number.NEGATIVE_INFINITY, ...full, 0x01],
    ] as const)
      assert.deepEqual(codecOf('long')(...bytes).value, { v });
    const length = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20];
    assert.match(String(codecOf('string')(...length).undecodable), /beyond 2\^53/);
    assert.match(String(codecOf('long')(...full, 0xff).undecodable), /more than ten bytes/);
    assert.match(String(codecOf('int')(0x80, 0x80, 0x80, 0x80, 0x10).undecodable), /beyond 32 bits/);
  });

  it('hold text that is UTF-8, booleans of 0 and 1, and branches that exist', () => {
    assert.match(String(codecOf('string')(0x04, 0xc3, 0x28).undecodable), /not UTF-8/);
    assert.match(String(codecOf('string')(0x06, 0xed, 0xa0, 0x80).undecodable), /not UTF-8/);
    assert.match(String(codecOf('boolean')(2).undecodable), /boolean/);
    assert.match(String(codecOf(['null', 'int'])(0x04).undecodable), /no such branch/);
    assert.match(String(codecOf(['null', 'int'])(0x01).undecodable), /no such branch/);
  });
});

describe('a writer with another schema', () => {
  const ours = openCodec(
    schemaOf(
      { name: 'id', type: 'long' },
      { name: 'note', type: ['null', 'string'], default: null },
      { name: 'tags', type: { type: 'array', items: 'string' }, default: [] },
    ),
  );
  const node = { type: 'record', name: 'Node', fields: [{ name: 'next', type: ['null', 'Node'] }] };

  it('may have more fields, fewer, another order, narrower numbers and no unions', () => {
    const theirs = openCodec(
      schemaOf(
        { name: 'extra', type: { type: 'map', values: { type: 'array', items: ['null', 'double', 'bytes'] } } },
        { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['A', 'B'] } },
        { name: 'mark', type: { type: 'fixed', name: 'Mark', size: 3 } },
        { name: 'list', type: ['null', node] },
        { name: 'note', type: 'string' },
        { name: 'id', type: 'int' },
      ),
    );
    const list = { next: { next: null } };
    const mark = Buffer.from('abc');
    const extra = { a: [1.5, null, Buffer.from('xyz')], b: [] };
    const framed = theirs.encode(1, { extra, kind: 'B', mark, list, note: 'hello', id: 5 });
    assert.deepStrictEqual(ours.decoderFrom(theirs.schema)(framed).value, { note: 'hello', id: 5, tags: [] });
    const members = Object.keys(ours.decoderFrom(theirs.schema)(framed).value as object);
    assert.deepEqual(members, ['id', 'note', 'tags'], 'in our order, whatever that of the writer');
  });

  it('gets a fresh default for each record', () => {
    const theirs = openCodec(schemaOf({ name: 'id', type: 'long' }));
    const decode = ours.decoderFrom(theirs.schema);
    const [a, b] = [1, 2].map((id) => decode(theirs.encode(1, { id })).value as { tags: string[] });
    a?.tags.push('x');
    assert.deepEqual(b?.tags, []);
  });

  it('is refused whole where nothing of it fits', () => {
    for (const foreign of [schemaOf({ name: 'id', type: 'string' }), schemaOf({ name: 'other', type: 'long' })]) {
      assert.throws(() => ours.decoderFrom(foreign), IncompatibleSchemas);
    }
    assert.throws(
      () => ours.decoderFrom(schemaOf({ name: 'id', type: 'long' }).replace('"R"', '"S"')),
      IncompatibleSchemas,
    );
    assert.throws(() => ours.decoderFrom('{'), SyntaxError);
    assert.throws(() => ours.decoderFrom('"nonsense"'));
  });

  it('fails record by record where some fit', () => {
    const foreign = openCodec(schemaOf({ name: 'id', type: ['long', 'string'] }));
    const decode = ours.decoderFrom(foreign.schema);
    assert.deepEqual(decode(foreign.encode(1, { id: 3 })).value, { id: 3, note: null, tags: [] });
    assert.match(String(decode(foreign.encode(1, { id: 'x' })).undecodable), /the reader lacks/);
  });

  it('cannot nest for ever', () => {
    const codec = openCodec(schemaOf({ name: 'list', type: node }));
    const deep = Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), Buffer.alloc(100_000, 2), Buffer.from([0])]);
    assert.match(String(codec.decoderFrom(codec.schema)(deep).undecodable), /too deeply/);
    const ignoring = openCodec(schemaOf({ name: 'other', type: 'int', default: 0 }));
    assert.match(String(ignoring.decoderFrom(codec.schema)(deep).undecodable), /too deeply/);
  });
});
