// Claim: over any sequence of evidence — scores up and down, box scores that come and go, players who appear, a manual score set and taken
// back — the versions of market-results, the sources that rows keep and their numbers of correction are those of a naive model. A violation
// would need a version too many or too few, a row that forgets where its result came from, or a player who is lost again.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { nextMarketResults } from '../../../core/settlement/corrections.ts';
import { gradeMarkets } from '../../../core/settlement/market-results.ts';
import { Selections } from '../../../core/settlement/selections.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import type { Evidence } from '../../oracle/settlement-evidence.ts';
import { versionsByThePage } from '../../oracle/settlement-versions.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { evidenceInSteps } from '../../support/arbitraries/settlement.ts';

describe('versions of market-results', () => {
  const seen = { versions: 0, unchanged: 0, kept: 0, corrections: 0, foundBefore: 0 };

  it('are those of the naive model', () => {
    fc.assert(
      fc.property(evidenceInSteps, ({ league, log, steps }) => {
        const selections = new Selections();
        for (const row of log) selections.add(row);
        const versions: { step: number; rows: MarketResultsRow[] }[] = [];
        for (const [step, evidence] of steps.entries()) {
          const newest = versions.at(-1)?.rows ?? null;
          const rows = nextMarketResults(newest, { gameId: 'g', league }, selections.list(), evidence);
          if (rows === null) seen.unchanged += 1;
          else versions.push({ step, rows });
        }
        const expected = versionsByThePage(log, steps).map(({ step, rows }) => ({
          step,
          rows: rows.map((row) => ({ game_id: 'g', league, ...row })),
        }));
        assert.deepEqual(versions, expected);
        for (const { step, rows } of versions) {
          count(rows, step, gradeMarkets({ gameId: 'g', league }, selections.list(), steps[step] as Evidence) ?? []);
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it('were cut, kept and corrected on the way', () => {
    for (const [what, times] of Object.entries(seen)) assert.ok(times > 9, `${what}: ${times}`);
  });

  function count(rows: readonly MarketResultsRow[], step: number, gradedAlone: readonly MarketResultsRow[]): void {
    seen.versions += 1;
    for (const [index, row] of rows.entries()) {
      if (row.correction > 0) seen.corrections += 1;
      if (row.settled_at < (step + 1) * 1_000 && row.result_reason !== 'cancelled') seen.kept += 1;
      if (row.player_id !== gradedAlone[index]?.player_id) seen.foundBefore += 1;
    }
  }
});
