// Why a version was made, and which datasets anything new may concern.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type BuiltFrom, mayDiffer, reasonOf } from '../../../core/settlement/version-reasons.ts';

const built: BuiltFrom = { orders: 'again/0 removed/aa', evidence: 'game-state/E/4 player-stats/E/2 line-up/xx' };
const standing = (change: Partial<BuiltFrom>): BuiltFrom => ({ ...built, ...change });

describe('the reason of a version', () => {
  it('is that the game was settled, for what lands first', () => {
    assert.equal(reasonOf('market-results', null, built), 'settled');
    assert.equal(reasonOf('market-results', built, built), 'settled', 'on evidence that came during the build');
  });

  for (const [what, now, reason] of [
    ['a revision', standing({ evidence: 'game-state/E/5 player-stats/E/2 line-up/xx' }), 'game-state/E/5'],
    ['two', standing({ evidence: 'game-state/E/5 player-stats/E/3 line-up/yy' }), 'game-state/E/5, player-stats/E/3'],
    ['a score by hand', standing({ orders: 'again/0 manual/7 removed/aa' }), 'manual/7'],
    ['an order', standing({ orders: 'again/1 removed/aa' }), 'settled again'],
    ['a removal', standing({ orders: 'again/0 removed/bb' }), 'rows removed'],
  ] as const) {
    it(`names ${what}`, () => assert.equal(reasonOf('market-results', built, now), reason));
  }

  it('names a score that was taken back', () => {
    const before = standing({ orders: 'again/0 manual/7 removed/aa' });
    assert.equal(reasonOf('market-results', before, built), 'manual taken back');
  });

  it('names only what the dataset is made of', () => {
    const now = standing({ evidence: 'game-state/E/5 player-stats/E/3 line-up/yy' });
    assert.equal(reasonOf('closing-lines', built, now), 'line-up');
    assert.equal(reasonOf('game-state-timeline', built, now), 'game-state/E/5');
  });
});

it('a dataset may differ only where something that it is made of has changed', () => {
  const moved = standing({ evidence: 'game-state/E/5 player-stats/E/2 line-up/xx' });
  assert.equal(mayDiffer('game-state-timeline', built, moved), true);
  assert.equal(mayDiffer('sportsbook-lines', built, moved), false);
  assert.equal(mayDiffer('sportsbook-lines', built, standing({ orders: 'again/0 removed/bb' })), true);
  assert.equal(mayDiffer('sportsbook-lines', null, built), true, 'nothing was built yet');
});
