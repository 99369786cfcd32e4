// A statistic that is no number, or does not fit, gives no row and is named `bad-value` (docs/revisions.md#values): a dead letter beside an
// observation that is applied, once as long as it is said again.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { badValues } from '../../../../core/msf/states/bad-values.ts';
import type { MsfFeed } from '../../../../core/msf/types.ts';
import { microsPerSecond } from '../../../../core/units.ts';
import { scopesOf } from '../../../support/arbitraries/msf.ts';
import { gameObject, log, player } from '../../../support/builders/msf-bodies.ts';
import { observationRecord, PureMsf, savedAndLoaded } from '../../../support/folds/msf-log.ts';

const { game } = scopesOf('NBA');
const start = Date.UTC(2026, 0, 10, 1) * 1_000;

/** A box score of one away player with these statistics and, if given, those of the home team. */
const boxscore = (playerStats: JsonValue, teamStats: JsonValue = null): JsonObject => ({
  game: gameObject(),
  scoring: {},
  stats: { away: { players: [{ player, playerStats }] }, home: { players: [], teamStats } },
});
const ofPlayer = '/stats/away/players/0/playerStats';

describe('bad values', () => {
  const table: readonly (readonly [what: string, stats: JsonValue, pointers: readonly string[]])[] = [
    ['text, flags and numbers that do not fit', [{ a: { b: '2', c: true, d: 1e8 } }], ['/0/a/b', '/0/a/c', '/0/a/d']],
    ['numbers and nulls', [{ a: { b: 2, c: null, d: 99_999_999.9999 }, e: null, f: {}, g: [] }, null], []],
    ['what stands where statistics should', 'none', ['']],
    ['a number in place of statistics', 7, ['']],
    ['a number without a name', [3, { a: 1 }], ['/0']],
    ['names with slashes and tildes', { 'a/b': { '~c': 'x' } }, ['/a~1b/~0c']],
    ['names without end', [{ a: { ['n'.repeat(1_000)]: 'x' } }], ['/0/a']],
    ['nothing', null, []],
  ];
  for (const [what, stats, pointers] of table) {
    it(`are ${pointers.length === 0 ? 'not ' : ''}${what}`, () => {
      assert.deepEqual(
        badValues('boxscore', boxscore(stats)),
        pointers.map((pointer) => ofPlayer + pointer),
      );
    });
  }

  it('are of teams and of logs as of players, ten of an element', () => {
    assert.deepEqual(badValues('boxscore', boxscore([], [{ a: 'x' }])), ['/stats/home/teamStats/0/a']);
    const logs = { gamelogs: [log(), log({ stats: { a: 'x' } })] };
    for (const feed of ['player_gamelogs', 'team_gamelogs'] as const) {
      assert.deepEqual(badValues(feed, logs), ['/gamelogs/1/stats/a']);
    }
    for (const feed of ['games', 'playbyplay', 'lineup', 'injuries', 'players'] satisfies MsfFeed[]) {
      assert.deepEqual(badValues(feed, logs), []);
    }
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, 'x']));
    assert.equal(badValues('boxscore', boxscore([many])).length, 10);
  });

  it('do not affect the other values, and are reported once while they last', () => {
    const msf = new PureMsf();
    const push = (index: number, stats: JsonValue, asked = index) => {
      const body = boxscore(stats);
      const at = start + index * microsPerSecond;
      const requested = start + asked * microsPerSecond;
      const record = observationRecord(game, { feed: 'boxscore', requested, at, body }, 900001, body);
      const { effects } = msf.fold(record, at);
      msf.scopes.set(game.uuid, savedAndLoaded(msf.scopes.get(game.uuid)!));
      return effects;
    };
    const wrong = { code: 'bad-value', pointer: `${ofPlayer}/0/offense/pts` };
    const first = push(0, [{ offense: { pts: '2', ast: 1 } }]);
    assert.deepEqual(
      first.refusals.map(({ code, pointer }) => ({ code, pointer })),
      [wrong],
    );
    assert.equal(first.outcome?.result, 'applied');
    const stats = first.revisions.find(({ dataset }) => dataset === 'player-stats');
    assert.deepEqual(
      stats?.snapshot.map(({ row }) => [row.stat, row.value]),
      [['offense.ast', 10_000]],
    );
    const codes = (...pushed: ReturnType<typeof push>[]) => pushed.map(({ refusals }) => refusals.length);
    // The same again, one more value, an older body, and the same after a correct one.
    assert.deepEqual(codes(push(1, [{ offense: { pts: '2', ast: 1 } }])), [0]);
    assert.deepEqual(codes(push(2, [{ offense: { pts: '2', ast: true } }])), [1]);
    assert.deepEqual(codes(push(3, [{ offense: { reb: 'x' } }], 0)), [0]);
    assert.deepEqual(codes(push(4, [{ offense: { pts: 2 } }]), push(5, [{ offense: { pts: '3' } }])), [0, 1]);
  });
});
