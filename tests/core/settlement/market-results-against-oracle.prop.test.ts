// Claims: on any game of any league, whatever its log and its evidence, the rows of market-results are those of a second grader that was
// written from the page alone; and the games drawn here reach every result and every reason. A violation of the first would need one
// reading of a sentence here and another one there.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { gradeMarkets } from '../../../core/settlement/market-results.ts';
import { type Selection, Selections } from '../../../core/settlement/selections.ts';
import { type MarketResultsRow, resultReasons } from '../../../schemas/datasets/market-results.ts';
import type { LogRow } from '../../oracle/settlement-evidence.ts';
import { gradeByThePage } from '../../oracle/settlement-grader.ts';
import { formulas, statisticsIn } from '../../oracle/settlement-statistics.ts';
import { endedGame } from '../../support/arbitraries/settlement.ts';

describe('market-results of random games', () => {
  const seen = new Map<string, number>();

  it('are those of the second grader', () => {
    fc.assert(
      fc.property(endedGame, ({ league, log, evidence }) => {
        const graded = gradeMarkets({ gameId: 'g', league }, selectionsOf(log), evidence);
        const expected = gradeByThePage(log, evidence)?.map((row) => ({ game_id: 'g', league, ...row })) ?? null;
        assert.deepEqual(graded, expected);
        const named = new Set(log.flatMap((row) => (row.is_open && row.player_id !== null ? [keyOf(row)] : [])));
        for (const row of graded ?? []) count(row, !named.has(keyOf(row)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('reach every result, of teams and of players, and every reason', () => {
    const results = ['win', 'loss', 'push', 'half_win', 'half_loss', 'void', 'ungraded'];
    const wanted = [
      ...results.flatMap((each) => [`team ${each}`, `player ${each}`]),
      ...resultReasons,
      'found by name',
    ];
    assert.deepEqual(
      wanted.filter((each) => !seen.has(each)),
      [],
    );
  });

  function count(row: MarketResultsRow, isNameless: boolean): void {
    const kind = /^(player|batter|pitcher)_/.test(row.market) ? 'player' : 'team';
    const facts = [
      `${kind} ${row.result}`,
      row.result_reason,
      row.player_id !== null && isNameless ? 'found by name' : null,
    ];
    for (const fact of facts) if (fact !== null) seen.set(fact, (seen.get(fact) ?? 0) + 1);
  }
});

it('every player market of every league counts the statistics of the page, each told apart by its value', () => {
  const leagues = ['NBA', 'NCAAM', 'NFL', 'MLB', 'NHL'] as const;
  const everyMarket = [...new Set(leagues.flatMap((league) => [...formulas(league).keys()]))];
  const none = { cancelledAt: null, manual: null, players: [], homeTeamId: 'home', awayTeamId: 'away' };
  const gameState = { epoch: 'G', revision: 1, at: 1, playedStatus: 'COMPLETED', away: 1, home: 2 };
  for (const league of leagues) {
    const stats = [...new Set([...[...formulas(league).values()].flatMap(statisticsIn), 'batting.plateAppearances'])];
    const rows = stats.flatMap((stat, index) => [
      { playerId: 'p', teamId: 'home', stat, value: stat.endsWith('inningsPitched') ? 62_000 : 2 ** index * 10 },
      { playerId: 'q', teamId: 'away', stat, value: 0 },
    ]);
    const evidence = {
      ...none,
      league,
      gameState: { ...gameState, awayPeriods: [], homePeriods: [] },
      playerStats: { epoch: 'S', revision: 1, at: 1, rows },
    };
    const log = everyMarket.map((market): LogRow => {
      const selection_id = `${market}/full/over`;
      return { selection_id, market, period: 'full', selection: 'over', line: 500, player_id: 'p', is_open: true };
    });
    const graded = gradeMarkets({ gameId: 'g', league }, selectionsOf(log), evidence) ?? [];
    assert.deepEqual(
      graded,
      gradeByThePage(log, evidence)?.map((row) => ({ game_id: 'g', league, ...row })),
    );
    assert.equal(graded.filter((row) => row.result_value !== null).length, formulas(league).size, league);
  }
});

function keyOf({ selection_id, line }: { selection_id: string; line: number | null }): string {
  return `${selection_id} ${line}`;
}

function selectionsOf(log: readonly LogRow[]): Selection[] {
  const selections = new Selections();
  for (const row of log) selections.add(row);
  return selections.list();
}
