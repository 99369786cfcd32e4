// Claim: when a game closes, when play began and which rows close and open are what docs/settlement.md says. Random logs go through the rules of
// core/settlement and through the naive oracle of tests/oracle, which looks the whole log through at every question; every answer must be
// the same. A violation would be a sentence of the page that one of the two reads differently.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import { oracleClose } from '../../oracle/settlement-log.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { settlementLogs } from '../../support/arbitraries/settlement-log.ts';
import { closedLog } from '../../support/folds/closed-log.ts';
import { assertCase } from '../../support/vectors/settlement-vectors.ts';

const columns = closingLines.columns.map(({ name }) => name).filter((name) => name !== 'game_id' && name !== 'league');

it('finds the same close, start of play and closing lines as the oracle', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(settlementLogs, (given) => {
      const { lines, ...close } = oracleClose(given);
      const rows = lines.map((line) => columns.map((name) => line[name]));
      const inRows = rows.length === 0 ? ofTheGame(close) : close;
      assertCase({ name: 'a random log', why: JSON.stringify(given) }, { ...inRows, rows }, closedLog(given, columns));
      const closed = close.closed_by === null ? 'open' : 'closed';
      for (const what of [close.case, closed, ...lines.map(({ close_basis: basis }) => String(basis))]) {
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    }),
    { numRuns: cases(1_000) },
  );
  // Everything compared must have occurred.
  for (const what of [
    'a',
    'b',
    'c',
    'open',
    'closed',
    'last_before_start',
    'suspended_before_start',
    'reconstructed',
  ]) {
    assert.ok((seen.get(what) ?? 0) >= cases(1_000) / 25, `${what} came ${seen.get(what)} times`);
  }
});

/** The facts about the game, which a result without rows does not show. */
function ofTheGame({ closed_by, row_count, refused, case: which, t0 }: Omit<ReturnType<typeof oracleClose>, 'lines'>) {
  return { closed_by, row_count, refused, case: which, t0 };
}
