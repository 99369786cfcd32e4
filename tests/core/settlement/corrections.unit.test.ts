// When a version of market-results is cut, what its rows keep, and who was found before.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { keepFoundPlayers, nextVersion } from '../../../core/settlement/corrections.ts';
import { RemovedPlayers } from '../../../core/settlement/removed-players.ts';
import type { SelectionRow } from '../../../core/settlement/selections.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';

const first: MarketResultsRow = {
  game_id: 'g',
  league: 'NBA',
  selection_id: 'player_points/full/over/A',
  market: 'player_points',
  period: 'full',
  selection: 'over',
  player_id: null,
  line: 9_500,
  result: 'win',
  result_value: 10_000,
  result_reason: null,
  settled_at: 1,
  settlement_source: 'player-stats/E/1',
  correction: 0,
};
const later = { settled_at: 2, settlement_source: 'player-stats/E/2' };
const other = { ...first, line: 8_500 };

describe('a version', () => {
  it('is cut from the first grades, and from none where nothing can land', () => {
    assert.deepEqual(nextVersion(null, [first]), [first]);
    assert.equal(nextVersion(null, null), null);
    assert.equal(nextVersion([first], null), null);
  });

  it('is not cut for a new source alone', () => {
    assert.equal(nextVersion([{ ...first, correction: 3 }], [{ ...first, ...later }]), null);
  });

  it('is cut for a new result, value, reason or player, and for a row more or less', () => {
    const changes: Partial<MarketResultsRow>[] = [{ result: 'loss' }, { result_value: 11_000 }, { player_id: 'p' }];
    for (const change of changes) assert.notEqual(nextVersion([first], [{ ...first, ...change }]), null);
    const ungraded = { ...first, result: 'ungraded', result_value: null, result_reason: 'unknown_player' } as const;
    assert.notEqual(nextVersion([ungraded], [{ ...ungraded, result_reason: 'unknown_statistic' }]), null);
    assert.deepEqual(nextVersion([first], [first, other]), [first, other]);
    assert.deepEqual(nextVersion([first, other], [first]), [first]);
  });

  it('keeps source, time and number of the rows whose result and value stay', () => {
    const before = [{ ...first, correction: 2 }, other];
    const graded = [
      { ...first, ...later, player_id: 'p' },
      { ...other, ...later, result_value: 11_000 },
    ];
    assert.deepEqual(nextVersion(before, graded), [
      { ...first, correction: 2, player_id: 'p' },
      { ...other, ...later, result_value: 11_000, correction: 1 },
    ]);
  });

  it('counts a correction from each result but ungraded', () => {
    const withResult = (result: MarketResultsRow['result'], correction: number) => [{ ...first, result, correction }];
    const numberAfter = (from: MarketResultsRow['result'], to: MarketResultsRow['result']) =>
      nextVersion(withResult(from, 4), withResult(to, 0))?.[0]?.correction;
    assert.equal(numberAfter('win', 'ungraded'), 5);
    assert.equal(numberAfter('void', 'win'), 5);
    assert.equal(numberAfter('ungraded', 'win'), 4);
  });
});

it('a player once found is taken for the selection, at that line alone, but never before one that the log told', () => {
  const { selection_id: selectionId, market, period, selection, line } = first;
  const unnamed = { selectionId, market, period, selection, line, playerId: null };
  const before = [{ ...first, player_id: 'p' }, other];
  assert.deepEqual(
    keepFoundPlayers(before, [
      unnamed,
      { ...unnamed, line: 8_500 },
      { ...unnamed, line: 7_500 },
      { ...unnamed, playerId: 'q' },
    ]),
    [
      { ...unnamed, playerId: 'p' },
      { ...unnamed, line: 8_500 },
      { ...unnamed, line: 7_500 },
      { ...unnamed, playerId: 'q' },
    ],
  );
  assert.deepEqual(keepFoundPlayers(null, [unnamed]), [unnamed]);
});

it('a player of the removed rows is not kept: no name has found him', () => {
  const { selection_id: selectionId, market, period, selection, line } = first;
  const unnamed = { selectionId, market, period, selection, line, playerId: null };
  const row = { selection_id: selectionId, market, period, selection, line, is_open: true };
  const before = [{ ...first, player_id: 'p' }];
  const keptAfter = (...removed: SelectionRow[]) => {
    const players = new RemovedPlayers();
    for (const each of removed) players.add(each);
    return keepFoundPlayers(before, [unnamed], players)[0]?.playerId;
  };
  assert.equal(keptAfter({ ...row, player_id: 'p' }), null);
  assert.equal(keptAfter({ ...row, player_id: 'q' }, { ...row, player_id: 'p' }, { ...row, player_id: 'q' }), null);
  assert.equal(keptAfter(), 'p');
  assert.equal(keptAfter({ ...row, player_id: null }, { ...row, player_id: 'q' }), 'p');
  assert.equal(keptAfter({ ...row, player_id: 'p', line: 8_500 }), 'p', 'of another line');
  assert.equal(keptAfter({ ...row, player_id: 'p', is_open: false }), 'p', 'never open');
});
