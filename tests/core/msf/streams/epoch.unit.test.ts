// How epochs begin (docs/revisions.md#epochs; docs/revisions.md#ids): the first observation, the game's minting, a reset. What a reset
// publishes is held to what a fresh fold of the same observations makes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { stateOf } from '../../../../core/msf/states/state.ts';
import { epochId } from '../../../../core/msf/streams/epoch.ts';
import { loadScope, saveScope } from '../../../../core/msf/streams/saved-scope.ts';
import type { ScopeState } from '../../../../core/msf/streams/scope-state.ts';
import { digestOf } from '../../../../core/msf/streams/state-digest.ts';
import type { CutRevision } from '../../../../core/msf/types.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { type LoggedRecord, microsPerDay, msfLogs, recordsOf, scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject, play } from '../../../support/builders/msf-bodies.ts';
import { type Folded, frameOf, observationRecord, PureMsf, savedAndLoaded } from '../../../support/folds/msf-log.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game } = scopesOf('NBA');
const unminted = { ...game, id: game.uuid };

const playsBody = (seconds: readonly number[], given: JsonObject = {}): JsonObject => ({
  game: gameObject(given),
  plays: seconds.map((secondsElapsed) => play({ quarter: 1, secondsElapsed })),
});

/** A play-by-play body as a record, requested a second before `at`. */
function playsRecord(at: Micros, body: JsonObject, scope = game) {
  const push = { feed: 'playbyplay', requested: at - microsPerSecond, at, body: bodyOf(body) } as const;
  return observationRecord(scope, push, 900001, body);
}

const rebuilt = (record: ReturnType<typeof playsRecord>, id: string) => ({
  ...record,
  observation: { ...record.observation!, rebuild: id },
});

function phase(name: 'begin' | 'end', id: string, gaps: string[] = []) {
  return { ...frameOf(game), source: '', reset: { id, dataset: 'plays', phase: name, gaps } };
}

const lastCut = ({ effects }: Folded): CutRevision => effects.revisions.at(-1)!;

const at = (seconds: number): Micros => start + seconds * microsPerSecond;

describe('the id of an epoch', () => {
  const place = { partition: 3, offset: 41, timestamp: start };

  it('is a ULID of the log time and the place in the log', () => {
    const id = epochId(game.uuid, 'plays', place);
    assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.equal(id.slice(0, 10), '01KEJPNMM0');
    assert.equal(id, epochId(game.uuid, 'plays', place));
    const others = [
      epochId(game.uuid, 'injuries', place),
      epochId(unminted.uuid.replace('a', 'b'), 'plays', place),
      epochId(game.uuid, 'plays', { ...place, offset: 42 }),
      epochId(game.uuid, 'plays', { ...place, partition: 4 }),
    ];
    assert.equal(new Set([id, ...others]).size, 5);
    assert.ok(epochId(game.uuid, 'plays', { ...place, timestamp: start + 1_000 }) > id);
  });
});

describe('minting', () => {
  function minted(): { msf: PureMsf; folded: Folded } {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([1, 2]), unminted), at(0));
    msf.fold(playsRecord(at(10), playsBody([1, 2, 3]), unminted), at(10));
    return { msf, folded: msf.fold(playsRecord(at(20), playsBody([1, 2, 3, 4])), at(20)) };
  }

  it('starts every stream over under the public id, and archives the rest of the old epochs', () => {
    const { effects } = minted().folded;
    assert.deepEqual(
      effects.epochs.map(({ dataset, replaces }) => [dataset, replaces !== null]),
      [
        ['game-state', true],
        ['plays', true],
      ],
    );
    assert.deepEqual(
      effects.archiveCuts.map(({ dataset, epoch, first, last }) => [dataset, epoch, first, last]),
      effects.epochs.map(({ dataset, replaces }) => [dataset, replaces, 1, 2]),
    );
    for (const { revision, kind, status, snapshot } of effects.revisions) {
      assert.deepEqual([revision, kind, status], [1, 'replace', 'provisional']);
      assert.ok(snapshot.every(({ row }) => row.game_id === 'NBA_BOS_CLE_20260109'));
    }
    assert.equal(effects.revisions.find(({ dataset }) => dataset === 'plays')?.snapshotRows, 4);
  });

  it('covers what the feeds hold', () => {
    const { folded } = minted();
    const { coverage } = folded.effects.revisions[1]!;
    assert.deepEqual([coverage.coverage_start, coverage.coverage_end], [at(8), at(8)]);
  });

  it('is also noticed in a tick, and never undone', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([1]), unminted), at(0));
    const ticked = msf.fold({ ...frameOf(game), source: '', tick: { at: at(60) } }, at(60));
    assert.deepEqual(
      ticked.effects.revisions.map(({ dataset, revision, materializedAt }) => [dataset, revision, materializedAt]),
      [
        ['game-state', 1, at(60)],
        ['plays', 1, at(60)],
      ],
    );
    const again = msf.fold(playsRecord(at(70), playsBody([1]), unminted), at(70));
    assert.deepEqual([again.effects.outcome?.result, again.effects.revisions, again.effects.epochs], ['same', [], []]);
  });

  it('is noticed in a late observation, which is not applied', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(30), playsBody([1]), unminted), at(30));
    const late = msf.fold(playsRecord(at(20), playsBody([1, 2])), at(40));
    assert.equal(late.effects.outcome?.result, 'late');
    assert.deepEqual(
      late.effects.revisions.map(({ dataset, snapshotRows }) => [dataset, snapshotRows]),
      [
        ['game-state', 1],
        ['plays', 1],
      ],
    );
  });
});

