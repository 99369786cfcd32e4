// A state rebuilt from change files, against the states they were made from by a plain comparison of rows.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { canonicalLine } from '../../../../core/msf/canonical-row.ts';
import { stateDigest } from '../../../../core/msf/digest.ts';
import { RebuiltState } from '../../../../core/msf/published/rebuild.ts';
import type { ParquetRow } from '../../../../core/ports/parquet.ts';
import { teamStats } from '../../../../schemas/datasets/team-stats.ts';

const row = fc.record({
  game_id: fc.constant('NBA_BOS_CLE_20260110'),
  league: fc.constant('NBA'),
  team_id: fc.constantFrom('a', 'b', 'é'),
  stat: fc.constantFrom('pts', 'reb', 'ast', 'z', '𝄞', '\uffff'),
  value: fc.integer({ min: -20_000, max: 20_000 }),
});
const state = fc.uniqueArray(row, { selector: keyOf, maxLength: 15 });

function keyOf({ team_id, stat }: { team_id: string; stat: string }): string {
  return `${team_id}/${stat}`;
}

function plainDigest(rows: readonly ParquetRow[]): string {
  const bytes = (text: unknown) => Buffer.from(String(text));
  const sorted = [...rows].sort(
    (a, b) => Buffer.compare(bytes(a.team_id), bytes(b.team_id)) || Buffer.compare(bytes(a.stat), bytes(b.stat)),
  );
  return stateDigest(sorted.map((each) => canonicalLine(teamStats.columns, each)));
}

function difference(before: readonly ParquetRow[], after: readonly ParquetRow[]): ParquetRow[] {
  const key = (each: ParquetRow) => `${each.team_id}/${each.stat}`;
  const old = new Map(before.map((each) => [key(each), each]));
  const fresh = new Map(after.map((each) => [key(each), each]));
  const deleted = before.filter((each) => !fresh.has(key(each))).map((each) => ({ ...each, _op: 'delete' }));
  const set = after.filter((each) => old.get(key(each))?.value !== each.value);
  return [...deleted, ...set.map((each) => ({ ...each, _op: 'upsert' }))];
}

describe('a rebuilt state', () => {
  it('is, after every change, the state that the change leads to', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.boolean()), (states, whole) => {
        const rebuilt = new RebuiltState(teamStats, states[0]);
        let before: readonly ParquetRow[] = states[0] ?? [];
        for (const after of states) {
          const replaced = whole.next().value;
          const change = replaced ? after.map((each) => ({ ...each, _op: 'upsert' })) : difference(before, after);
          assert.deepEqual(rebuilt.apply(replaced ? 'replace' : 'patch', change), []);
          assert.deepEqual([rebuilt.rowCount, rebuilt.digest], [after.length, plainDigest(after)]);
          before = after;
        }
      }),
    );
  });

  it('names what does not fit the earlier state', () => {
    const given = { game_id: 'g', league: 'NBA', team_id: 'a', stat: 'pts', value: 10 };
    const other = { ...given, value: 20 };
    const faultsOf = (kind: 'patch' | 'append' | 'replace', ...change: ParquetRow[]) =>
      new RebuiltState(teamStats, [given]).apply(kind, change);
    assert.match(faultsOf('patch', { ...other, _op: 'delete' })[0] ?? '', /was not there as the delete carries it/);
    assert.match(faultsOf('append', { ...other, _op: 'upsert' })[0] ?? '', /is appended and was there/);
    assert.match(faultsOf('patch', { ...given, _op: 'upsert' })[0] ?? '', /is set to what it was/);
    assert.match(faultsOf('append', { ...given, _op: 'delete' })[0] ?? '', /is deleted by append/);
    assert.match(faultsOf('replace', { ...given, _op: 'upsert' }, { ...other, _op: 'upsert' })[0] ?? '', /there twice/);
    assert.match(faultsOf('patch', { ...given, _op: 'move' })[0] ?? '', /has the operation move/);
    assert.deepEqual(faultsOf('patch', { ...other, _op: 'upsert' }), []);
  });
});
