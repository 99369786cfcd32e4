// The promises of core/ports/broker.ts, kept by every implementation. The names of the tests are the promises.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { partitionOfKey } from '../../../core/partition-of-key.ts';
import {
  type Broker,
  BrokerUnavailable,
  Halted,
  OffsetOutOfRange,
  type OutgoingRecord,
} from '../../../core/ports/broker.ts';
import type { TopicSettings } from '../../../platform/broker/topic-settings.ts';
import { everything, gameUuids, image, numberOf, tick } from '../../support/builders/broker-records.ts';
import { Member } from '../../support/contracts/broker-member.ts';
import { MemberProcess } from '../../support/contracts/broker-member-process.ts';
import {
  embeddedImplementation,
  type Implementation,
  kafkaImplementation,
  quotesTopic,
  type Subject,
  sessionMs,
} from '../../support/contracts/broker-subjects.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [game] = gameUuids as [string];

/** The id of a game whose records are in this partition. */
function keyOf(partition: number, partitions: number): string {
  for (let number = 0; ; number += 1) {
    const key = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    if (partitionOfKey(key, partitions) === partition) return key;
  }
}

function ticks(from: number, to: number, key = game): OutgoingRecord[] {
  return Array.from({ length: to - from }, (_, index) => ({ key, value: tick(from + index, key) }));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function brokerContract(implementation: Implementation): void {
  describe(`the log: ${implementation.name}`, { ...skipFor(implementation.skip), concurrent: true }, () => {
    let subject: Subject;
    const opened: Broker[] = [];

    beforeAll(async () => {
      subject = await implementation.shared();
    });
    afterAll(async () => {
      await Promise.all(opened.map((broker) => broker.close()));
      await subject?.close();
    });

    function open(...topics: TopicSettings[]): Broker {
      const broker = subject.open(topics);
      opened.push(broker);
      return broker;
    }

    async function prepared(partitions = 1): Promise<{ broker: Broker; topic: string; settings: TopicSettings }> {
      const settings = quotesTopic(partitions);
      const broker = open(settings);
      await broker.prepare();
      return { broker, topic: settings.name, settings };
    }

    describe('topics', () => {
      it('are made once, however many processes prepare them, and keep their partitions', async () => {
        const settings = quotesTopic(5);
        await Promise.all([open(settings), open(settings), open(settings)].map((broker) => broker.prepare()));
        const later = open({ ...settings, partitions: 9 });
        await later.prepare();
        assert.equal(await later.partitions(settings.name), 5);
        assert.equal((await later.watermarks(settings.name)).length, 5);
      });

      it('are not made by a look at their watermarks', async () => {
        const settings = quotesTopic(2);
        assert.deepEqual(await open(settings).watermarks(settings.name), []);
        const later = open(settings);
        assert.deepEqual(await later.watermarks(settings.name), [], 'asking for watermarks creates no topic');
        await assert.rejects(later.watermarks('unheard-of'), /the log has no topic unheard-of/);
        await later.prepare();
        assert.equal((await later.watermarks(settings.name)).length, 2);
      });

      it('get further partitions once, which every process takes records for and the groups share out', async () => {
        const { broker, topic, settings } = await prepared(2);
        const group = unique('group');
        const other = open(settings);
        const [first, second] = [
          await Member.join(broker, { topic, group }),
          await Member.join(open(settings), { topic, group }),
        ];
        await Promise.all([first.holds(1), second.holds(1)]);
        await other.produce(topic, [{ key: nilUuid, partition: 1, value: tick(0, nilUuid) }]);
        await Promise.all([other.addPartitions(topic, 5), broker.addPartitions(topic, 5)]);
        await broker.addPartitions(topic, 3);
        for (const each of [broker, other, open(settings)]) assert.equal(await each.partitions(topic), 5);
        // A process that does not know the new partitions yet still accepts records for them.
        const former = open(settings);
        await former.produce(topic, [{ key: nilUuid, partition: 0, value: tick(1, nilUuid) }]);
        await other.addPartitions(topic, 6);
        await former.produce(topic, [
          ...range(0, 6).map((partition) => ({ key: nilUuid, partition, value: tick(2, nilUuid) })),
        ]);
        await assert.rejects(former.produce(topic, [{ key: game, partition: 6, value: tick(3) }]), RangeError);
        await Promise.all([first.holds(3), second.holds(3)]);
        const consumed = () => [...first.records(), ...second.records()];
        await first.until('every record', () => consumed().length >= 8);
        assert.deepEqual(
          consumed()
            .map(({ value }) => numberOf(value))
            .sort(),
          [0, 1, 2, 2, 2, 2, 2, 2],
        );
        assert.deepEqual(
          (await former.watermarks(topic)).map(({ low, high }) => [low, high]),
          [[0, 2], [0, 2], ...range(2, 6).map(() => [0, 1])],
        );
        const later = await Member.join(open(settings), { topic, group: unique('group') });
        await later.holds(6);
        for (const member of [first, second, later]) await member.stop();
      });

      it('start empty', async () => {
        const { broker, topic } = await prepared(2);
        assert.deepEqual(await broker.watermarks(topic), [
          { partition: 0, low: 0, high: 0 },
          { partition: 1, low: 0, high: 0 },
        ]);
        assert.equal(await broker.healthy(), true);
      });
    });

    describe('producing', () => {
      it('puts a record where partitionOf says, for every process', async () => {
        const { broker, topic, settings } = await prepared(7);
        const other = open(settings);
        await broker.produce(
          topic,
          gameUuids.map((key) => ({ key, value: tick(1, key) })),
        );
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(gameUuids.length);
        for (const batch of member.batches) {
          for (const { key } of batch.records) {
            assert.equal(batch.partition, partitionOfKey(key as string, 7));
            assert.equal(await other.partitionOf(topic, key as string), batch.partition);
          }
        }
        await member.stop();
      });

      it('puts a record that names its partition there, whatever its key, in order with those that go by key', async () => {
        const { broker, topic } = await prepared(3);
        const partition = partitionOfKey(game, 3);
        for (const round of range(0, 5)) {
          await broker.produce(topic, [
            ...ticks(round * 2, round * 2 + 1),
            ...range(0, 3).map((to) => ({ key: nilUuid, partition: to, value: tick(round * 2 + 1, nilUuid) })),
          ]);
        }
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(20);
        for (const each of range(0, 3)) {
          const records = member.records(each);
          const expected = each === partition ? range(0, 10) : range(0, 5).map((round) => round * 2 + 1);
          assert.deepEqual(
            records.map((record) => numberOf(record.value)),
            expected,
          );
          assert.deepEqual(
            records.map((record) => record.key),
            expected.map((number) => (number % 2 === 0 ? game : nilUuid)),
          );
        }
        await member.stop();
      });

      it('refuses a partition that the topic has not, with all that came with it, and takes the next', async () => {
        const { broker, topic } = await prepared(2);
        for (const partition of [2, -1, 0.5, Number.NaN]) {
          const bad = { key: nilUuid, partition, value: tick(1, nilUuid) };
          await assert.rejects(broker.produce(topic, [...ticks(0, 3), bad]), RangeError);
        }
        await broker.produce(topic, [{ key: nilUuid, partition: 1, value: tick(1, nilUuid) }]);
        assert.deepEqual(
          (await broker.watermarks(topic)).map(({ high }) => high),
          [0, 1],
        );
      });

      it('gives back exactly what was produced: every member, null, character and header', async () => {
        const { broker, topic } = await prepared();
        const values = [everything(game), image(game, 40), tick(3)];
        const headers = { 'content-type': 'avro', source: 'Zażółć 🏀', '': 'empty name', __proto__x: '' };
        await broker.produce(topic, [
          { key: game, value: values[0], headers },
          { key: 'ключ', value: values[1] },
          { key: '', value: values[2], headers: {} },
        ]);
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(3);
        const records = member.records();
        assert.deepStrictEqual(
          records.map((record) => record.value),
          values,
        );
        assert.deepEqual(
          records.map((record) => record.undecodable),
          [null, null, null],
        );
        assert.deepEqual(
          records.map((record) => record.key),
          [game, 'ключ', ''],
        );
        assert.deepEqual(
          records.map((record) => ({ ...record.headers })),
          [headers, {}, {}],
        );
        assert.deepEqual(
          records.map((record) => record.offset),
          [0, 1, 2],
        );
        await member.stop();
      });

      it('keeps the order of a partition, within a call and between calls that follow one another', async () => {
        const { broker, topic } = await prepared(3);
        const calls = range(0, 40).map((call) =>
          broker.produce(
            topic,
            gameUuids.flatMap((key) => ticks(call * 5, call * 5 + 5, key)),
          ),
        );
        await Promise.all(calls);
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(40 * 5 * gameUuids.length);
        for (const key of gameUuids) {
          const numbers = member.records().filter((record) => record.key === key);
          assert.deepEqual(
            numbers.map((record) => numberOf(record.value)),
            range(0, 200),
          );
        }
        await member.stop();
      });

      it('answers behind which offsets the records are, when others produce as well', async () => {
        const { broker, topic } = await prepared(2);
        const calls = range(0, 20).map(async (call) => {
          const key = gameUuids[call % 8] as string;
          const partition = await broker.partitionOf(topic, key);
          return { call, key, partition, ends: await broker.produce(topic, ticks(call * 3, call * 3 + 3, key)) };
        });
        const produced = await Promise.all(calls);
        const highs = new Map((await broker.watermarks(topic)).map(({ partition, high }) => [partition, high]));
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(60);
        for (const { call, key, partition, ends } of produced) {
          const found = member.records(partition).filter((each) => each.key === key);
          const mine = found.filter(({ value }) => Math.floor(numberOf(value) / 3) === call);
          const end = ends.get(partition) ?? 0;
          assert.equal(mine.length, 3);
          assert.ok(mine.every(({ offset }) => offset < end) && end <= (highs.get(partition) ?? 0), `${end}`);
        }
        assert.deepEqual(await broker.produce(topic, []), new Map());
        await member.stop();
      });

      it('gives contiguous offsets when two processes produce at once', async () => {
        const { broker, topic, settings } = await prepared(2);
        const other = open(settings);
        await other.prepare();
        await Promise.all(
          range(0, 60).map((call) => [broker, other][call % 2]?.produce(topic, ticks(0, 7, gameUuids[call % 8]))),
        );
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(420);
        for (const partition of [0, 1]) {
          const offsets = member.records(partition).map((record) => record.offset);
          assert.deepEqual(offsets, range(0, offsets.length));
        }
        await member.stop();
      });

      it('is durable when it resolves: the watermarks and every other process see it', async () => {
        const { broker, topic, settings } = await prepared();
        await broker.produce(topic, ticks(0, 10));
        assert.deepEqual(await open(settings).watermarks(topic), [{ partition: 0, low: 0, high: 10 }]);
      });

      it('stamps records with its own clock, which never goes back within a partition', async () => {
        const { broker, topic } = await prepared();
        const startedAt = Date.now() * 1000;
        for (const number of range(0, 10)) await broker.produce(topic, ticks(number, number + 1));
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(10);
        const times = member.records().map((record) => record.timestamp);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
        assert.ok(times.every((time) => Number.isSafeInteger(time) && Math.abs(time - startedAt) < 60_000_000));
        await member.stop();
      });

      it('finds the first record of a time or later, and the end where there is none', async () => {
        const { broker, topic } = await prepared(2);
        const key = keyOf(1, 2);
        for (const number of range(0, 4)) {
          await broker.produce(topic, ticks(number * 2, number * 2 + 2, key));
          await new Promise((passed) => setTimeout(passed, 5));
        }
        const records = [];
        for await (const batch of broker.read(topic, 1, 0, 8)) records.push(...batch.records);
        assert.ok(new Set(records.map(({ timestamp }) => timestamp)).size > 1);
        for (const { timestamp } of records)
          for (const time of [timestamp - 1, timestamp, timestamp + 1]) {
            const first: number = records.find((each) => each.timestamp >= time)?.offset ?? 8;
            assert.equal(await broker.offsetAt(topic, 1, time), first, `of ${time}`);
          }
        assert.deepEqual([await broker.offsetAt(topic, 1, 0), await broker.offsetAt(topic, 0, 0)], [0, 0]);
      });

      it('refuses what is no record of the topic, and takes the next', async () => {
        const { broker, topic } = await prepared();
        await assert.rejects(broker.produce(topic, [{ key: game, value: { tick: 'no' } }]), TypeError);
        await assert.rejects(broker.produce(unique('unknown'), ticks(0, 1)));
        await broker.produce(topic, []);
        await broker.produce(topic, ticks(0, 1));
        assert.deepEqual(await broker.watermarks(topic), [{ partition: 0, low: 0, high: 1 }]);
      });

      it('takes records of almost a megabyte, many at once', async () => {
        const { broker, topic } = await prepared();
        const large = image(game, 15_000);
        await Promise.all(range(0, 8).map(() => broker.produce(topic, [{ key: game, value: large }])));
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(8);
        assert.deepStrictEqual(member.records()[7]?.value, large);
        await member.stop();
      });
    });

    describe('consuming', () => {
      it('starts where the member says, whatever offset the group committed before', async () => {
        const { broker, topic } = await prepared();
        const group = unique('group');
        await broker.produce(topic, ticks(0, 20));
        const first = await Member.join(broker, { topic, group });
        await first.receives(20);
        await first.acknowledge(0, 20);
        await first.stop();
        for (const from of [0, 7, 19, 20]) {
          const member = await Member.join(broker, { topic, group, from: () => from });
          await member.holds(1);
          await broker.produce(topic, []);
          await member.receives(20 - from);
          assert.deepEqual(
            member.records().map((record) => numberOf(record.value)),
            range(from, 20),
          );
          await member.stop();
        }
      });

      it('goes on with what comes later, and delivers nothing twice', async () => {
        const { broker, topic } = await prepared(3);
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.holds(3);
        for (const round of range(0, 20)) {
          await broker.produce(
            topic,
            gameUuids.map((key) => ({ key, value: tick(round, key) })),
          );
          await member.receives((round + 1) * gameUuids.length);
        }
        for (const partition of range(0, 3)) {
          const offsets = member.records(partition).map((record) => record.offset);
          assert.deepEqual(offsets, range(0, offsets.length));
        }
        await member.stop();
      });

      it('delivers bytes that are no record as such, among good ones', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 1));
        const bad = [Buffer.from('{"json":true}'), Buffer.from([0, 0, 0]), Buffer.from([0, 0x7f, 0xff, 0xff, 0xfe, 1])];
        for (const bytes of bad) await subject.putRaw(topic, 0, 'bad', bytes);
        await broker.produce(topic, ticks(1, 2));
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(5);
        const records = member.records();
        assert.deepEqual(
          [records[0], records[4]].map((record) => numberOf(record?.value)),
          [0, 1],
        );
        for (const [index, bytes] of bad.entries()) {
          const record = records[index + 1];
          assert.equal(record?.value, null);
          assert.equal(typeof record?.undecodable, 'string');
          assert.deepEqual(Buffer.from(record?.bytes ?? []), bytes);
          assert.equal(record?.key, 'bad');
        }
        await member.stop();
      });

      it('hands over one batch of a partition at a time, and meanwhile goes on with the others', async (t) => {
        const { broker, topic } = await prepared(2);
        const [slow, quick] = [0, 1].map((partition) => gameUuids.find((key) => partitionOfKey(key, 2) === partition));
        const gate = Promise.withResolvers<void>();
        t.onTestFinished(() => gate.resolve());
        let inside = 0;
        const member = await Member.join(broker, {
          topic,
          group: unique('group'),
          async work(batch) {
            if (batch.partition !== 0) return;
            inside += 1;
            assert.equal(inside, 1);
            await gate.promise;
            inside -= 1;
          },
        });
        await broker.produce(topic, ticks(0, 1, slow));
        await member.until('the slow batch', () => member.records(0).length === 1);
        for (const number of range(0, 10)) {
          await broker.produce(topic, [...ticks(number, number + 1, quick), ...ticks(number + 1, number + 2, slow)]);
          await member.until('the quick partition', () => member.records(1).length === number + 1);
        }
        assert.equal(member.records(0).length, 1);
        gate.resolve();
        await member.receives(21);
        assert.deepEqual(
          member.records(0).map((record) => numberOf(record.value)),
          range(0, 11),
        );
        await member.stop();
      });

      it('says how far the partition reaches', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 30));
        const member = await Member.join(broker, { topic, group: unique('group'), from: () => 10 });
        await member.receives(20);
        assert.equal(member.batches.at(-1)?.highWatermark, 30);
        assert.equal(member.batches.at(-1)?.topic, topic);
        await member.stop();
      });

      it('stops when a handler rejects, and says so', async () => {
        const { broker, topic } = await prepared(2);
        await broker.produce(topic, ticks(0, 5));
        const work = async () => {
          throw new Error('the fold broke');
        };
        const member = await Member.join(broker, { topic, group: unique('group'), work });
        assert.match((await member.fails()).message, /the fold broke/);
        const seen = member.batches.length;
        await broker.produce(topic, ticks(5, 10));
        await member.stop();
        assert.equal(member.batches.length, seen);
      });

      it('stops when an assignment cannot be taken', async () => {
        const { broker, topic } = await prepared();
        const from = () => Promise.reject(new Error('no catalog'));
        const member = await Member.join(broker, { topic, group: unique('group'), from });
        assert.match((await member.fails()).message, /no catalog/);
        await member.stop();
      });

      it('drains 100,000 records in order', async () => {
        const { broker, topic } = await prepared(4);
        const perKey = 6_250;
        for (const from of range(0, 5)) {
          const each = perKey / 5;
          await broker.produce(
            topic,
            range(0, each).flatMap((index) => gameUuids.map((key) => ({ key, value: tick(from * each + index, key) }))),
          );
        }
        const next = new Map(gameUuids.map((key) => [key, 0]));
        let count = 0;
        const member = await Member.join(broker, {
          topic,
          group: unique('group'),
          async work(batch) {
            for (const record of batch.records) {
              const expected = next.get(record.key as string) as number;
              if (numberOf(record.value) !== expected) throw new Error(`${record.key} out of order`);
              next.set(record.key as string, expected + 1);
            }
            count += batch.records.length;
          },
        });
        await member.until('all of them', () => count >= 100_000);
        assert.ok([...next.values()].every((number) => number === perKey));
        await member.stop();
      });
    });

    describe('offsets that are not there', () => {
      it('fail the consumer when they are below what is held, and are never jumped over', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 50));
        await subject.dropBefore(topic, 0, 30);
        await until('the drop', async () => (await broker.watermarks(topic))[0]?.low === 30);
        const member = await Member.join(broker, { topic, group: unique('group'), from: () => 29 });
        const error = await member.fails();
        assert.ok(error instanceof OffsetOutOfRange, String(error));
        assert.deepEqual([error.partition, error.wanted], [0, 29]);
        assert.deepEqual(member.batches, []);
        await member.stop();
        const next = await Member.join(broker, { topic, group: unique('group'), from: () => 30 });
        await next.receives(20);
        await next.stop();
      });

      it('leave the others as they were: numbers go on where they were, also when nothing is left', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 50));
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.receives(50);
        await subject.dropBefore(topic, 0, 50);
        await until('the drop', async () => (await broker.watermarks(topic))[0]?.low === 50);
        await broker.produce(topic, ticks(50, 60));
        assert.deepEqual(await broker.watermarks(topic), [{ partition: 0, low: 50, high: 60 }]);
        await member.receives(60);
        assert.deepEqual(
          member.records().map((record) => [record.offset, numberOf(record.value)]),
          range(0, 60).map((number) => [number, number]),
        );
        await member.stop();
      });

      it('fail the consumer when they are beyond the end', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 5));
        const member = await Member.join(broker, { topic, group: unique('group'), from: () => 6 });
        assert.ok((await member.fails()) instanceof OffsetOutOfRange);
        await member.stop();
      });

      it('fail the consumer when they are given up under its hands', async (t) => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 10));
        const gate = Promise.withResolvers<void>();
        t.onTestFinished(() => gate.resolve());
        const member = await Member.join(broker, { topic, group: unique('group'), work: () => gate.promise });
        await member.until('the first batch', () => member.batches.length === 1);
        // More than any driver reads ahead.
        for (const _ of range(0, 40)) await broker.produce(topic, [{ key: game, value: image(game, 14_000) }]);
        await subject.dropBefore(topic, 0, 50);
        await until('the drop', async () => (await broker.watermarks(topic))[0]?.low === 50);
        gate.resolve();
        assert.ok((await member.fails()) instanceof OffsetOutOfRange);
        const offsets = member.records().map((record) => record.offset);
        assert.deepEqual(offsets, range(0, offsets.length));
        await member.stop();
      });
    });

    describe('a partition that is halted', () => {
      for (const [name, halts] of [
        ['where it is assigned', 'assigned'],
        ['at a batch', 'batch'],
        ['by an offset that is not there', 'offset'],
      ] as const) {
        it(`${name} ends alone and stays with its member; the next owner is given it anew`, async () => {
          const { broker, topic, settings } = await prepared(4);
          const group = unique('group');
          const keys = range(0, 4).map((partition) => keyOf(partition, 4));
          const round = (from: number, to: number) =>
            broker.produce(
              topic,
              keys.flatMap((key) => ticks(from, to, key)),
            );
          await round(0, 20);
          if (halts === 'offset') await subject.dropBefore(topic, 2, 10);
          const lost: number[] = [];
          const halt = (partition: number): number => {
            if (partition === 2) throw new Halted('halted by the test', '');
            return 0;
          };
          const member = await Member.join(broker, {
            topic,
            group,
            from: (partition) => (halts === 'assigned' ? halt(partition) : 0),
            work: async ({ partition }) => {
              if (halts === 'batch') halt(partition);
            },
            onOutOfRange: ({ partition }) => lost.push(partition),
          });
          const others = () => member.records().length - member.records(2).length;
          await member.until('the others', () => others() === 60);
          await round(20, 40);
          await member.until('the others go on', () => others() === 120);
          await new Promise((resolve) => setTimeout(resolve, sessionMs + 500));
          assert.equal(member.events.filter((event) => event === 'assigned 2').length, 1);
          assert.deepEqual(member.held, [0, 1, 2, 3]);
          assert.equal(member.failure, null);
          assert.ok(member.batches.filter(({ partition }) => partition === 2).length <= (halts === 'batch' ? 1 : 0));
          assert.deepEqual(lost, halts === 'offset' ? [2] : []);
          await member.stop();
          const next = await Member.join(open(settings), { topic, group, from: () => (halts === 'offset' ? 10 : 0) });
          await next.until('all of it', () => next.records(2).length === (halts === 'offset' ? 30 : 40));
          await next.stop();
        });
      }
    });

    describe('groups', () => {
      it('share the partitions, and take over from a member that leaves', async () => {
        const { broker, topic, settings } = await prepared(4);
        const group = unique('group');
        const round = (number: number) =>
          broker.produce(
            topic,
            gameUuids.map((key) => ({ key, value: tick(number, key) })),
          );
        await round(0);
        const first = await Member.join(broker, { topic, group });
        await first.receives(gameUuids.length);
        const second = await Member.join(open(settings), { topic, group });
        await Promise.all([first.holds(2), second.holds(2)]);
        assert.deepEqual([...first.held, ...second.held].sort(), [0, 1, 2, 3]);
        // The first member kept its partitions and continued where it was.
        assert.deepEqual(
          first.events.filter((event) => event.startsWith('assigned')),
          range(0, 4).map((partition) => `assigned ${partition}`),
        );
        assert.equal(first.events.filter((event) => event.startsWith('revoked')).length, 2);
        await round(1);
        const ends = await broker.watermarks(topic);
        for (const partition of first.held) {
          const offsets = () => first.records(partition).map((record) => record.offset);
          await first.until('the second round', () => offsets().includes((ends[partition]?.high ?? 0) - 1));
          assert.deepEqual(offsets(), range(0, ends[partition]?.high ?? 0));
        }
        await second.stop();
        await first.holds(4);
        await first.stop();
      });

      it('deliver again from the offset that the new owner says', async () => {
        const { broker, topic, settings } = await prepared();
        const group = unique('group');
        await broker.produce(topic, ticks(0, 10));
        const first = await Member.join(broker, { topic, group });
        await first.receives(10);
        const second = await Member.join(open(settings), { topic, group, from: () => 4 });
        await first.stop();
        await second.receives(6);
        await broker.produce(topic, ticks(10, 12));
        await second.receives(8);
        assert.deepEqual(
          second.records().map((record) => record.offset),
          range(4, 12),
        );
        await second.stop();
      });

      it('lose nothing while members come and go under load', async () => {
        const { broker, topic, settings } = await prepared(4);
        const group = unique('group');
        const next = [0, 0, 0, 0];
        const seen = new Map<string, number[]>();
        // Stands in for the catalog: a record counts once, at the position of the checkpoint.
        const join = (from: Broker) =>
          Member.join(from, {
            topic,
            group,
            from: (partition) => next[partition] as number,
            async work({ partition, records }) {
              for (const record of records) {
                const expected = next[partition] as number;
                assert.ok(record.offset <= expected, `a gap at ${expected}`);
                if (record.offset < expected) continue;
                next[partition] = expected + 1;
                const key = record.key as string;
                seen.set(key, [...(seen.get(key) ?? []), numberOf(record.value)]);
              }
            },
          });
        let produced = 0;
        let done = false;
        const producing = (async () => {
          for (; !done; produced++) {
            await broker.produce(
              topic,
              gameUuids.map((key) => ({ key, value: tick(produced, key) })),
            );
          }
        })();
        const members = [await join(broker), await join(open(settings))];
        await Promise.all(members.map((member) => member.holds(2)));
        const third = await join(open(settings));
        await third.until('a share', () => third.held.length > 0);
        await members[0]?.stop();
        await Promise.all([members[1]?.holds(2), third.holds(2)]);
        await members[1]?.stop();
        await third.holds(4);
        done = true;
        await producing;
        await third.until(
          'all of it',
          () => next.reduce((sum, offset) => sum + offset) === produced * gameUuids.length,
        );
        for (const key of gameUuids) assert.deepEqual(seen.get(key), range(0, produced));
        for (const member of [...members, third]) assert.equal(member.failure, null);
        await third.stop();
      });

      it('take over from a member that was killed, and take from one that stands still, which hears of it', async (t) => {
        const { broker, topic, settings } = await prepared(2);
        const group = unique('group');
        const task = { address: subject.address, topic: settings, group, sessionMs };
        for (const trouble of ['kill', 'freeze'] as const) {
          const other = new MemberProcess(task);
          t.onTestFinished(() => other.kill());
          await until('the other holds both', () => other.events.length === 2);
          const member = await Member.join(broker, { topic, group, from: () => 0 });
          await Promise.all([member.holds(1), until('it gave one up', () => other.events.includes('revoked 1'))]);
          await other[trouble]();
          const startedAt = ownMs();
          await member.holds(2);
          const took = ownMs() - startedAt;
          assert.ok(took < sessionMs + 10_000, `${took} ms`);
          if (trouble === 'freeze') {
            other.resume();
            await until('it hears that it lost the other', () => other.events.includes('revoked 0'));
            await until(
              'they share again',
              () => other.events.filter((event) => event.startsWith('assigned')).length === 3,
            );
            await member.holds(1);
            await other.kill();
          }
          await member.stop();
        }
      });

      it('of different names each get everything', async () => {
        const { broker, topic } = await prepared(2);
        const members = await Promise.all([1, 2].map(() => Member.join(broker, { topic, group: unique('group') })));
        await broker.produce(
          topic,
          gameUuids.map((key) => ({ key, value: tick(1, key) })),
        );
        await Promise.all(members.map((member) => member.receives(gameUuids.length)));
        await Promise.all(members.map((member) => member.stop()));
      });
    });

    describe('stopping', () => {
      it('waits for the handler, runs none after, and is quick', async (t) => {
        const { broker, topic } = await prepared(2);
        await broker.produce(topic, ticks(0, 5));
        const gate = Promise.withResolvers<void>();
        t.onTestFinished(() => gate.resolve());
        const member = await Member.join(broker, { topic, group: unique('group'), work: () => gate.promise });
        await member.until('a batch', () => member.batches.length === 1);
        let stopped = false;
        const stopping = member.stop().then(() => {
          stopped = true;
        });
        await broker.produce(topic, ticks(5, 10));
        assert.equal(stopped, false);
        gate.resolve();
        const startedAt = ownMs();
        await stopping;
        assert.ok(ownMs() - startedAt < 2_000, `${ownMs() - startedAt} ms`);
        assert.equal(member.batches.length, 1);
        assert.equal(member.failure, null);
        await member.stop();
      });

      it('of the broker stops its consumers and refuses records', async () => {
        const { broker, topic } = await prepared();
        const member = await Member.join(broker, { topic, group: unique('group') });
        await member.holds(1);
        await broker.close();
        await broker.close();
        await assert.rejects(broker.produce(topic, ticks(0, 1)), BrokerUnavailable);
        assert.equal(member.failure, null);
      });
    });

    describe('reading a range', () => {
      it('gives exactly its records, once, outside of any group', async () => {
        const { broker, topic } = await prepared(2);
        await broker.produce(topic, ticks(0, 3_000));
        const partition = partitionOfKey(game, 2);
        for (const [from, to] of [
          [0, 3_000],
          [1_234, 1_235],
          [2_999, 3_000],
          [5, 5],
        ] as const) {
          const numbers: number[] = [];
          for await (const batch of broker.read(topic, partition, from, to)) {
            assert.equal(batch.partition, partition);
            numbers.push(...batch.records.map((record) => numberOf(record.value)));
          }
          assert.deepEqual(numbers, range(from, to));
        }
      });

      it('refuses a range that is not all there', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 20));
        await subject.dropBefore(topic, 0, 10);
        await until('the drop', async () => (await broker.watermarks(topic))[0]?.low === 10);
        const drain = async (from: number, to: number) => {
          for await (const batch of broker.read(topic, 0, from, to)) assert.ok(batch.records.length > 0);
        };
        await assert.rejects(drain(9, 15), OffsetOutOfRange);
        await assert.rejects(drain(15, 21), OffsetOutOfRange);
        await drain(10, 20);
      });

      it('can be left in the middle', async () => {
        const { broker, topic } = await prepared();
        await broker.produce(topic, ticks(0, 5_000));
        for await (const batch of broker.read(topic, 0, 0, 5_000)) {
          assert.equal(batch.records[0]?.offset, 0);
          break;
        }
      });
    });
  });

  describe(`the log goes away and comes back: ${implementation.name}`, {
    ...skipFor(implementation.skip),
    concurrent: true,
  }, () => {
    it('refuses records within ten seconds, goes on by itself, and has kept all that it took', async () => {
      const subject = await implementation.fragile();
      const settings = quotesTopic(2);
      const broker = subject.open([settings]);
      const topic = settings.name;
      try {
        await broker.prepare();
        // A partition may move meanwhile: its new owner continues where the old one was.
        const member = await Member.join(broker, {
          topic,
          group: unique('group'),
          from: (partition, self) => (self.records(partition).at(-1)?.offset ?? -1) + 1,
        });
        await broker.produce(topic, ticks(0, 100));
        await member.until('what there is', () => member.records().length === 100);

        for (const trouble of ['kill', 'freeze'] as const) {
          await subject[trouble]();
          const startedAt = ownMs();
          const refusals = await Promise.allSettled([1, 2, 3].map(() => broker.produce(topic, ticks(900, 901))));
          assert.ok(ownMs() - startedAt < 11_000, `${ownMs() - startedAt} ms`);
          for (const refusal of refusals) {
            assert.ok(refusal.status === 'rejected' && refusal.reason instanceof BrokerUnavailable, trouble);
          }
          assert.equal(await broker.healthy(), false);
          if (trouble === 'kill') await subject.restart();
          else await subject.resume();
          await until('it takes records again', async () => {
            await broker.produce(topic, ticks(1_000, 1_001));
            return true;
          });
          assert.equal(await broker.healthy(), true);
        }
        await broker.produce(topic, ticks(100, 200));
        const numbers = () => member.records().map((record) => numberOf(record.value));
        await member.until('the later ones', () => numbers().includes(199));
        // First records delivered twice, then records written twice.
        const offsets = member.records(partitionOfKey(game, 2)).map((record) => record.offset);
        assert.deepEqual(offsets, range(0, offsets.length));
        const asked = numbers().filter((number) => number < 900);
        assert.deepEqual(asked, range(0, 200));
        assert.equal(member.failure, null);
        await member.stop();
      } finally {
        await broker.close();
        await subject.close();
      }
    });

    it('lets its consumers stop while it is away', async () => {
      const subject = await implementation.fragile();
      const settings = quotesTopic(1);
      const broker = subject.open([settings]);
      try {
        await broker.prepare();
        const member = await Member.join(broker, { topic: settings.name, group: unique('group') });
        await member.holds(1);
        await subject.kill();
        const startedAt = ownMs();
        await member.stop();
        assert.ok(ownMs() - startedAt < 5_000, `${ownMs() - startedAt} ms`);
      } finally {
        await broker.close();
        await subject.close();
      }
    });
  });
}

for (const implementation of await Promise.all([embeddedImplementation(), kafkaImplementation()])) {
  brokerContract(implementation);
}
