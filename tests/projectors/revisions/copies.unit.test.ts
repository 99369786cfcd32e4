// A push whose answer was lost is sent again under its Idempotency-Key, and may then be in the log twice (docs/operations.md#push-gateway). The
// second is the same pull: it changes nothing, agrees with nothing, and counts as a duplicate in the receipt.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Scope } from '../../../core/msf/types.ts';
import { type Micros, microsPerSecond } from '../../../core/units.ts';
import { noMsfChanges } from '../../../projectors/revisions/changes.ts';
import { noteReceipt } from '../../../projectors/revisions/receipts.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { scopesOf } from '../../support/arbitraries/msf.ts';
import { gameObject, play } from '../../support/builders/msf-bodies.ts';
import { frameOf, observationRecord, PureMsf } from '../../support/folds/msf-log.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const at = (seconds: number): Micros => start + seconds * microsPerSecond;
const { game } = scopesOf('NBA');

/** `plays` plays of a finished game, received at `received`. `requested`: whether the request time is known. */
function pulled(push: string, plays: number, received: Micros, { requested = false } = {}): ObservationsRecord {
  const body = {
    game: gameObject({ playedStatus: 'COMPLETED' }),
    plays: Array.from({ length: plays }, (_, secondsElapsed) => play({ quarter: 1, secondsElapsed })),
  };
  const asked = requested ? received : null;
  const record = observationRecord(game, { feed: 'playbyplay', requested: asked, at: received, body }, 900001, body);
  return { ...record, push, push_index: 0 };
}

/** The plays stream of a log of these records, a second apart; states are saved and loaded in between. */
function fold(...records: readonly ObservationsRecord[]) {
  const msf = new PureMsf({ checkpoints: true });
  const folded = records.map((record, index) => msf.fold(record, at(index)));
  return {
    results: folded.map(({ effects }) => effects.outcome?.result),
    cuts: msf.revisionsOf('plays', game.uuid).map(({ kind, status, snapshotRows }) => [kind, status, snapshotRows]),
    stream: msf.scopes.get(game.uuid)!.streams.get('plays')!,
  };
}

describe('an observation that is logged twice', () => {
  for (const requested of [true, false]) {
    it(`agrees with nothing, and the next pull does (request start ${requested ? '' : 'not '}known)`, () => {
      const first = pulled('a', 2, at(0), { requested });
      const copy = requested ? first : pulled('a', 2, at(1));
      const once = fold(first);
      const twice = fold(first, copy);
      assert.deepEqual(twice.results, ['applied', 'duplicate']);
      assert.deepEqual(twice.cuts, [['replace', 'provisional', 2]]);
      assert.deepEqual(twice.stream, once.stream, 'freshness and coverage included');
      const agreed = fold(first, copy, pulled('b', 2, at(2), { requested }));
      assert.deepEqual(agreed.results, ['applied', 'duplicate', 'same']);
      assert.deepEqual(agreed.cuts.at(-1), ['patch', 'verified', 2]);
    });
  }

  it('does not bring back what newer pushes have changed', () => {
    const newer = Array.from({ length: 15 }, (_, index) => pulled(`n${index}`, 3 + index, at(1 + index)));
    const { results, stream } = fold(pulled('a', 2, at(0)), ...newer, pulled('a', 2, at(20)));
    assert.deepEqual([results.at(-1), stream.state.length], ['duplicate', 17]);
  });

  it('is another where it stands elsewhere in its push, or in another feed, or is of no push', () => {
    const first = pulled('a', 2, at(0));
    assert.deepEqual(fold(first, { ...first, push_index: 1 }).results, ['applied', 'same']);
    const unpushed = { ...first, push: null, push_index: null };
    assert.deepEqual(fold(unpushed, unpushed).results, ['applied', 'same']);
    const body = { gamelogs: [] };
    const logs = observationRecord(game, { feed: 'team_gamelogs', requested: null, at: at(1), body }, 900001, body);
    assert.deepEqual(fold(first, { ...logs, push: 'a', push_index: 0 }).results, ['applied', 'applied']);
  });

  it('is a copy among the injuries of other games than before: a game has one element of a push', () => {
    const body = { players: [] };
    const record = (scope: Scope, push: string, index: number): ObservationsRecord => {
      const said = { feed: 'injuries', requested: null, at: at(0), body } as const;
      return { ...observationRecord(scope, said, null, body), push, push_index: index };
    };
    assert.deepEqual(fold(pulled('p', 1, at(0)), record(game, 'a', 2), record(game, 'a', 1)).results, [
      'applied',
      'applied',
      'duplicate',
    ]);
    const { league } = scopesOf('NBA');
    const msf = new PureMsf();
    const results = [0, 1].map((index) => msf.fold(record(league, 'a', index), at(index)).effects.outcome?.result);
    assert.deepEqual(results, ['applied', 'same']);
  });

  it('is told apart by a reset too, also when it comes while the reset is under way', () => {
    const first = pulled('a', 2, at(0));
    const copy = pulled('a', 2, at(1));
    const again = (record: ObservationsRecord): ObservationsRecord => ({
      ...record,
      observation: { ...record.observation!, rebuild: 'r' },
    });
    const phase = (name: string): ObservationsRecord => ({
      ...frameOf(game),
      source: '',
      reset: { id: 'r', dataset: 'plays', phase: name, gaps: [] },
    });
    const { results, cuts } = fold(first, copy, phase('begin'), again(first), again(copy), copy, phase('end'));
    assert.deepEqual(results.slice(3, 6), ['applied', 'duplicate', 'duplicate']);
    assert.deepEqual(cuts, [
      ['replace', 'provisional', 2],
      ['replace', 'provisional', 2],
    ]);
  });

  it('is a duplicate in its receipt, and what a reset brings again is in none', () => {
    const msf = new PureMsf();
    const changes = noMsfChanges();
    const record = pulled('a', 2, at(0));
    for (const each of [record, record]) noteReceipt(changes, each, msf.fold(each, at(0)).effects);
    const again = { ...record, observation: { ...record.observation!, rebuild: 'r' } };
    noteReceipt(changes, again, msf.fold(again, at(1)).effects);
    const [fold] = [...changes.receipts.values()];
    assert.deepEqual([fold?.applied, fold?.duplicates, fold?.refused], [[0], [0], []]);
    assert.deepEqual(
      fold?.records.map(({ state, revisions }) => [state, revisions?.length]),
      [
        ['applied', 2],
        ['duplicate', 0],
      ],
    );
  });
});
