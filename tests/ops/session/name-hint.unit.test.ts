import assert from 'node:assert/strict';
import { it } from 'vitest';
import { nameHint } from '../../../ops/session/name-hint.ts';

it('names what is a letter or two away, else what there is', () => {
  const known = ['DRAFTKINGS', 'FANDUEL', 'BET365'];
  assert.equal(nameHint('draftkngs', known), 'did you mean DRAFTKINGS?');
  assert.equal(nameHint('BET356', known), 'did you mean BET365?');
  assert.equal(nameHint('DRAFTKIGNS', [...known, 'DRAFTKING']), 'did you mean DRAFTKINGS or DRAFTKING?');
  assert.equal(nameHint('pinnacle', known), 'known are DRAFTKINGS, FANDUEL, BET365');
  const many = Array.from({ length: 20 }, (_, at) => `BOOK_NUMBER_${at}_OF_MANY`);
  assert.match(nameHint('x', many), /^known are (BOOK_NUMBER_\d_OF_MANY, ){7}BOOK_NUMBER_7_OF_MANY …$/);
  assert.equal(nameHint('x', []), '');
});
