// The record ids of keyed pushes that a game has applied (docs/quotes.md#duplicates), kept until it settles: 64-bit fingerprints, about 16
// bytes each including the index. Among a million ids, the odds of a collision are one in forty million.
import { hash } from 'node:crypto';
import { packed, unpacked } from './packed.ts';

/** `entries` in order of arrival, two numbers each; `slots` is an open-addressed index: position of the entry plus one. */
export type RecordIds = { size: number; entries: Uint32Array; slots: Int32Array };

/** The two halves of a fingerprint. */
export type RecordId = { high: number; low: number };

export function newRecordIds(): RecordIds {
  return { size: 0, entries: new Uint32Array(0), slots: new Int32Array(0) };
}

/** Fingerprint of a source's `record_id`. It includes the source, so no source can claim another's ids. */
export function recordIdOf(source: string, recordId: string): RecordId {
  const digest = hash('sha256', `${source}\n${recordId}`, 'hex');
  return { high: Number.parseInt(digest.slice(0, 8), 16), low: Number.parseInt(digest.slice(8, 16), 16) };
}

export function hasRecordId(ids: RecordIds, id: RecordId): boolean {
  return ids.size > 0 && ids.slots[slotOf(ids, id)] !== 0;
}

/** Adds an id that is not in the set. */
export function addRecordId(ids: RecordIds, id: RecordId): void {
  if ((ids.size + 1) * 2 > ids.slots.length) grow(ids);
  ids.entries[ids.size * 2] = id.high;
  ids.entries[ids.size * 2 + 1] = id.low;
  ids.size += 1;
  ids.slots[slotOf(ids, id)] = ids.size;
}

/** The slot that holds `id`, or the empty one where it belongs. */
function slotOf(ids: RecordIds, id: RecordId): number {
  const mask = ids.slots.length - 1;
  let slot = id.low & mask;
  for (;;) {
    const entry = ids.slots[slot]!;
    if (entry === 0) return slot;
    if (ids.entries[entry * 2 - 2] === id.high && ids.entries[entry * 2 - 1] === id.low) return slot;
    slot = (slot + 1) & mask;
  }
}

/** Doubles the capacity and rebuilds the index. At most half of the slots are in use. */
function grow(ids: RecordIds): void {
  const capacity = Math.max(16, ids.slots.length * 2);
  const entries = new Uint32Array(capacity);
  entries.set(ids.entries.subarray(0, ids.size * 2));
  ids.entries = entries;
  ids.slots = new Int32Array(capacity);
  for (let entry = 0; entry < ids.size; entry += 1) {
    // Later entries are not indexed yet, so the slot of this one is still free.
    ids.slots[slotOf(ids, { high: entries[entry * 2]!, low: entries[entry * 2 + 1]! })] = entry + 1;
  }
}

export function saveRecordIds(ids: RecordIds): string {
  return packed(ids.entries.subarray(0, ids.size * 2));
}

export function loadRecordIds(saved: string): RecordIds {
  const entries = new Uint32Array(unpacked(saved));
  const ids = newRecordIds();
  for (let at = 0; at < entries.length; at += 2) addRecordId(ids, { high: entries[at]!, low: entries[at + 1]! });
  return ids;
}
