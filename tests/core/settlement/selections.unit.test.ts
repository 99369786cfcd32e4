// Which selections of a log get a row, with whom and in what order.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type SelectionRow, Selections } from '../../../core/settlement/selections.ts';

const row = (id: string, more: Partial<SelectionRow> = {}): SelectionRow => {
  const [market = '', period = '', selection = ''] = id.split('/');
  return { selection_id: id, market, period, selection, line: null, player_id: null, is_open: true, ...more };
};

function collected(rows: readonly SelectionRow[]): unknown[] {
  const selections = new Selections();
  for (const each of rows) selections.add(each);
  return selections.list().map(({ selectionId, line, playerId }) => [selectionId, line, playerId]);
}

describe('the selections of a log', () => {
  it('are those that were open once, each at each of its lines', () => {
    const rows = [
      row('total/full/over', { line: 2_000 }),
      row('total/full/over', { line: 2_000 }),
      row('total/full/over', { line: -500 }),
      row('total/full/over'),
      row('total/full/over', { line: 0 }),
      row('total/full/over', { line: 9_000, is_open: false }),
    ];
    assert.deepEqual(collected(rows), [
      ['total/full/over', null, null],
      ['total/full/over', -500, null],
      ['total/full/over', 0, null],
      ['total/full/over', 2_000, null],
    ]);
  });

  it('have the last player that an open row of the line told', () => {
    const rows = [
      row('player_points/full/over', { line: 1, player_id: 'a' }),
      row('player_points/full/over', { line: 1, player_id: 'b' }),
      row('player_points/full/over', { line: 1 }),
      row('player_points/full/over', { line: 1, player_id: 'c', is_open: false }),
      row('player_points/full/over', { line: 2 }),
    ];
    assert.deepEqual(collected(rows), [
      ['player_points/full/over', 1, 'b'],
      ['player_points/full/over', 2, null],
    ]);
  });

  it('are in order of bytes', () => {
    const ids = ['x_a/full/\u{1f600}', 'x_a/full/\uff00', 'x_a/full/a', 'x_a/full/B'];
    assert.deepEqual(
      collected(ids.map((id) => row(id))).map((each) => (each as string[])[0]),
      ['x_a/full/B', 'x_a/full/a', 'x_a/full/\uff00', 'x_a/full/\u{1f600}'],
    );
  });
});