describe('a reset', () => {
  it('publishes at its end what it rebuilt, marked reconstructed, in an epoch of its own', () => {
    const msf = new PureMsf();
    const first = playsRecord(at(0), playsBody([1, 2]));
    const second = playsRecord(at(10), playsBody([1, 2, 3]));
    const old = [msf.fold(first, at(0)), msf.fold(second, at(10))].flatMap(({ effects }) => effects.revisions);
    assert.deepEqual(msf.fold(phase('begin', 'r1'), at(20)).effects.revisions, []);
    for (const record of [first, second]) {
      const { effects } = msf.fold(rebuilt(record, 'r1'), at(21));
      assert.deepEqual([effects.outcome?.result, effects.revisions, effects.touched], ['applied', [], []]);
    }
    const { effects } = msf.fold(phase('end', 'r1'), at(22));
    const [begun, ...others] = effects.epochs;
    assert.deepEqual([begun?.dataset, begun?.replaces, others], ['plays', old[1]!.epoch, []]);
    assert.deepEqual(effects.archiveCuts, [
      { scopeId: first.scope_id, dataset: 'plays', epoch: old[1]!.epoch, first: 1, last: 2 },
    ]);
    assert.deepEqual(
      effects.revisions.map(({ dataset, epoch, revision, historyOrigin, coverage, materializedAt }) => {
        return [dataset, epoch, revision, historyOrigin, coverage.state, materializedAt];
      }),
      [
        ['plays', begun?.epoch, 1, 'reconstructed', 'complete', at(21)],
        ['plays', begun?.epoch, 2, 'reconstructed', 'complete', at(21)],
      ],
    );
    const live = lastCut(msf.fold(playsRecord(at(30), playsBody([1, 2, 3, 4])), at(30)));
    assert.deepEqual([live.epoch, live.revision, live.historyOrigin], [begun?.epoch, 3, 'captured']);
  });

  it('names the holes in every revision', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([1])), at(0));
    const kept = playsRecord(at(10), playsBody([1, 2]));
    msf.fold(kept, at(10));
    msf.fold(phase('begin', 'r1'), at(20));
    msf.fold(rebuilt(kept, 'r1'), at(21));
    const hole = '2026-01-10T01:00:00.000000Z/2026-01-10T01:00:09.000000Z observations-missing';
    const { revisions } = msf.fold(phase('end', 'r1', [hole]), at(22)).effects;
    assert.deepEqual(
      revisions.map(({ coverage }) => [coverage.state, coverage.gaps]),
      [['legacy_partial', [hole]]],
    );
    assert.deepEqual(msf.fold(playsRecord(at(29), playsBody([1, 2])), at(29)).effects.revisions, []);
    const next = lastCut(msf.fold(playsRecord(at(30), playsBody([1, 2, 3])), at(30)));
    assert.deepEqual([next.kind, next.coverage.state, next.coverage.gaps], ['append', 'legacy_partial', [hole]]);
  });

  it('ends with the content that the feeds hold where no observation was kept', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([1, 2])), at(0));
    msf.fold(phase('begin', 'r1'), at(20));
    const { revisions } = msf.fold(phase('end', 'r1'), at(22)).effects;
    assert.deepEqual(
      revisions.map((cut) => [cut.revision, cut.snapshotRows, cut.materializedAt, cut.historyOrigin]),
      [[1, 2, at(22), 'reconstructed']],
    );
  });

  it('is discarded by the next begin, whatever its id; a record of no reset is refused', () => {
    const record = playsRecord(at(0), playsBody([1]));
    for (const id of ['r1', 'r2']) {
      const msf = new PureMsf();
      msf.fold(record, at(0));
      msf.fold(phase('begin', 'r1'), at(20));
      msf.fold(rebuilt(record, 'r1'), at(21));
      msf.fold(phase('begin', id), at(22));
      if (id === 'r2') {
        assert.deepEqual(msf.fold(rebuilt(record, 'r1'), at(23)).effects.outcome?.result, 'refused');
        assert.deepEqual(msf.fold(phase('end', 'r1'), at(23)).effects.refusals[0]?.code, 'bad-record');
      }
      msf.fold(rebuilt(record, id), at(24));
      const { revisions } = msf.fold(phase('end', id), at(25)).effects;
      assert.deepEqual(
        revisions.map(({ revision, status }) => [revision, status]),
        [[1, 'provisional']],
      );
    }
  });

  it('without an end is given up after a day', () => {
    const msf = new PureMsf();
    const record = playsRecord(at(0), playsBody([1]));
    msf.fold(record, at(0));
    msf.fold(phase('begin', 'r1'), at(1));
    msf.tick(game.uuid, at(1) + microsPerDay);
    assert.equal(msf.fold(rebuilt(record, 'r1'), at(1) + microsPerDay).effects.outcome?.result, 'applied');
    msf.tick(game.uuid, at(1) + microsPerDay + 1);
    assert.equal(msf.fold(rebuilt(record, 'r1'), at(1) + microsPerDay + 1).effects.outcome?.result, 'refused');
  });

  describe('without an end, in a scope to which much is still pushed', () => {
    /** Begins a reset and folds live observations of this text length until it is given up; answers how many those are. */
    function untilGivenUp(length: number, load: (state: ScopeState) => ScopeState = (state) => state): number {
      const msf = new PureMsf();
      const record = playsRecord(at(0), playsBody([1]));
      msf.fold(record, at(0));
      msf.fold(phase('begin', 'r1'), at(1));
      for (let count = 1; count <= 3_000; count += 1) {
        const body = playsBody([1 + (count % 2)]);
        const pad = 'x'.repeat(Math.max(0, length - JSON.stringify({ ...body, pad: '' }).length));
        msf.fold(playsRecord(at(1) + count, { ...body, pad }), at(1) + count);
        const state = load(msf.scopes.get(game.uuid)!);
        msf.scopes.set(game.uuid, state);
        if (state.shadows.size > 0) continue;
        const late = msf.fold(rebuilt(record, 'r1'), at(2));
        assert.equal(late.effects.outcome?.result, 'refused');
        assert.equal(msf.fold(phase('end', 'r1'), at(2)).effects.refusals[0]?.code, 'bad-record');
        return count;
      }
      return assert.fail('it was never given up');
    }

    it('is given up once more than 2,000 observations wait for it', () => {
      assert.equal(untilGivenUp(0), 2_001);
    });

    it('is given up once more than 64 MiB wait for it, whatever is saved and loaded meanwhile', () => {
      const half = 32 * 1024 * 1024;
      assert.equal(untilGivenUp(half / 16), 33);
      assert.equal(untilGivenUp(half / 16, savedAndLoaded), 33);
    });

    it('counts what an earlier release has kept by number alone', () => {
      let earlier = 5;
      const load = (state: ScopeState): ScopeState => {
        if (earlier === 0) return state;
        earlier -= 1;
        const saved = structuredClone(saveScope(state)) as { shadows: { waitingLength?: number }[] };
        for (const shadow of saved.shadows) delete shadow.waitingLength;
        return loadScope(saved);
      };
      assert.equal(untilGivenUp(2 * 1024 * 1024, load), 38);
    });
  });

  it('begins again under the public id when the game is minted meanwhile', () => {
    const msf = new PureMsf();
    const first = playsRecord(at(0), playsBody([1]), unminted);
    const second = playsRecord(at(10), playsBody([1, 2]), unminted);
    msf.fold(first, at(0));
    msf.fold(second, at(10));
    const begin = { ...phase('begin', 'r1'), scope_id: game.uuid };
    msf.fold(begin, at(20));
    msf.fold(rebuilt(first, 'r1'), at(21));
    for (let count = 1; count < 70; count += 1) {
      const grown = playsRecord(
        at(0) + count,
        playsBody(Array.from({ length: count }, (_, second) => second)),
        unminted,
      );
      msf.fold(rebuilt(grown, 'r1'), at(21));
    }
    msf.fold(playsRecord(at(22), playsBody([1, 2, 3])), at(22));
    msf.fold(rebuilt(second, 'r1'), at(23));
    const { effects } = msf.fold(phase('end', 'r1'), at(24));
    assert.deepEqual(
      effects.archiveCuts.map(({ dataset, first: from, last }) => [dataset, from, last]),
      [['plays', 1, 1]],
    );
    assert.deepEqual(
      effects.revisions.map(({ revision, snapshotRows, snapshot }) => [
        revision,
        snapshotRows,
        snapshot.every(({ row }) => row.game_id === game.id),
      ]),
      [
        [1, 2, true],
        [2, 3, true],
      ],
    );
  });

  it('of all kept observations gives the result of a fresh fold, whatever came live meanwhile', () => {
    let compared = 0;
    fc.assert(
      fc.property(msfLogs(30), fc.nat(100), fc.nat(100), fc.boolean(), (sketch, one, other, saves) => {
        const steps = sketch.steps.map((step) => ({ ...step, unminted: false, ofLeague: false }));
        const observations = steps.filter(({ kind }) => kind === 'observation');
        const log = recordsOf({ ...sketch, mintedAt: 0, steps: observations });
        if (log.length === 0) return;
        const [from, to] = [one % (log.length + 1), other % (log.length + 1)].sort((a, b) => a - b) as [number, number];
        const ours = withReset(log, from, to, saves);
        const fresh = new PureMsf();
        const expected = log
          .slice(0, to)
          .flatMap(({ record, at: loggedAt }) => fresh.fold(record, loggedAt).effects.revisions);
        const plays = expected.filter(({ dataset }) => dataset === 'plays');
        assert.deepEqual(ours.map(contentOf), plays.map(contentOf));
        compared += plays.length;
      }),
      { numRuns: cases(150) },
    );
    assert.ok(compared > cases(100), 'the logs have too few revisions');
  });
});

