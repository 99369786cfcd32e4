// Claims about every stream of every log, each readable from what the fold gives out alone: revisions are contiguous and immutable, a baseline
// and its changes are the snapshots, archives replay to the head, late observations change nothing, and the result does not depend on where
// a state is saved.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { RebuiltState } from '../../../../core/msf/published/rebuild.ts';
import { factsOf } from '../../../../core/msf/streams/scope-state.ts';
import type { CutRevision, MsfDataset } from '../../../../core/msf/types.ts';
import type { Micros } from '../../../../core/units.ts';
import { datasetNamed } from '../../../../schemas/datasets/registry.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { type LoggedRecord, microsPerDay, msfLogs, recordsOf, tickAt } from '../../../support/arbitraries/msf.ts';
import { logWithResets } from '../../../support/arbitraries/msf-resets.ts';
import { type Folded, PureMsf, savedAndLoaded } from '../../../support/folds/msf-log.ts';

const runs = cases(150);

function foldAll(log: readonly LoggedRecord[], savedAfter: (index: number) => boolean = () => false) {
  const msf = new PureMsf();
  const folded: Folded[] = [];
  for (const [index, { record, at }] of log.entries()) {
    if (record.tick !== null && !msf.scopes.has(record.scope_uuid)) continue;
    folded.push(msf.fold(record, at));
    const state = msf.scopes.get(record.scope_uuid)!;
    if (savedAfter(index)) msf.scopes.set(record.scope_uuid, savedAndLoaded(state));
  }
  return { msf, folded };
}

type Stream = { dataset: MsfDataset; epochs: Map<string, { revisions: CutRevision[]; archives: [number, number][] }> };

/** Everything published, by stream and epoch. */
function published(folded: readonly Folded[]): Stream[] {
  const streams = new Map<string, Stream>();
  const epochOf = (uuid: string, dataset: MsfDataset, epoch: string) => {
    const stream = streams.get(`${uuid} ${dataset}`) ?? { dataset, epochs: new Map() };
    streams.set(`${uuid} ${dataset}`, stream);
    const known = stream.epochs.get(epoch) ?? { revisions: [], archives: [] };
    stream.epochs.set(epoch, known);
    return known;
  };
  for (const { scope, effects } of folded) {
    for (const cut of effects.revisions) epochOf(scope.uuid, cut.dataset, cut.epoch).revisions.push(cut);
    for (const cut of effects.archiveCuts) {
      epochOf(scope.uuid, cut.dataset, cut.epoch).archives.push([cut.first, cut.last]);
    }
  }
  return [...streams.values()];
}

/** A month later, without further records: everything that waits for time has happened. */
function andLater(log: LoggedRecord[]): LoggedRecord[] {
  const end = log.at(-1)?.at ?? 0;
  const scopes = new Map(log.map(({ record }) => [record.scope_uuid, record]));
  const frames = [...scopes.values()].flatMap((record) =>
    record.league === 'NBA' || record.league === 'NHL' ? [{ ...record, league: record.league } as const] : [],
  );
  return [...log, ...frames.flatMap((frame) => [tickAfter(frame, end + 2 * microsPerDay)])];
}

function tickAfter(frame: LoggedRecord['record'] & { league: 'NBA' | 'NHL' }, at: Micros): LoggedRecord {
  const kind = frame.scope_id === frame.league ? 'league' : 'game';
  return tickAt({ kind, uuid: frame.scope_uuid, id: frame.scope_id, league: frame.league }, at);
}

const logs = msfLogs();
const property = (check: (log: LoggedRecord[]) => void) =>
  fc.assert(
    fc.property(logs, fc.boolean(), (sketch, resets) => check(resets ? logWithResets(sketch) : recordsOf(sketch))),
    { numRuns: runs },
  );

