// The vectors of the specification for market-results: grades, why not, names, versions and corrections.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nextMarketResults } from '../../../core/settlement/corrections.ts';
import { gradeMarkets } from '../../../core/settlement/market-results.ts';
import { normalName } from '../../../core/settlement/player-names.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import {
  cellsOf,
  evidenceOf,
  type GradingCase,
  gameOf,
  type NamesCase,
  selectionsOf,
  type VersionsCase,
} from '../../support/vectors/market-result-vectors.ts';
import { settlementVectors } from '../../support/vectors/settlement-vectors.ts';

const graded = ['team-markets', 'periods', 'shortened-games', 'player-markets', 'found-by-name', 'evidence'];
const ofGrading = ['selection_id', 'line', 'result', 'result_value', 'result_reason'];

for (const file of graded) {
  describe(`grading vectors: ${file}`, () => {
    for (const { name, why, given, then } of settlementVectors<GradingCase>(file)) {
      it(`${name}: ${why}`, () => {
        const rows = gradeMarkets(gameOf(given), selectionsOf(given), evidenceOf(given.evidence, given.players));
        assert.deepEqual(rows === null ? null : cellsOf(rows, then.columns ?? ofGrading), then.rows);
      });
    }
  });
}

describe('vectors of names', () => {
  for (const { name, why, given, then } of settlementVectors<NamesCase>('names')) {
    it(`${name}: ${why}`, () => {
      assert.deepEqual(given.names.map(normalName), then.normal);
    });
  }
});

describe('vectors of versions', () => {
  for (const { name, why, given, then } of settlementVectors<VersionsCase>('versions')) {
    it(`${name}: ${why}`, () => {
      const columns = then.columns ?? [...ofGrading, 'correction', 'settlement_source'];
      const versions: { step: number; rows: unknown }[] = [];
      let newest: MarketResultsRow[] | null = null;
      for (const [step, said] of given.steps.entries()) {
        const evidence = evidenceOf(said, given.players);
        const next: MarketResultsRow[] | null = nextMarketResults(newest, gameOf(given), selectionsOf(given), evidence);
        if (next === null) continue;
        versions.push({ step, rows: cellsOf(next, columns) });
        newest = next;
      }
      assert.deepEqual(versions, then.versions);
    });
  }
});
