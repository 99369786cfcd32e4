// A reset as records of the log: `begin`, what was kept before it once more, `end`; what is missing is named as a gap.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { heldElementKey } from '../../../core/msf/bodies/held-element.ts';
import { gameUuid } from '../../../core/msf/ids.ts';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import { epochId } from '../../../core/msf/streams/epoch.ts';
import { frameRefusal } from '../../../core/msf/streams/frame.ts';
import type { CutRevision, Scope } from '../../../core/msf/types.ts';
import type { OutgoingRecord } from '../../../core/ports/broker.ts';
import type { CrashPoint } from '../../../core/ports/crash-points.ts';
import { ObjectDamaged } from '../../../core/ports/object-store.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { countKept } from '../../../ops/epoch/kept-observations.ts';
import { type ResetTools, resetEpoch } from '../../../ops/epoch/reset-epoch.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { scopesOf } from '../../support/arbitraries/msf.ts';
import { gameObject, play } from '../../support/builders/msf-bodies.ts';
import { observationRecord, PureMsf } from '../../support/folds/msf-log.ts';

const scopeUuid = gameUuid('NBA', 1);
const other = gameUuid('NBA', 2);
const at = (second: number): number => Date.UTC(2026, 0, 10, 1, 0, second) * 1_000;

function observed(second: number, change: Partial<ObservationsRecord['observation'] & object> = {}, uuid = scopeUuid) {
  const record: ObservationsRecord = {
    ...blankObservations({ uuid, id: 'G', league: 'NBA' }, 'feed', at(second)),
    observation: {
      season: 's',
      feed: 'playbyplay',
      msf_game_id: 1,
      observed_at: null,
      request_started_at: at(second),
      last_updated_on: null,
      element: `{"n":${second}}`,
      held: null,
      rebuild: null,
      ...change,
    },
  };
  return record;
}

/** `count` plays of a game, a second after the record with one play less. */
function pulled(scope: Scope, count: number): ObservationsRecord {
  const received = at(0) + count * 1_000_000;
  const plays = Array.from({ length: count }, (_, secondsElapsed) => play({ quarter: 1, secondsElapsed }));
  const body = { game: gameObject(), plays };
  return observationRecord(scope, { feed: 'playbyplay', requested: received, at: received, body }, 900001, body);
}
const ended = at(0) + 3_600_000_000;

type StageOptions = {
  forgotten?: number;
  /** The broker's time of the record at this offset; left out: its receive time. */
  loggedAt?: (offset: number) => number;
  atPoint?: (point: CrashPoint) => void;
};

/** A log of one partition whose first `forgotten` records are deleted. */
function stage(records: ObservationsRecord[], options: StageOptions = {}) {
  const tools: ResetTools = {
    broker: {
      partitionOf: async () => 0,
      watermarks: async () => [{ partition: 0, low: options.forgotten ?? 0, high: records.length }],
      async *read(topic, partition, from, to) {
        const delivered = records.slice(from, to).map((value, index) => ({
          offset: from + index,
          timestamp: options.loggedAt?.(from + index) ?? value.received_at ?? 0,
          key: value.scope_uuid,
          headers: {},
          value,
          bytes: new Uint8Array(),
          undecodable: null,
        }));
        yield { topic, partition, records: delivered, highWatermark: records.length };
      },
      async produce(_topic, outgoing: readonly OutgoingRecord[]) {
        records.push(...outgoing.map(({ value }) => value as ObservationsRecord));
      },
    },
    objects: { get: async () => null },
    leases: { hold: async () => true },
    crash: (point) => options.atPoint?.(point),
    currentEpoch: async () => 'E1',
    published: async () => 'E2',
  };
  /** Resets the stream that the first record began. */
  const reset = () => {
    const stream = { ...streamOf(firstEpoch), knownSince: at(1) };
    return resetEpoch(tools, { id: 'r', stream, replaces: 'E1' });
  };
  return { tools, reset };
}

const firstEpoch = epochId(scopeUuid, 'plays', { partition: 0, offset: 0, timestamp: at(1) });

/** A stream that began with the epoch of this id. */
function streamOf(began: string, scope = { uuid: scopeUuid, id: 'G' }) {
  const epochs = [{ epoch: began, current: true, head: 1, listedFrom: 1 }];
  return {
    scopeUuid: scope.uuid,
    scopeId: scope.id,
    dataset: 'plays' as const,
    league: 'NBA' as const,
    epochs,
    knownSince: null,
  };
}