describe('streams of any log', () => {
  it('are the same wherever states were saved between records', () => {
    property((log) => {
      const straight = foldAll(log);
      for (const savedAfter of [() => true, (index: number) => index % 3 === 1]) {
        const saved = foldAll(log, savedAfter);
        assert.deepEqual(
          saved.folded.map(({ effects }) => effects),
          straight.folded.map(({ effects }) => effects),
        );
        assert.deepEqual([...saved.msf.scopes.values()].map(factsOf), [...straight.msf.scopes.values()].map(factsOf));
      }
    });
  });

  it('number their revisions 1, 2, 3 in each epoch, the first a replace, at most one of a dataset from one observation', () => {
    property((log) => {
      const { folded } = foldAll(log);
      for (const { epochs } of published(folded)) {
        for (const { revisions } of epochs.values()) {
          assert.deepEqual(
            revisions.map(({ revision }) => revision),
            revisions.map((_, index) => index + 1),
          );
          assert.ok(revisions.length === 0 || revisions[0]!.kind === 'replace');
        }
      }
      for (const { record, effects } of folded) {
        if (record.reset !== null) continue;
        const datasets = effects.revisions.map(({ dataset }) => dataset);
        assert.equal(new Set(datasets).size, datasets.length);
      }
    });
  });

  it('are rebuilt from the first revision and the changes behind it, at every revision', () => {
    property((log) => {
      for (const { dataset, epochs } of published(foldAll(log).folded)) {
        for (const { revisions } of epochs.values()) {
          const rebuilt = new RebuiltState(datasetNamed(dataset));
          for (const cut of revisions) {
            const change = cut.change.map(({ row, op }) => ({ ...row, _op: op }));
            assert.deepEqual(rebuilt.apply(cut.kind, change), []);
            assert.deepEqual(
              [rebuilt.digest, rebuilt.rowCount, cut.change.length],
              [cut.snapshotDigest, cut.snapshotRows, cut.changeRows],
            );
            const snapshot = new RebuiltState(
              datasetNamed(dataset),
              cut.snapshot.map(({ row }) => row),
            );
            assert.equal(snapshot.digest, cut.snapshotDigest);
          }
        }
      }
    });
  });

  it('are all in archives once they are quiet, which replay to the head from their baselines', () => {
    property((log) => {
      for (const { dataset, epochs } of published(foldAll(andLater(log)).folded)) {
        const current = [...epochs.keys()].at(-1);
        for (const [epoch, { revisions, archives }] of epochs) {
          // An unsettled game stays unsettled: nothing of it waits for time.
          if (archives.length === 0 && epoch === current) continue;
          assert.deepEqual(
            archives.map(([first]) => first),
            [1, ...archives.slice(0, -1).map(([, last]) => last + 1)],
          );
          for (const [first, last] of archives) {
            assert.ok(last - first < 64);
            const [baseline, ...later] = revisions.slice(first - 1, last);
            const rebuilt = new RebuiltState(
              datasetNamed(dataset),
              baseline!.snapshot.map(({ row }) => row),
            );
            for (const { kind, change } of later) {
              assert.deepEqual(
                rebuilt.apply(
                  kind,
                  change.map(({ row, op }) => ({ ...row, _op: op })),
                ),
                [],
              );
            }
            assert.equal(rebuilt.digest, revisions[last - 1]!.snapshotDigest);
          }
        }
      }
    });
  });

  it('do not change by late observations, or by repeats other than a verifying one', () => {
    property((log) => {
      const { folded } = foldAll(log);
      for (const { effects } of folded) {
        const { outcome } = effects;
        const begins = effects.epochs.length > 0;
        if (outcome?.result === 'late' && !begins) assert.deepEqual([effects.revisions, effects.move], [[], null]);
        if (outcome?.result === 'same' && !begins) {
          for (const cut of effects.revisions) {
            assert.deepEqual([cut.kind, cut.changeRows, cut.status], ['patch', 0, 'verified']);
          }
        }
      }
    });
  });

  it('are a function of the newest of each feed: without what was late, and feed by feed, the last states are the same', () => {
    property((log) => {
      const { msf, folded } = foldAll(log.filter(({ record }) => record.reset === null));
      const lateness = new Map(folded.map(({ record, effects }) => [record, effects.outcome?.result === 'late']));
      const applied = folded.filter(({ record }) => record.observation !== null && lateness.get(record) === false);
      const other = new PureMsf();
      const byFeed = (feed: string) => applied.filter(({ record }) => record.observation!.feed === feed);
      const feeds = [...new Set(applied.map(({ record }) => record.observation!.feed))].sort();
      for (const feed of feeds) {
        for (const { record } of byFeed(feed)) {
          const loggedAt = log.find((each) => each.record === record)!.at;
          const id = msf.scopes.get(record.scope_uuid)!.scope.id;
          other.fold({ ...record, scope_id: id }, loggedAt);
        }
      }
      for (const [uuid, { streams }] of msf.scopes) {
        for (const [dataset, { digest, state }] of streams) {
          assert.equal(other.scopes.get(uuid)!.streams.get(dataset)!.digest, digest);
          assert.equal(other.scopes.get(uuid)!.streams.get(dataset)!.state.length, state.length);
        }
      }
    });
  });
});