/** The revisions published by a reset that begins after `from` records and ends after `to`. */
function withReset(log: readonly LoggedRecord[], from: number, to: number, saves: boolean): CutRevision[] {
  const msf = new PureMsf({ checkpoints: saves });
  const frame = log[0]!.record;
  const end = log.at(-1)!.at;
  const reset = (name: string) => ({
    ...frame,
    source: '',
    observation: null,
    reset: { id: 'r', dataset: 'plays', phase: name, gaps: [] },
  });
  for (const { record, at: loggedAt } of log.slice(0, from)) msf.fold(record, loggedAt);
  const boundary = log[from]?.at ?? end;
  msf.fold(reset('begin'), boundary);
  // Live records come between those of the reset.
  const live = log.slice(from, to);
  for (const [index, { record, at: loggedAt }] of log.slice(0, from).entries()) {
    const again = { ...record, received_at: loggedAt, observation: { ...record.observation!, rebuild: 'r' } };
    msf.fold(again, boundary);
    const next = index % 2 === 0 ? live.shift() : undefined;
    if (next !== undefined) msf.fold(next.record, next.at);
  }
  for (const { record, at: loggedAt } of live) msf.fold(record, loggedAt);
  const { effects } = msf.fold(reset('end'), end);
  const others = effects.revisions.filter(({ dataset }) => dataset !== 'plays');
  assert.deepEqual(others, []);
  return effects.revisions;
}

