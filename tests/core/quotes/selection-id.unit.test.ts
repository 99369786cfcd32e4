import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { findSelection, idOfSelection, rememberSelection } from '../../../core/quotes/selection-cache.ts';
import { selectionId } from '../../../core/quotes/selection-id.ts';

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

describe('selections that are remembered', () => {
  // Small alphabets: a part often equals another part, and a player's name a line.
  const text = fc.constantFrom('a', 'b', 'home', '1.5', 'a/b');
  const line = fc.option(fc.constantFrom(0, 1_500, -1_500), { nil: null });

  it('have the identities of their names, whatever was asked for before', () => {
    let kept = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text, fc.option(text, { nil: null }), line)), (asked) => {
        for (const [market, period, selection, player, line] of asked) {
          const known =
            findSelection(market, period, selection, player) ??
            rememberSelection({ market, period, selection, player });
          assert.equal(idOfSelection(known, line), selectionId(market, period, selection, player, line));
          // This may have filled the process's cache, which is then emptied.
          const found = findSelection(market, period, selection, player);
          if (found === undefined) continue;
          assert.equal(found, known);
          kept += 1;
        }
      }),
    );
    assert.ok(kept > 0);
  });

  it('are forgotten before they are too many, and too long ones are not kept', () => {
    const names = (player: string) => ({ market: 'm', period: 'full', selection: 'over', player });
    const first = rememberSelection(names('first'));
    rememberSelection(names('x'.repeat(100)));
    assert.equal(findSelection('m', 'full', 'over', 'x'.repeat(100)), undefined);
    assert.equal(findSelection('m', 'full', 'over', 'first'), first);
    for (let more = 0; more < 40_000; more += 1) idOfSelection(rememberSelection(names(`player ${more}`)), more);
    assert.equal(findSelection('m', 'full', 'over', 'first'), undefined);
    assert.equal(idOfSelection(first, 500), 'm/full/over/first/0.5');
  });
});
