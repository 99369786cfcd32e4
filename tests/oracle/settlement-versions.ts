// Versions of market-results by docs/settlement.md#corrections, each graded anew with the one before it. Nothing of the
// product is imported.
import type { Evidence, LogRow, ResultRow } from './settlement-evidence.ts';
import { gradeByThePage } from './settlement-grader.ts';

/** The versions that a sequence of evidence produces, each with the index of the evidence that caused it. */
export function versionsByThePage(
  log: readonly LogRow[],
  sequence: readonly Evidence[],
): { step: number; rows: ResultRow[] }[] {
  const versions: { step: number; rows: ResultRow[] }[] = [];
  for (const [step, evidence] of sequence.entries()) {
    const newest = versions.at(-1)?.rows;
    const rows = gradeByThePage(withThoseFound(log, newest ?? []), evidence);
    if (rows === null) continue;
    if (newest !== undefined && said(rows) === said(newest)) continue;
    versions.push({
      step,
      rows: rows.map((row) =>
        numbered(
          row,
          newest?.find((old) => isSame(old, row)),
        ),
      ),
    });
  }
  return versions;
}

/** "A player once found (6) stays found": the log as if each of its rows had named that player. */
function withThoseFound(log: readonly LogRow[], newest: readonly ResultRow[]): LogRow[] {
  const named = (row: LogRow) => log.some((each) => each.is_open && isSame(each, row) && each.player_id !== null);
  return log.map((row) => {
    const found = newest.find((each) => isSame(each, row))?.player_id ?? null;
    return named(row) || found === null ? row : { ...row, player_id: found };
  });
}

type Key = { selection_id: string; line: number | null };

function isSame(a: Key, b: Key): boolean {
  return a.selection_id === b.selection_id && a.line === b.line;
}

/** The content of a version, without the columns that are not compared. */
function said(rows: readonly ResultRow[]): string {
  return JSON.stringify(rows.map((row) => ({ ...row, settled_at: 0, settlement_source: '', correction: 0 })));
}

function numbered(row: ResultRow, old: ResultRow | undefined): ResultRow {
  if (old === undefined) return row;
  if (old.result === row.result && old.result_value === row.result_value) {
    return { ...row, settled_at: old.settled_at, settlement_source: old.settlement_source, correction: old.correction };
  }
  return { ...row, correction: old.result === 'ungraded' ? old.correction : old.correction + 1 };
}
