// Large elements in the object store: what a record refers to can be read back, whatever the store holds under the element's key already.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { heldElementKey, mostInlineBytes, plainElementKey } from '../../../core/msf/bodies/held-element.ts';
import { ObjectDamaged } from '../../../core/ports/object-store.ts';
import { ElementNotHeld, holdingElements } from '../../../ingest/gateway/hold-elements.ts';
import { heldText } from '../../support/builders/held-element.ts';
import { FakeObjects } from '../../support/fakes/gateway-fakes.ts';

const text = JSON.stringify({ plays: 'x'.repeat(mostInlineBytes) });
const sha256 = createHash('sha256').update(text).digest('hex');
const [key, plainKey] = [heldElementKey(sha256), plainElementKey(sha256)];
const wrong = Buffer.from('something else');

/** A store that compares what it holds with its digest when it is read, as S3 does: also when a put meets another object. */
class ComparingObjects extends FakeObjects {
  override async put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.held.get(name) === wrong) throw new ObjectDamaged(name);
    await super.put(name, bytes);
  }
  override async get(name: string): Promise<Uint8Array | null> {
    if (this.held.get(name) === wrong) throw new ObjectDamaged(name);
    return await super.get(name);
  }
}

for (const [name, open] of [
  ['a store that returns what it holds', () => new FakeObjects()],
  ['a store that compares digests', () => new ComparingObjects()],
] as const) {
  describe(`a large element in ${name}`, () => {
    const hold = async (objects: FakeObjects) => (await holdingElements(objects)(text)).held;

    it('is one object, also if another release has compressed it', async () => {
      for (const level of [undefined, 1, 19]) {
        const objects = open();
        if (level !== undefined) objects.held.set(key, zstdCompressSync(text, { params: { 100: level } }));
        const held = await hold(objects);
        assert.deepEqual([...objects.held.keys()], [key]);
        assert.deepEqual(Buffer.from((await heldText(objects, held)) ?? []).toString(), text);
      }
    });

    it('is stored beside its damaged object, and read from there', async () => {
      const objects = open();
      objects.held.set(key, wrong);
      const held = await hold(objects);
      assert.equal(Buffer.from((await heldText(objects, held)) ?? []).toString(), text);
      assert.deepEqual(await hold(objects), held, 'and again');
    });

    it('whose objects are both damaged is refused with their names and what to do', async () => {
      const objects = open();
      objects.held.set(key, wrong).set(plainKey, wrong);
      const why = new RegExp(`${key} and ${plainKey} are damaged: restore one of them from a backup, or delete it`);
      await assert.rejects(hold(objects), why);
    });

    it('of which the store does not say what it holds is to be sent again', async () => {
      const objects = open();
      objects.held.set(key, Buffer.from('another text'));
      objects.get = () => Promise.reject(new Error('no answer'));
      await assert.rejects(hold(objects), ElementNotHeld);
      objects.down = true;
      await assert.rejects(hold(objects), ElementNotHeld);
    });
  });
}
