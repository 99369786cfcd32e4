import assert from 'node:assert/strict';
import { it } from 'vitest';
import { candidates } from '../../../ops/session/candidates.ts';

it('names what is a letter or two away, else what there is', () => {
  const known = ['DRAFTKINGS', 'FANDUEL', 'BET365'];
  assert.equal(candidates('draftkngs', known), 'did you mean DRAFTKINGS?');
  assert.equal(candidates('BET356', known), 'did you mean BET365?');
  assert.equal(candidates('DRAFTKIGNS', [...known, 'DRAFTKING']), 'did you mean DRAFTKINGS or DRAFTKING?');
  assert.equal(candidates('pinnacle', known), 'known are DRAFTKINGS, FANDUEL, BET365');
  const many = Array.from({ length: 20 }, (_, at) => `BOOK_NUMBER_${at}_OF_MANY`);
  assert.match(candidates('x', many), /^known are (BOOK_NUMBER_\d_OF_MANY, ){7}BOOK_NUMBER_7_OF_MANY …$/);
  assert.equal(candidates('x', []), '');
});
