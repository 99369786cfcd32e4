// The player of a quote is the name in its selection's id: docs/odds.md#the-answer.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { quoteOf } from '../../../core/odds/quote.ts';
import { selectionId } from '../../../core/quotes/selection-id.ts';
import { lineRows } from '../../support/builders/final-rows.ts';

it('a quote has the name of the player that its id has, whether its line is in the id or not', () => {
  const [row] = lineRows({ uuid: 'u', gameId: 'MLB_BOS_TOR_20260804', league: 'MLB' }, 1);
  assert.ok(row !== undefined);
  const playerIn = (player: string | null, lineInId: number | null) =>
    quoteOf({ ...row, line: 21_500, selection_id: selectionId('player_points', 'full', 'over', player, lineInId) })
      .player;
  for (const lineInId of [null, 21_500]) {
    assert.equal(playerIn('LeBron James', lineInId), 'LeBron James');
    assert.equal(playerIn(null, lineInId), null);
  }
});
