// The scopes of a partition: whatever is packed, saved and loaded again, and however many there are, the fold goes on as if all had been held
// as they are, and the digest is of what was folded alone (I21).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gameUuid } from '../core/msf/ids.ts';
import type { DeliveredRecord } from '../core/ports/broker.ts';
import { HeldScopes } from '../projectors/revisions/held-scopes.ts';
import { type MsfState, revisionsProjector } from '../projectors/revisions/revisions-projector.ts';
import type { ObservationsRecord } from '../schemas/events/observations.ts';
import { gameObject, play } from './support/msf-bodies.ts';
import { observationRecord, PureMsf } from './support/msf-log.ts';

const start = Date.UTC(2026, 0, 10, 1) * 1_000;

/** What is told of the nth game the rth time. */
function delivered(offset: number, game: number, round: number): DeliveredRecord {
  const id = 900_000 + game;
  const uuid = gameUuid('NBA', id);
  const at = start + offset * 1_000_000;
  const plays = Array.from({ length: round + 1 }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
  const body = { game: gameObject({ id, playedStatus: 'LIVE' }), plays };
  const push = { feed: 'playbyplay', requested: at, at, observedAt: null, body } as const;
  const value = observationRecord({ kind: 'game', uuid, id: uuid, league: 'NBA' }, push, id, body);
  const frame = { offset, timestamp: at, key: uuid, headers: {}, undecodable: null };
  return { ...frame, value, bytes: Buffer.from(JSON.stringify(value)) };
}

/** So many games that most are packed at any time, told of in turn. */
const games = 200;
const log = Array.from({ length: 3 * games }, (_, offset) =>
  delivered(offset, offset % games, Math.floor(offset / games)),
);

function fold(state: MsfState, records: readonly DeliveredRecord[]) {
  const changes = revisionsProjector.noChanges();
  revisionsProjector.fold(state, changes, records);
  return [...changes.scopes].flatMap(([uuid, streams]) =>
    [...streams.values()].flatMap(({ revisions }) =>
      revisions.map(({ dataset, epoch, revision, snapshotDigest }) => [uuid, dataset, epoch, revision, snapshotDigest]),
    ),
  );
}

describe('held scopes', () => {
  it('give the same revisions and the same digest, however often they are packed, saved and loaded', () => {
    const pure = new PureMsf();
    for (const { value, timestamp } of log) pure.fold(value as ObservationsRecord, timestamp);
    const expected = [...pure.revisions]
      .flatMap(([name, revisions]) =>
        revisions.map(({ dataset, epoch, revision, snapshotDigest }) =>
          String([name.split(' ')[1], dataset, epoch, revision, snapshotDigest]),
        ),
      )
      .sort();
    const whole = revisionsProjector.start(0, null);
    fold(whole, log);
    assert.equal(new Set(expected).size, 6 * games, 'three of each stream');
    let state = revisionsProjector.start(0, null);
    const cut: string[] = [];
    for (let at = 0; at < log.length; at += 37) {
      cut.push(...fold(state, log.slice(at, at + 37)).map(String));
      state.scopes.rest('resting');
      if (at % 5 === 0) state = revisionsProjector.start(0, JSON.parse(JSON.stringify(revisionsProjector.save(state))));
    }
    assert.deepEqual(cut.sort(), expected);
    assert.equal(revisionsProjector.digest(state), revisionsProjector.digest(whole));
    assert.notEqual(revisionsProjector.digest(whole), '0'.repeat(64));
  });

  it('have another digest after any record', () => {
    const state = revisionsProjector.start(0, null);
    const digests = new Set<string>();
    for (const record of log.slice(0, 250)) {
      fold(state, [record]);
      digests.add(revisionsProjector.digest(state));
    }
    assert.equal(digests.size, 250);
  });

  it('are small while nobody speaks of them', () => {
    const state = revisionsProjector.start(0, null);
    fold(state, log);
    const saved = JSON.stringify(revisionsProjector.save(state));
    assert.ok(saved.length < games * 3_000, `${saved.length} characters for ${games} scopes`);
  });

  it('are packed the sooner the larger they are, and where nothing of them will be flushed; the newest is not', () => {
    const large = (offset: number, plays: number) => delivered(offset, offset, plays - 1);
    const state = revisionsProjector.start(0, null);
    let next = 0;
    const foldAll = (most: number): void => {
      for (const end = next + 16; next < end; next += 1) {
        fold(state, [large(next, 1_500)]);
        assert.ok(state.scopes.openRows <= most, `${state.scopes.openRows} rows`);
      }
    };
    foldAll(6_000);
    revisionsProjector.adopt(state, [], false);
    foldAll(16_000);
    assert.ok(state.scopes.openRows > 12_000, 'what a flush is made of is held');
    revisionsProjector.committed(state, { streams: [], moves: [], deadLetters: [], receipts: [] });
    assert.ok(state.scopes.openRows <= 12_000 && state.scopes.openRows > 8_000, `${state.scopes.openRows} rows`);
    fold(state, [large(next, 40_000)]);
    assert.equal(state.scopes.openRows, 40_001);
  });

  it('remember nobody of whom nothing was applied', () => {
    const state = revisionsProjector.start(0, null);
    const blank = revisionsProjector.digest(state);
    const [first] = log as [DeliveredRecord];
    const record = first.value as ObservationsRecord;
    const observation = { ...record.observation!, element: '{"plays":7}' };
    fold(state, [{ ...first, value: { ...record, observation } }]);
    fold(state, [{ ...first, value: { ...record, observation: null, tick: { at: start } } }]);
    assert.equal(revisionsProjector.digest(state), blank);
    assert.deepEqual([...state.scopes.uuids], []);
  });

  it('are of a form that is known', () => {
    assert.throws(() => new HeldScopes({ form: 2, scopes: [] } as never), /form 2/);
  });
});
