import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nearestName } from '../../core/nearest-name.ts';

const names = ['odds_format', 'markets', 'bookmakers', 'operator', 'line'];

describe('the name that was probably meant', () => {
  const table: readonly (readonly [string, string | null])[] = [
    ['oddsFormat', 'odds_format'],
    ['odds-format', 'odds_format'],
    ['ODDS_FORMAT', 'odds_format'],
    ['odd_format', 'odds_format'],
    ['operater', 'operator'],
    ['opreator', 'operator'],
    ['market', 'markets'],
    ['lines', 'line'],
    ['lime', 'line'],
    ['loan', null],
    ['x', null],
    ['', null],
    ['season', null],
    ['operator'.repeat(10), null],
  ];
  for (const [written, meant] of table)
    it(`of ${JSON.stringify(written.slice(0, 20))} is ${meant}`, () =>
      assert.equal(nearestName(written, names), meant));

  it('is the nearest of several', () => {
    assert.equal(nearestName('market', ['markers', 'markets', 'market_']), 'market_');
  });
});