const describeRecord = (record: ObservationsRecord): string =>
  record.reset === null
    ? `${record.observation?.rebuild ?? 'live'} ${record.observation?.element}`
    : `${record.reset.phase} ${record.reset.gaps.join(', ')}`.trim();

describe('a reset', () => {
  it('repeats the observations of its scope from before it, and leaves later ones to the fold', async () => {
    const records = [observed(1), observed(2, {}, other), observed(3, { rebuild: 'earlier' }), observed(4)];
    const before = records.length;
    const late = observed(5);
    const { reset } = stage(records, { atPoint: (point) => void (point === 'reset:begun' && records.push(late)) });
    assert.deepEqual(await reset(), { kind: 'done', epoch: 'E2', observations: 2, gaps: [] });
    assert.deepEqual(records.slice(before).map(describeRecord), [
      'begin',
      'live {"n":5}',
      'r {"n":1}',
      'r {"n":4}',
      'end',
    ]);
  });

  it('names what the log has forgotten and what the store has lost', async () => {
    const held = { element: null, held: { sha256: 'a'.repeat(64), size: 1_000_000 } };
    const records = [observed(1), observed(2), observed(3, held), observed(4)];
    const gaps = [
      `${formatMicros(at(1))}/${formatMicros(at(2))} observations-missing`,
      `${formatMicros(at(3))}/${formatMicros(at(3))} observation-missing`,
    ];
    const { reset } = stage(records, { forgotten: 1 });
    assert.deepEqual(await reset(), { kind: 'done', epoch: 'E2', observations: 2, gaps });
    assert.equal(describeRecord(records.at(-1) as ObservationsRecord), `end ${gaps.join(', ')}`);
    const empty = stage([observed(1)], { forgotten: 1 });
    assert.deepEqual(await empty.reset(), {
      kind: 'done',
      epoch: 'E2',
      observations: 0,
      gaps: [`${formatMicros(at(1))}/.. observations-missing`],
    });
  });

  it('names no lost observation that the stream does not depend on', async () => {
    const held = { element: null, held: { sha256: 'a'.repeat(64), size: 1_000_000 } };
    const lost = `${formatMicros(at(2))}/${formatMicros(at(2))} observation-missing`;
    for (const [feed, gaps] of [
      ['player_gamelogs', []],
      ['playbyplay', [lost]],
      ['boxscore', [lost]],
    ] as const) {
      const { reset } = stage([observed(1), observed(2, { feed, ...held }), observed(3)]);
      assert.deepEqual(await reset(), { kind: 'done', epoch: 'E2', observations: 2, gaps }, feed);
    }
  });

  it('names what the store has damaged, whether the store says so or not, and ends', async () => {
    const text = Buffer.from('{"n":3}'.padEnd(1_000, ' '));
    const held = { sha256: createHash('sha256').update(text).digest('hex'), size: text.length };
    const gap = `${formatMicros(at(3))}/${formatMicros(at(3))} observation-missing`;
    for (const [stored, gaps] of [
      [zstdCompressSync(text), []],
      [zstdCompressSync('another text'), [gap]],
      [Buffer.from('no frame'), [gap]],
      [new ObjectDamaged('k'), [gap]],
    ] as const) {
      const records = [observed(1), observed(3, { element: null, held }), observed(4)];
      const { tools } = stage(records);
      const get = async (key: string): Promise<Uint8Array | null> => {
        if (key !== heldElementKey(held.sha256)) return null;
        if (stored instanceof ObjectDamaged) throw stored;
        return stored;
      };
      const stream = { ...streamOf(firstEpoch), knownSince: at(1) };
      const answer = await resetEpoch({ ...tools, objects: { get } }, { id: 'r', stream, replaces: 'E1' });
      assert.deepEqual(answer, { kind: 'done', epoch: 'E2', observations: 3 - gaps.length, gaps });
    }
  });

  it('names what is missing whatever was stamped: it is the log that tells', async () => {
    // The first was stamped by its request; the second, the only one still there, by an older `lastUpdatedOn`.
    const records = [observed(9), observed(10, { last_updated_on: formatMicros(at(5)) })];
    const { tools } = stage(records, { forgotten: 1 });
    const began = epochId(scopeUuid, 'plays', { partition: 0, offset: 0, timestamp: at(9) });
    const stream = { ...streamOf(began), knownSince: at(9) };
    const answer = await resetEpoch(tools, { id: 'r', stream, replaces: 'E1' });
    const gaps = [`${formatMicros(at(5))}/${formatMicros(at(9))} observations-missing`];
    assert.deepEqual(answer, { kind: 'done', epoch: 'E2', observations: 1, gaps });
  });

  it('makes the same of observations whose gateway had a wrong clock', async () => {
    const scope = scopesOf('NBA').game;
    const loggedAt = (offset: number): number => at(0) + (offset + 1) * 1_000_000;
    const twentyMinutes = 1_200_000_000;
    const log = [1, 2, 3, 4].map((count) => {
      const record = pulled(scope, count);
      const { received_at: received, observation } = record;
      const wrong = (received ?? 0) + (count < 3 ? twentyMinutes : 0);
      return { ...record, received_at: wrong, observation: { ...observation!, request_started_at: null } };
    });
    const kept = log.length;
    const msf = new PureMsf();
    for (const [offset, record] of log.entries()) msf.fold(record, loggedAt(offset));
    const captured = [...msf.revisionsOf('plays', scope.uuid)];
    const { tools } = stage(log, { loggedAt });
    const [{ epoch }] = captured as [CutRevision];
    await resetEpoch(tools, { id: 'r', stream: streamOf(epoch, scope), replaces: 'E1' });
    for (const record of log.slice(kept)) msf.fold(record, ended);
    const rebuilt = msf.revisionsOf('plays', scope.uuid).slice(captured.length);
    const told = ({
      revision,
      snapshotDigest,
      sourceObservation: { source_updated_at, timestamp_basis },
    }: CutRevision) => [revision, snapshotDigest, source_updated_at, timestamp_basis] as const;
    assert.equal(captured.length, kept);
    assert.deepEqual(rebuilt.map(told), captured.map(told));
  });

  it('names in a second epoch what the first could not rebuild', async () => {
    const scope = scopesOf('NBA').game;
    const log = [1, 2, 3, 4].map((count) => pulled(scope, count));
    const msf = new PureMsf();
    for (const record of log) msf.fold(record, record.received_at ?? ended);
    const head = () => msf.revisionsOf('plays', scope.uuid).at(-1)!;
    const { tools } = stage(log, { forgotten: 2 });
    const [{ epoch: began, coverage }] = msf.revisionsOf('plays', scope.uuid) as [CutRevision];
    const lost = [`${formatMicros(log[0]!.received_at!)}/${formatMicros(log[2]!.received_at!)} observations-missing`];
    for (const id of ['first', 'second']) {
      const from = log.length;
      const replaces = head().epoch;
      const stream = { ...streamOf(began, scope), knownSince: coverage.coverage_start };
      const answer = await resetEpoch({ ...tools, currentEpoch: async () => replaces }, { id, stream, replaces });
      assert.deepEqual(answer, { kind: 'done', epoch: 'E2', observations: 2, gaps: lost });
      for (const record of log.slice(from)) msf.fold(record, ended);
      assert.notEqual(head().epoch, replaces);
      assert.deepEqual([head().coverage.state, head().coverage.gaps], ['legacy_partial', lost], id);
    }
  });

  it('ends however many observations are missing, together or here and there', async () => {
    const held = { element: null, held: { sha256: 'a'.repeat(64), size: 1_000_000 } };
    const seconds = Array.from({ length: 3_000 }, (_, second) => second + 1);
    const together = seconds.map((second) => observed(second, held));
    const one = `${formatMicros(at(1))}/${formatMicros(at(3_000))} observations-missing`;
    const answer = await stage(together).reset();
    assert.deepEqual(answer, { kind: 'done', epoch: 'E2', observations: 0, gaps: [one] });

    const scattered = seconds.map((second) => observed(second, second % 2 === 0 ? held : {}));
    const { kind, gaps } = (await stage(scattered, { forgotten: 1 }).reset()) as { kind: string; gaps: string[] };
    assert.equal(kind, 'done');
    assert.equal(gaps.length, 1_000);
    assert.equal(gaps[1], `${formatMicros(at(2))}/${formatMicros(at(2))} observation-missing`);
    assert.equal(gaps.at(-1), `${formatMicros(at(1_998))}/${formatMicros(at(3_000))} observations-missing`);
    const end = scattered.at(-1) as ObservationsRecord;
    assert.equal(frameRefusal(scopeUuid, { ...end, scope_id: scopeUuid }, at(3_000)), null);
  });

  it('that is killed half-way is run again: the fold takes the second, and ignores the records of the first', async () => {
    const scope = scopesOf('NBA').game;
    const pulls = Array.from({ length: 450 }, (_, index) => pulled(scope, index));
    const log = [...pulls];
    const { tools } = stage(log, {
      atPoint: (point) => {
        if (point === 'reset:half-way') throw new Error('killed');
      },
    });
    const about = { stream: streamOf('E1', scope), replaces: 'E1' };
    await assert.rejects(resetEpoch(tools, { id: 'first', ...about }), /killed/);
    assert.equal(log.length, 450 + 1 + 200, 'begin, and as many as are appended at once');
    const told: number[] = [];
    assert.deepEqual(await resetEpoch(stage(log).tools, { id: 'second', ...about }, (done) => told.push(done)), {
      kind: 'done',
      epoch: 'E2',
      observations: 450,
      gaps: [],
    });
    assert.deepEqual([told[0], told.at(-1)], [200, 450], 'how far it is after each append');

    const msf = new PureMsf();
    const folded = log.map((record, index) => msf.fold(record, pulls[index]?.received_at ?? ended));
    assert.deepEqual(new Set(folded.map(({ effects }) => effects.refusals.length)), new Set([0]));
    const epochs = folded.flatMap(({ effects }) => effects.epochs.filter(({ dataset }) => dataset === 'plays'));
    assert.deepEqual(
      epochs.map(({ replaces }) => replaces),
      [null, epochs[0]?.epoch],
    );
    const [before, after] = epochs.map(({ epoch }) =>
      msf
        .revisionsOf('plays', scope.uuid)
        .filter((cut) => cut.epoch === epoch)
        .map(({ revision, kind, status, snapshotDigest }) => [revision, kind, status, snapshotDigest]),
    );
    assert.equal(before?.length, 450);
    assert.deepEqual(after, before);
  });

  it('ends where the right to it is lost', async () => {
    const records = [observed(1)];
    const { tools } = stage(records);
    let asked = 0;
    const leases = { hold: async () => ++asked < 2 };
    const about = { id: 'r', stream: streamOf('E1'), replaces: 'E1' };
    const answer = await resetEpoch({ ...tools, leases }, about);
    assert.deepEqual(answer, { kind: 'held-by-another' });
    assert.deepEqual(records.map(describeRecord), ['live {"n":1}', 'begin']);
  });

  it('of an epoch that has gone since the plan was made does nothing', async () => {
    const records = [observed(1)];
    const { tools, reset } = stage(records);
    tools.currentEpoch = async () => 'E2';
    assert.deepEqual(await reset(), { kind: 'replaced-before' });
    assert.deepEqual(records.map(describeRecord), ['live {"n":1}']);
  });

  it('is not done until a projector has published it', async () => {
    const { tools, reset } = stage([observed(1)]);
    tools.published = async () => null;
    assert.deepEqual(await reset(), { kind: 'unpublished', epoch: null, observations: 1, gaps: [] });
  });

  it('renews the right to it until the new epoch shows', async () => {
    const { tools, reset } = stage([observed(1)]);
    let renewed = 0;
    tools.leases = {
      async hold() {
        renewed += 1;
        return true;
      },
    };
    tools.published = async (replaced, waits) => {
      assert.equal(replaced, 'E1');
      const before = renewed;
      await waits();
      assert.equal(renewed, before + 1);
      return 'E2';
    };
    assert.equal((await reset()).kind, 'done');
  });
});

it('counts beside what is kept the records of the scope that cannot be read', async () => {
  const { tools } = stage([
    observed(1),
    observed(2),
    observed(3, {}, other),
    observed(4, { rebuild: 'r' }),
    observed(5),
  ]);
  const read = tools.broker.read.bind(tools.broker);
  const broker: ResetTools['broker'] = {
    ...tools.broker,
    async *read(...asked) {
      for await (const batch of read(...asked)) {
        const records = batch.records.map((each) =>
          each.offset % 2 === 1 ? each : { ...each, undecodable: 'no schema' },
        );
        yield { ...batch, records };
      }
    },
  };
  const counts = async (tools: Pick<ResetTools, 'broker'>) => [
    ...(await countKept(tools, [scopeUuid, other])).values(),
  ];
  assert.deepEqual(await counts(tools), [
    { kept: 3, unreadable: 0 },
    { kept: 1, unreadable: 0 },
  ]);
  assert.deepEqual(await counts({ broker }), [
    { kept: 1, unreadable: 2 },
    { kept: 0, unreadable: 1 },
  ]);
});
