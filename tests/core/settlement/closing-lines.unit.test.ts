// The rows of closing-lines, all their columns, on logs of a few rows (docs/settlement.md#closing-lines).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type ClosedGameColumns, ClosingLines } from '../../../core/settlement/closing-lines.ts';
import type { StartOfPlay } from '../../../core/settlement/game-lifecycle.ts';
import type { SportsbookLinesRow } from '../../../schemas/datasets/sportsbook-lines.ts';

const minute = 60_000_000;
const t0 = 1_000 * minute;
const begun: StartOfPlay = { basis: 'status', t0, scheduledStart: t0 - 5, actualStart: t0 };
const game: ClosedGameColumns = {
  gameId: 'NFL_DET_PHI_20260110',
  league: 'NFL',
  gameDate: '2026-01-10',
  lineups: { home: ['h1', 'h2'], away: ['a1'] },
};

/** A row of an open home spread, with the changes in `more`. */
function row(timestamp: number, more: Partial<SportsbookLinesRow> = {}): SportsbookLinesRow {
  return {
    game_id: '11111111-2222-5333-8444-555555555555',
    league: 'NFL',
    operator: 'X',
    row_number: 1,
    selection_id: 'spread/full/home',
    market: 'spread',
    period: 'full',
    selection: 'home',
    player_id: null,
    line: -2_500,
    price_american: -110,
    price_decimal: 19_091,
    price_source_format: 'american',
    is_open: true,
    change: 'opened',
    in_play: false,
    timestamp,
    source_timestamp: null,
    source: 'feed',
    ...more,
  };
}

const suspended = { is_open: false, change: 'suspended' } as const;
const withdrawn = { is_open: false, change: 'withdrawn' } as const;

function closing(rows: readonly SportsbookLinesRow[], start: StartOfPlay = begun) {
  const lines = new ClosingLines(start);
  for (const each of rows) lines.add(each);
  return lines.rows(game);
}

describe('closing lines', () => {
  it('have every column from the opening, the closing row and the game', () => {
    const last = { line: -3_000, price_american: 105, price_decimal: 20_500, player_id: 'p' };
    assert.deepEqual(closing([row(10), row(20, last), row(30, { ...suspended, line: -3_500 })]), [
      {
        game_id: 'NFL_DET_PHI_20260110',
        league: 'NFL',
        game_date: Date.UTC(2026, 0, 10) / 86_400_000,
        operator: 'X',
        selection_id: 'spread/full/home',
        market: 'spread',
        period: 'full',
        selection: 'home',
        player_id: 'p',
        line: -3_000,
        closing_price_american: 105,
        closing_price_decimal: 20_500,
        opening_line: -2_500,
        opening_price_american: -110,
        opening_price_decimal: 19_091,
        opened_at: 10,
        closed_at: 20,
        close_basis: 'suspended_before_start',
        scheduled_start: t0 - 5,
        actual_start: t0,
        home_player_ids: ['h1', 'h2'],
        away_player_ids: ['a1'],
      },
    ]);
  });

  it('rest on the start of play, or are reconstructed where only a start is known', () => {
    const reconstructed: StartOfPlay = { basis: 'scheduled', t0, scheduledStart: t0, actualStart: null };
    const bases = [begun, { ...begun, basis: 'in_play' } as const, reconstructed].map((start) =>
      closing([row(10), row(20, suspended), row(10, { selection_id: 'spread/full/away' })], start),
    );
    assert.deepEqual(
      bases.map((rows) => rows.map((each) => each.close_basis)),
      [
        ['last_before_start', 'suspended_before_start'],
        ['last_before_start', 'suspended_before_start'],
        ['reconstructed', 'reconstructed'],
      ],
    );
  });

  it('need an open row before play that no source or start put in play', () => {
    assert.equal(closing([row(t0 - 1)]).length, 1);
    for (const late of [row(t0), row(20, { in_play: true }), row(20, suspended), row(t0 - 1, withdrawn)]) {
      assert.deepEqual(closing([late]), []);
    }
  });

  it('are gone with a selection that left a quarter of an hour before play', () => {
    const left = (before: number) => closing([row(10), row(t0 - before, withdrawn)]).map((each) => each.close_basis);
    assert.deepEqual(left(15 * minute), []);
    assert.deepEqual(left(15 * minute - 1), ['suspended_before_start']);
  });

  it('go by operators, then by the bytes of selections', () => {
    const ids = ['x/full/\u{1F3C8}', 'x/full/～', 'x/full/z', 'x/full'];
    const rows = ['Y', 'X'].flatMap((operator) => ids.map((selection_id) => row(10, { operator, selection_id })));
    assert.deepEqual(
      closing(rows).map((each) => [each.operator, each.selection_id]),
      ['X', 'Y'].flatMap((operator) => ids.toReversed().map((id) => [operator, id])),
    );
  });

  it('are not made up for an open row without a price', () => {
    assert.throws(() => closing([row(10, { row_number: 7, price_decimal: null })]), /row 7 is open and has no price/);
  });
});
