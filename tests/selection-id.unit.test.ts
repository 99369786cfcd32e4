import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { selectionId } from '../core/quotes/selection-id.ts';

describe('identities', () => {
  it('join market, period, selection, player and line', () => {
    assert.equal(selectionId('moneyline', 'full', 'home', null, null), 'moneyline/full/home');
    assert.equal(
      selectionId('player_points', 'q1', 'over', 'Jalen Hurts', 21_500),
      'player_points/q1/over/Jalen Hurts/21.5',
    );
    assert.equal(selectionId('spread', 'full', 'home', null, -1_500), 'spread/full/home/-1.5');
    assert.equal(selectionId('spread', 'full', 'home', null, 0), 'spread/full/home/0');
  });

  it('encode what separates, escapes and controls, and nothing else', () => {
    const encoded: readonly [part: string, text: string][] = [
      ['D/ST', 'D%2FST'],
      ['100%', '100%25'],
      ['a\tb', 'a%09b'],
      ['\u0000', '%00'],
      ['\u001f ', '%1F '],
      ['\u007f', '%7F'],
      ['\u0080', '%C2%80'],
      ['\u009f', '%C2%9F'],
      ['\u00a0', '\u00a0'],
      ['été ? & | #"+', 'été ? & | #"+'],
      ['😀', '😀'],
      ['%2F', '%252F'],
      ['\u2028', '\u2028'],
    ];
    for (const [part, text] of encoded) {
      assert.equal(selectionId('m', 'full', part, null, null), `m/full/${text}`);
      assert.equal(selectionId('m', 'full', 'x', part, null), `m/full/x/${text}`);
    }
  });

  it('differ where selections do', () => {
    const part = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a/b', 'a', 'b', '%2F', '/', '1.5', 'a%2Fb'));
    const selection = fc.tuple(part, fc.option(part, { nil: null }));
    fc.assert(
      fc.property(selection, selection, (a, b) => {
        const same = a[0] === b[0] && a[1] === b[1];
        assert.equal(selectionId('m', 'full', a[0], a[1], null) === selectionId('m', 'full', b[0], b[1], null), same);
      }),
      { numRuns: 2_000 },
    );
  });
});