/** A revision without its time and epoch. */
function contentOf(cut: CutRevision): unknown {
  const { epoch: _, historyOrigin: __, materializedAt: ___, change, snapshot, ...facts } = cut;
  return { ...facts, change: change.map(({ op, line }) => [op, line]), snapshot: snapshot.map(({ line }) => line) };
}

/** Replaces the state of the game's scope by one in which earlier rules gave a play another description. */
function withOldPlays(msf: PureMsf): void {
  const state = msf.scopes.get(game.uuid)!;
  const held = state.feeds.get('playbyplay')!;
  const plays = held.content.plays.map((each) => ({ ...each, description: 'as it was read once' }));
  const known = held.content.game!;
  const content = { ...held.content, game: { ...known, venue_name: 'as it was called once' }, plays };
  state.feeds.set('playbyplay', { ...held, content });
  for (const stream of state.streams.values()) {
    stream.state = stateOf(stream.dataset, state.scope, state.feeds, []);
    stream.digest = digestOf(stream.state);
  }
}

describe('rules that have changed', () => {
  it('act like a reset: observations are read again, and streams that differ start over', () => {
    const msf = new PureMsf();
    const record = playsRecord(at(0), playsBody([1, 2]));
    msf.fold(record, at(0));
    withOldPlays(msf);
    msf.fold(phase('begin', 'r1'), at(20));
    msf.fold(rebuilt(record, 'r1'), at(21));
    const { effects } = msf.fold(phase('end', 'r1'), at(22));
    assert.deepEqual(
      effects.revisions.map(({ dataset, revision, historyOrigin, snapshot }) => {
        return [dataset, revision, historyOrigin, snapshot[0]?.row.description ?? snapshot[0]?.row.venue_name];
      }),
      [
        ['plays', 1, 'reconstructed', 'Timeout'],
        ['game-state', 1, 'captured', 'Small Hall'],
      ],
    );
    // The rows stay so: the old description does not return.
    assert.deepEqual(msf.fold(playsRecord(at(30), playsBody([1, 2])), at(30)).effects.revisions, []);
    const grown = msf.fold(playsRecord(at(40), playsBody([1, 2, 3])), at(40)).effects.revisions;
    assert.deepEqual(
      grown.map(({ dataset, kind, changeRows, snapshot }) => [dataset, kind, changeRows, snapshot[0]?.row.venue_name]),
      [
        ['game-state', 'replace', 1, 'Small Hall'],
        ['plays', 'append', 1, undefined],
      ],
    );
  });

  it('end a reset that was half-way when they changed', () => {
    const msf = new PureMsf();
    const record = playsRecord(at(0), playsBody([1]));
    msf.fold(record, at(0));
    msf.fold(phase('begin', 'r1'), at(20));
    msf.fold(rebuilt(record, 'r1'), at(21));
    const state = msf.scopes.get(game.uuid)!;
    state.shadows.get('plays')!.stream.digest = '0'.repeat(64);
    msf.scopes.set(game.uuid, savedAndLoaded(state));
    assert.equal(msf.fold(phase('end', 'r1'), at(22)).effects.outcome?.result, 'refused');
  });

  it('of the coverage cut a revision with the next observation, and undo no status', () => {
    for (const status of ['verified', 'provisional'] as const) {
      const msf = new PureMsf();
      msf.fold(playsRecord(at(0), playsBody([1])), at(0));
      const stream = msf.scopes.get(game.uuid)!.streams.get('plays')!;
      stream.status = status;
      stream.coverage = { ...stream.coverage!, state: 'degraded', gaps: ['2026-01-10T01:00:00Z/.. unverified-shape'] };
      const { revisions } = msf.fold(playsRecord(at(10), playsBody([1])), at(10)).effects;
      assert.deepEqual(
        revisions.map((cut) => [cut.dataset, cut.kind, cut.changeRows, cut.status, cut.coverage.state]),
        [['plays', 'patch', 0, status, 'complete']],
      );
      assert.deepEqual(msf.fold(playsRecord(at(20), playsBody([1])), at(20)).effects.revisions, []);
    }
  });
});

