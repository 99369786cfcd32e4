// Every case of tests/vectors/msf/revisions.json through the pure functions: bodies, records, fold, revisions. Run twice: straight,
// and with every state saved and loaded after every record.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../../../core/json/value.ts';
import type { Coverage, CutRevision, MsfDataset, MsfFeed, SourceObservation } from '../../../../core/msf/types.ts';
import { formatMicros, parseRfc3339 } from '../../../../core/time/rfc3339.ts';
import type { Micros } from '../../../../core/units.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { PureMsf } from '../../../support/folds/msf-log.ts';
import { msfVectors } from '../../../support/vectors/msf-vectors.ts';

type Push = {
  league: string;
  feed: MsfFeed;
  game?: string;
  request_started_at?: string;
  received_at: string;
  backfill: boolean;
  body: JsonValue;
};

type RevisionsCase = {
  name: string;
  rule: string;
  pushes: readonly Push[];
  show: readonly string[];
  expect: {
    outcomes: readonly object[];
    streams: Record<string, readonly object[]>;
    final_rows: Record<string, readonly (readonly unknown[])[]>;
  };
};

describe('revisions of the vectors, pure', () => {
  for (const vector of msfVectors<RevisionsCase>('revisions')) {
    it(`${vector.name}: ${vector.rule}`, () => run(vector, new PureMsf()));
    it(`${vector.name}, saved and loaded at every record`, () => run(vector, new PureMsf({ checkpoints: true })));
  }
});

function run({ pushes, expect }: RevisionsCase, msf: PureMsf): void {
  const outcomes: object[] = [];
  const streams: Record<string, object[]> = {};
  const ids = new Map<string, string>();
  for (const [push, { league, feed, game, body, ...times }] of pushes.entries()) {
    const at = timeOf(times.received_at);
    const { folded, refusals } = msf.push({
      league: league.toUpperCase() as League,
      feed,
      game: game ?? null,
      requested: times.request_started_at === undefined ? null : timeOf(times.request_started_at),
      at,
      observedAt: times.backfill ? at : null,
      body,
    });
    for (const { scope, effects } of folded) {
      ids.set(scope.id, scope.uuid);
      const { outcome } = effects;
      if (outcome === null || outcome.result === 'refused')
        throw new Error('the fold refused a record that the gateway accepted');
      outcomes.push({ push, scope: scope.id, source_revision: outcome.sourceRevision, result: outcome.result });
      for (const cut of effects.revisions) {
        const name = `${cut.dataset} ${scope.id}`;
        streams[name] = [...(streams[name] ?? []), { push, ...written(cut) }];
      }
    }
    for (const { pointer } of refusals) outcomes.push({ push, result: 'bad-body', pointer });
  }
  assert.deepEqual(outcomes, expect.outcomes);
  for (const [name, rows] of Object.entries(expect.final_rows)) {
    const [dataset, id] = name.split(' ') as [MsfDataset, string];
    const state = msf.scopes.get(ids.get(id)!)!.streams.get(dataset)!.state;
    assert.deepEqual(
      state.map(({ line }) => JSON.parse(line) as unknown),
      rows,
      name,
    );
  }
  assert.deepEqual(streams, expect.streams);
}

/** A revision in the form of the vectors. */
function written(cut: CutRevision): object {
  return {
    revision: cut.revision,
    revision_kind: cut.kind,
    is_baseline: cut.revision === 1,
    status: cut.status,
    row_count: cut.changeRows,
    snapshot_row_count: cut.snapshotRows,
    snapshot_digest: cut.snapshotDigest,
    source_observation: observationOf(cut.sourceObservation),
    coverage: coverageOf(cut.coverage),
    live_capture_started_at: timeOrNull(cut.liveCaptureStartedAt),
    change_ops: cut.change.map(({ op }) => op),
  };
}

function observationOf(source: SourceObservation): object {
  return {
    ...source,
    source_updated_at: formatMicros(source.source_updated_at),
    request_started_at: formatMicros(source.request_started_at),
  };
}

function coverageOf(coverage: Coverage): object {
  return {
    ...coverage,
    coverage_start: timeOrNull(coverage.coverage_start),
    coverage_end: timeOrNull(coverage.coverage_end),
  };
}

function timeOrNull(time: Micros | null): string | null {
  return time === null ? null : formatMicros(time);
}

function timeOf(text: string): Micros {
  const time = parseRfc3339(text);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}
