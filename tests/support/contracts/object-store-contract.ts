// What every ObjectStore promises (core/ports/object-store.ts), written once and run against each.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ObjectConflict, type ObjectInfo, type ObjectStore } from '../../../core/ports/object-store.ts';
import { skipFor } from '../vitest/skip-for.ts';

/** Runs the suite on stores that `open` opens; several stores of one suite see the same objects. */
export function objectStoreContract(
  name: string,
  open: () => Promise<ObjectStore>,
  skip: string | false = false,
): void {
  describe(`object store: ${name}`, skipFor(skip), () => {
    let store: ObjectStore;
    const stores: ObjectStore[] = [];
    const openAnother = async () => {
      const opened = await open();
      stores.push(opened);
      return opened;
    };
    beforeAll(async () => {
      store = await openAnother();
    });
    afterAll(() => Promise.all(stores.map((each) => each.close())));

    const bytesOf = (text: string) => new TextEncoder().encode(text);
    const holds = async (key: string, bytes: Uint8Array) =>
      assert.equal(
        Buffer.from((await store.get(key)) ?? []).toString('latin1'),
        Buffer.from(bytes).toString('latin1'),
        key,
      );
    const listed = async (prefix: string) => {
      const found: ObjectInfo[] = [];
      for await (const info of store.list(prefix)) found.push(info);
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    };

    it('gives back what was put, whole or in part', async () => {
      const bytes = randomBytes(70_000);
      await store.put('whole/a.parquet', bytes);
      assert.deepEqual(Buffer.from((await store.get('whole/a.parquet'))!), bytes);
      for (const [offset, length] of [
        [0, 1],
        [0, 70_000],
        [69_999, 1],
        [1_234, 5_678],
      ] as const) {
        const part = await store.get('whole/a.parquet', { offset, length });
        assert.deepEqual(Buffer.from(part!), bytes.subarray(offset, offset + length));
      }
    });

    it('keeps an empty object', async () => {
      await store.put('empty', new Uint8Array());
      assert.equal((await store.get('empty'))?.length, 0);
      assert.equal((await store.head('empty'))?.size, 0);
    });

    it('knows nothing of a key that was not put', async () => {
      assert.equal(await store.get('absent/a'), null);
      assert.equal(await store.get('absent/a', { offset: 0, length: 1 }), null);
      assert.equal(await store.head('absent/a'), null);
      assert.deepEqual(await listed('absent/'), []);
    });

    it('takes the same bytes again and refuses others, which change nothing', async () => {
      await store.put('once/a', bytesOf('first'));
      await store.put('once/a', bytesOf('first'));
      await assert.rejects(store.put('once/a', bytesOf('other')), ObjectConflict);
      await assert.rejects(store.put('once/a', bytesOf('first and more')), ObjectConflict);
      await holds('once/a', bytesOf('first'));
    });

    it('lets exactly one of 32 concurrent puts of one key win, and serves that one', async () => {
      const writers = await Promise.all([openAnother(), openAnother()]);
      const bodies = Array.from({ length: 32 }, (_, index) => bytesOf(`writer ${index} ${'x'.repeat(20_000)}`));
      const answers = await Promise.allSettled(bodies.map((body, index) => writers[index % 2]!.put('race/a', body)));
      const winners = answers.flatMap((answer, index) => (answer.status === 'fulfilled' ? [index] : []));
      assert.equal(winners.length, 1);
      for (const answer of answers) {
        if (answer.status === 'rejected') assert.ok(answer.reason instanceof ObjectConflict, String(answer.reason));
      }
      await holds('race/a', bodies[winners[0]!]!);
    });

    it('lets all of 16 concurrent puts of the same bytes succeed', async () => {
      await Promise.all(Array.from({ length: 16 }, () => store.put('race/same', bytesOf('same'))));
      await holds('race/same', bytesOf('same'));
    });

    it('takes many keys of one new folder at once', async () => {
      const keys = Array.from({ length: 40 }, (_, index) => `many/new/folder/${index}`);
      await Promise.all(keys.map((key) => store.put(key, bytesOf(key))));
      assert.deepEqual(
        (await listed('many/')).map((info) => info.key),
        keys.sort(),
      );
    });

    it('never gives fewer bytes than asked', async () => {
      await store.put('short/a', bytesOf('12345'));
      for (const part of [
        { offset: 0, length: 6 },
        { offset: 4, length: 2 },
        { offset: 5, length: 1 },
        { offset: 99, length: 1 },
      ]) {
        await assert.rejects(store.get('short/a', part), `${part.offset}+${part.length}`);
      }
    });

    it('keeps an object when the caller changes its bytes, and hands out copies', async () => {
      const given = bytesOf('mine');
      await store.put('copy/a', given);
      given.fill(0);
      const taken = await store.get('copy/a');
      assert.equal(Buffer.from(taken!).toString(), 'mine');
      taken!.fill(0);
      await holds('copy/a', bytesOf('mine'));
    });

    it('lists by prefix, with sizes and times', async () => {
      const from = Date.now() * 1000;
      await store.put('list/a/1.x', bytesOf('1'));
      await store.put('list/a/22.x', bytesOf('22'));
      await store.put('list/ab/3.x', bytesOf('333'));
      await store.put('listing', bytesOf('no'));
      const sizes = async (prefix: string) => (await listed(prefix)).map((info) => [info.key, info.size]);
      assert.deepEqual(await sizes('list/'), [
        ['list/a/1.x', 1],
        ['list/a/22.x', 2],
        ['list/ab/3.x', 3],
      ]);
      assert.deepEqual(await sizes('list/a'), [
        ['list/a/1.x', 1],
        ['list/a/22.x', 2],
        ['list/ab/3.x', 3],
      ]);
      assert.deepEqual(await sizes('list/a/'), [
        ['list/a/1.x', 1],
        ['list/a/22.x', 2],
      ]);
      assert.deepEqual(await sizes('list/a/2'), [['list/a/22.x', 2]]);
      assert.ok((await sizes('')).length >= 4);
      for (const info of await listed('list/')) {
        assert.ok(Number.isSafeInteger(info.modifiedAt));
        // Some stores keep whole seconds only.
        assert.ok(
          info.modifiedAt >= from - 2_000_000 && info.modifiedAt <= Date.now() * 1000 + 2_000_000,
          `${info.modifiedAt - from}`,
        );
        assert.deepEqual(await store.head(info.key), info);
      }
    });

    it('deletes, and takes the key anew', async () => {
      await store.put('gone/deep/a', bytesOf('a'));
      await store.put('gone/deep/b', bytesOf('b'));
      await store.delete(['gone/deep/a', 'gone/never-was', 'gone/deep/a']);
      assert.equal(await store.get('gone/deep/a'), null);
      assert.deepEqual(
        (await listed('gone/')).map((info) => info.key),
        ['gone/deep/b'],
      );
      await store.delete(['gone/deep/b']);
      assert.deepEqual(await listed('gone/'), []);
      await store.put('gone/deep/a', bytesOf('new'));
      await holds('gone/deep/a', bytesOf('new'));
      await store.delete([]);
    });

    it('puts while the neighbours of the key are deleted', async () => {
      for (let round = 0; round < 10; round += 1) {
        await store.put(`busy/${round}/old`, bytesOf('old'));
        await Promise.all([store.delete([`busy/${round}/old`]), store.put(`busy/${round}/new`, bytesOf('new'))]);
        await holds(`busy/${round}/new`, bytesOf('new'));
      }
    });

    it('refuses what is no key, everywhere', async () => {
      const keys = [
        '',
        '/a',
        'a/',
        'a//b',
        '.',
        '..',
        '../a',
        'a/../b',
        'a/..',
        './a',
        'a\0b',
        'a\\b',
        'a b',
        'é',
        'a%2e',
        'a'.repeat(2_000),
        `a/${'b'.repeat(300)}`,
      ];
      for (const key of keys) {
        await assert.rejects(store.put(key, bytesOf('x')), RangeError, `put ${key}`);
        await assert.rejects(store.get(key), RangeError, `get ${key}`);
        await assert.rejects(store.head(key), RangeError, `head ${key}`);
        await assert.rejects(store.delete([key]), RangeError, `delete ${key}`);
      }
      for (const prefix of ['/', '../', 'a/../', 'a\0'])
        await assert.rejects(listed(prefix), RangeError, `list ${prefix}`);
      for (const part of [
        { offset: -1, length: 1 },
        { offset: 0, length: 0 },
        { offset: 0.5, length: 1 },
        { offset: 0, length: Number.NaN },
      ]) {
        await assert.rejects(store.get('whole/a.parquet', part), RangeError);
      }
    });
  });
}
