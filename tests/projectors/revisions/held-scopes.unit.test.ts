// The scopes of a partition: the fold gives the same result however many scopes there are and whichever are packed, saved and loaded, and
// the digest depends only on the folded records (I21).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gameUuid } from '../../../core/msf/ids.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { MsfCommit } from '../../../core/ports/catalog/msf.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { HeldScopes } from '../../../projectors/revisions/held-scopes.ts';
import { RevisionsProjector } from '../../../projectors/revisions/revisions-projector.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { gameObject, play } from '../../support/builders/msf-bodies.ts';
import { flushByHand, KeptCommits } from '../../support/folds/flushed-projector.ts';
import { observationRecord, PureMsf } from '../../support/folds/msf-log.ts';

const start = Date.UTC(2026, 0, 10, 1) * 1_000;

/** The rth observation of the nth game. */
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

/** So many games, pushed in turn, that most are packed at any time. */
const games = 200;
const log = Array.from({ length: 3 * games }, (_, offset) =>
  delivered(offset, offset % games, Math.floor(offset / games)),
);

/** A partition of these scopes whose flushes are discarded. */
class Partition {
  readonly scopes: HeldScopes;
  readonly projector: RevisionsProjector;
  readonly #kept = new KeptCommits<MsfCommit>();

  constructor(scopes = new HeldScopes()) {
    this.scopes = scopes;
    this.projector = new RevisionsProjector(this.#kept, 0, scopes);
  }

  /** Folds and flushes; answers the revisions that were cut. */
  async fold(records: readonly DeliveredRecord[]) {
    runToEnd(this.projector.folding(records));
    await flushByHand(this.projector);
    const { streams = [] } = this.#kept.commits.at(-1) ?? {};
    return streams.flatMap(({ scopeUuid, revisions }) =>
      revisions.map(({ dataset, epoch, revision, snapshotDigest }) => [
        scopeUuid,
        dataset,
        epoch,
        revision,
        snapshotDigest,
      ]),
    );
  }
}

describe('held scopes', () => {
  it('give the same revisions and the same digest, however often they are packed, saved and loaded', async () => {
    const pure = new PureMsf();
    for (const { value, timestamp } of log) pure.fold(value as ObservationsRecord, timestamp);
    const expected = [...pure.revisions]
      .flatMap(([name, revisions]) =>
        revisions.map(({ dataset, epoch, revision, snapshotDigest }) =>
          String([name.split(' ')[1], dataset, epoch, revision, snapshotDigest]),
        ),
      )
      .sort();
    const whole = new Partition();
    runToEnd(whole.projector.folding(log));
    assert.equal(new Set(expected).size, 6 * games, 'three of each stream');
    let partition = new Partition();
    const cut: string[] = [];
    for (let at = 0; at < log.length; at += 37) {
      cut.push(...(await partition.fold(log.slice(at, at + 37))).map(String));
      if (at % 5 !== 0) continue;
      partition = new Partition(new HeldScopes(JSON.parse(JSON.stringify(runToEnd(partition.projector.saving())))));
    }
    assert.deepEqual(cut.sort(), expected);
    assert.equal(partition.scopes.digest(), whole.scopes.digest());
    assert.notEqual(whole.scopes.digest(), '0'.repeat(64));
  });

  it('have another digest after any record', () => {
    const { projector } = new Partition();
    const digests = new Set<string>();
    for (const record of log.slice(0, 250)) {
      runToEnd(projector.folding([record]));
      digests.add(projector.digest());
    }
    assert.equal(digests.size, 250);
  });

  it('are small while nobody speaks of them', () => {
    const { projector } = new Partition();
    runToEnd(projector.folding(log));
    const saved = JSON.stringify(runToEnd(projector.saving()));
    assert.ok(saved.length < games * 3_000, `${saved.length} characters for ${games} scopes`);
  });

  it('are packed the sooner the larger they are, and where nothing of them will be flushed; the newest is not', async () => {
    const large = (offset: number, plays: number) => delivered(offset, offset, plays - 1);
    const { scopes, projector } = new Partition();
    let next = 0;
    const foldAll = (most: number): void => {
      for (const end = next + 16; next < end; next += 1) {
        runToEnd(projector.folding([large(next, 1_500)]));
        assert.ok(scopes.openRows <= most, `${scopes.openRows} rows`);
      }
    };
    foldAll(6_000);
    (await projector.readPublished('same'))();
    foldAll(16_000);
    assert.ok(scopes.openRows > 12_000, 'scopes of the next flush stay open');
    runToEnd(projector.planning()).committed();
    assert.ok(scopes.openRows <= 12_000 && scopes.openRows > 8_000, `${scopes.openRows} rows`);
    runToEnd(projector.folding([large(next, 40_000)]));
    assert.equal(scopes.openRows, 40_001);
  });

  it('remember nobody of whom nothing was applied', () => {
    const { scopes, projector } = new Partition();
    const blank = projector.digest();
    const [first] = log as [DeliveredRecord];
    const record = first.value as ObservationsRecord;
    const observation = { ...record.observation!, element: '{"plays":7}' };
    runToEnd(projector.folding([{ ...first, value: { ...record, observation } }]));
    runToEnd(projector.folding([{ ...first, value: { ...record, observation: null, tick: { at: start } } }]));
    assert.equal(projector.digest(), blank);
    assert.deepEqual([...scopes.uuids], []);
    const status = { from: 'SCHEDULED', to: 'CANCELLED', at: start };
    runToEnd(projector.folding([{ ...first, value: { ...record, observation: null, status } }]));
    assert.deepEqual([...scopes.uuids], [record.scope_uuid], 'the scope of the manual status was opened');
  });

  it('are of a form that is known', () => {
    assert.throws(() => new HeldScopes({ form: 2, scopes: [] } as never), /form 2/);
  });
});
