// Claim: the digest of a state is that of its lines, whatever states came before it and however much it begins with what they began with. A
// violation would need a remembered hash that is of other rows than those the state begins with.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { stateDigest } from '../../../../core/msf/digest.ts';
import { digestOf } from '../../../../core/msf/streams/state-digest.ts';
import type { DatasetState, StateRow } from '../../../../core/msf/types.ts';

const edits = fc.array(fc.record({ at: fc.nat(2_600), cut: fc.constantFrom(0, 0, 1, 1, 600), more: fc.nat(3) }), {
  maxLength: 6,
});

it('the digest of a state is that of its lines, whatever came before it', () => {
  let serial = 0;
  const newRow = (): StateRow => {
    serial += 1;
    return { row: {}, line: `["row ${serial}"]` };
  };
  fc.assert(
    fc.property(fc.constantFrom(0, 511, 512, 513, 1_024, 2_500), edits, (length, steps) => {
      let before: DatasetState = [];
      let state: DatasetState = Array.from({ length }, newRow);
      for (const { at, cut, more } of [...steps, { at: 0, cut: 0, more: 0 }]) {
        assert.equal(digestOf(state, before), stateDigest(state.map(({ line }) => line)));
        assert.equal(digestOf(state, state), digestOf(state));
        before = state;
        state = state.toSpliced(at, cut, ...Array.from({ length: more }, newRow));
      }
    }),
  );
});
