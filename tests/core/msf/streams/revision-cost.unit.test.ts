// A small change costs little: unchanged rows are the same objects before and after, so none of their lines was made again
// (docs/revisions.md#revision-rules); and a whole season pulled three times cuts what it should.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { changeBetween, changeOf, stateAfter } from '../../../../core/msf/streams/revision.ts';
import type { StateRow } from '../../../../core/msf/types.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject } from '../../../support/builders/msf-bodies.ts';
import { observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';
import { msfRecordings, msfRecordingsAbsent } from '../../../support/recordings/msf-recordings.ts';
import { skipFor } from '../../../support/vitest/skip-for.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game } = scopesOf('NBA');

/** A box score of 250 players with 20 statistics each; one of them is `points`. */
function boxscore(points: number): JsonObject {
  const players = Array.from({ length: 250 }, (_, id) => {
    const stats = Object.fromEntries(Array.from({ length: 20 }, (__, stat) => [`s${stat}`, id + stat]));
    return { player: { id }, playerStats: [{ offense: id === 100 ? { ...stats, s7: points } : stats }] };
  });
  return { game: gameObject(), scoring: {}, stats: { away: { players }, home: { players: [] } } };
}

describe('one changed row of 5,000', () => {
  it('is one row of change, and leaves all other rows unchanged', () => {
    const msf = new PureMsf();
    const [before, after] = [9_000, 9_001].map((points, index) => {
      const at = start + index * microsPerSecond;
      const body = boxscore(points);
      const push = { feed: 'boxscore', requested: at, at, body: bodyOf(body) } as const;
      msf.fold(observationRecord(game, push, 900001, body), at);
      return msf.revisionsOf('player-stats', game.uuid).at(-1)!;
    });
    assert.equal(before?.snapshotRows, 5_000);
    assert.deepEqual([after?.revision, after?.kind, after?.changeRows], [2, 'patch', 1]);
    const held = after!.snapshot.filter((row, index) => row === before!.snapshot[index]);
    assert.equal(held.length, 4_999);
  });
});

const row = (team: string, value: number): StateRow => ({
  row: { game_id: 'g', league: 'NBA', team_id: team, stat: 'pts', value },
  line: `["g","NBA","${team}","pts","${value}"]`,
});

describe('the kind of a change', () => {
  const [a, b, c, d] = [row('a', 1), row('b', 1), row('c', 1), row('d', 1)];
  const kindOf = (isFirst: boolean, before: StateRow[], after: StateRow[]) => {
    const difference = changeBetween('team-stats', before, after);
    const change = changeOf(isFirst, difference, before, after);
    assert.deepEqual(stateAfter('team-stats', isFirst ? [] : before, change), after);
    return [change.kind, ...change.rows.map(({ op, line }) => `${op} ${JSON.parse(line)[2]}`)];
  };

  it('is replace for the first, empty or not', () => {
    assert.deepEqual(kindOf(true, [], []), ['replace']);
    assert.deepEqual(kindOf(true, [], [a, b]), ['replace', 'upsert a', 'upsert b']);
  });

  it('is append where rows are only added, wherever they stand', () => {
    assert.deepEqual(kindOf(false, [a, d], [a, b, d]), ['append', 'upsert b']);
  });

  it('is patch else, with the old row of a delete, in key order', () => {
    assert.deepEqual(kindOf(false, [a, b, c, d], [a, row('b', 2), d]), ['patch', 'upsert b', 'delete c']);
    assert.deepEqual(kindOf(false, [a, b, c], [a, b]), ['patch', 'delete c']);
    assert.deepEqual(kindOf(false, [a], [a]), ['patch']);
  });

  it('is replace where the change has as many rows as the new state', () => {
    assert.deepEqual(kindOf(false, [a], [a, b, c]), ['append', 'upsert b', 'upsert c']);
    assert.deepEqual(kindOf(false, [], [a]), ['replace', 'upsert a']);
    assert.deepEqual(kindOf(false, [a, b], [row('a', 2), b]), ['patch', 'upsert a']);
    assert.deepEqual(kindOf(false, [a, b], [row('a', 2)]), ['replace', 'upsert a']);
    assert.deepEqual(kindOf(false, [a, b], []), ['replace']);
    assert.deepEqual(kindOf(false, [a, b, c, d], [a, b]), ['replace', 'upsert a', 'upsert b']);
  });
});

describe('a season of completed games', skipFor(msfRecordingsAbsent), () => {
  it('is verified once by the second pull, and the third cuts no revision', () => {
    const schedule = msfRecordings().find(({ name }) => name.includes('seasonal_games'))!;
    const msf = new PureMsf();
    const pulls = [0, 1, 2].map((index) => {
      const at = start + index * 3_600 * microsPerSecond;
      const body = { ...schedule.body, lastUpdatedOn: `2019-02-24T00:0${index}:00.000Z` };
      const { folded, refusals } = msf.push({ league: 'NBA', feed: 'games', requested: at, at, body });
      assert.deepEqual(refusals, []);
      return folded;
    });
    assert.deepEqual(
      pulls.map((folded) => folded.length),
      [1_230, 1_230, 1_230],
    );
    const [first, second, third] = pulls;
    for (const { effects } of first!) {
      assert.deepEqual(
        effects.revisions.map(({ dataset, kind, status, snapshotRows }) => [dataset, kind, status, snapshotRows]),
        [['game-state', 'replace', 'provisional', 1]],
      );
      assert.equal(effects.move?.status, 'COMPLETED');
    }
    for (const { effects } of second!) {
      assert.equal(effects.outcome?.result, 'same');
      assert.deepEqual(
        effects.revisions.map(({ dataset, kind, status, changeRows }) => [dataset, kind, status, changeRows]),
        [['game-state', 'patch', 'verified', 0]],
      );
      assert.deepEqual(
        effects.archiveCuts.map(({ first: from, last }) => [from, last]),
        [[1, 2]],
      );
    }
    for (const { effects } of third!) {
      assert.deepEqual([effects.revisions, effects.touched, effects.move], [[], ['game-state'], null]);
    }
  });
});