describe('a state that differs from the committed one', () => {
  it('starts its stream over with the next record', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([1, 2])), at(0));
    const state = msf.scopes.get(game.uuid)!;
    state.streams.get('plays')!.digest = '0'.repeat(64);
    msf.scopes.set(game.uuid, savedAndLoaded(state));
    const { effects } = msf.tick(game.uuid, at(60));
    assert.deepEqual(
      effects.epochs.map(({ dataset, replaces }) => [dataset, replaces === null]),
      [['plays', false]],
    );
    assert.deepEqual(
      effects.revisions.map(({ dataset, revision, kind }) => [dataset, revision, kind]),
      [['plays', 1, 'replace']],
    );
    assert.deepEqual(msf.tick(game.uuid, at(120)).effects.epochs, []);
  });

  it('differs also when only its columns do, even if it is empty', () => {
    const msf = new PureMsf();
    msf.fold(playsRecord(at(0), playsBody([])), at(0));
    const text = JSON.stringify(saveScope(msf.scopes.get(game.uuid)!));
    assert.ok(text.includes('points detail'));
    const suspects = (saved: string) =>
      Array.from(loadScope(JSON.parse(saved)).streams.values()).flatMap(({ dataset, suspect }) =>
        suspect ? dataset : [],
      );
    assert.deepEqual(suspects(text), []);
    assert.deepEqual(suspects(text.replace('points detail', 'points')), ['plays']);
    assert.throws(() => loadScope({ form: 0 }), /form 0 is not known/);
  });
});
