// Runs one case of the vectors of revisions through a whole service: its bodies are pushed as their feed operator
// would, each applied before the next. The results are read from receipts, from the log and from the API's routes.

import assert from 'node:assert/strict';
import type { JsonValue } from '../../../core/json/value.ts';
import type { MsfDataset, MsfFeed } from '../../../core/msf/types.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { ChangeListing, RevisionDocument, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { sourceRevision } from '../builders/in-one-go.ts';
import { type Edition, type EditionOptions, startEdition } from '../editions/edition.ts';
import { appliedMsf } from '../editions/msf-client.ts';
import { getJson } from '../editions/published-game.ts';
import { send } from '../http/gateway-http.ts';

type Push = {
  league: string;
  season: string;
  feed: MsfFeed;
  game?: string;
  request_started_at?: string;
  received_at: string;
  body: JsonValue;
};
type Outcome = { push: number; scope?: string; source_revision?: string; result: string; pointer?: string };
type ReceiptRecord = { index: number; state: string; revisions: { dataset: string; revision: number }[] };
type Cut = { revision: number; push: number } & Record<string, unknown>;

export type RevisionsVector = {
  name: string;
  rule: string;
  pushes: readonly Push[];
  expect: { outcomes: readonly Outcome[]; streams: Record<string, readonly Cut[]> };
};

/** Runs a case on a service started for it; rejects with the first difference. */
export async function runMsfVector({ pushes, expect }: RevisionsVector, options: EditionOptions): Promise<void> {
  const edition = await startEdition(options);
  try {
    const key = await edition.feedKey(['push', 'msf', 'backfill']);
    const outcomes: Outcome[] = [];
    const cuts = new Map<string, number>();
    for (const [index, push] of pushes.entries()) {
      const { observed, revisions } = await pushOne(edition, key, push, index);
      outcomes.push(...observed);
      for (const each of revisions) cuts.set(each, index);
    }
    // A receipt does not distinguish "applied" from "same".
    const alike = expect.outcomes.map((each) => ({
      ...each,
      result: each.result === 'same' ? 'applied' : each.result,
    }));
    assert.deepEqual(outcomes, alike, 'outcomes');
    for (const [name, expected] of Object.entries(expect.streams)) {
      const [dataset, scope] = name.split(' ') as [MsfDataset, string];
      const revisions = await revisionsOf(edition, dataset, scope);
      const seen = revisions.map((each) => ({ ...each, push: cuts.get(`${name} ${each.revision}`) }));
      assert.deepEqual(
        seen,
        expected.map((each) => ({ ...each, live_capture_started_at: null })),
        name,
      );
    }
    assert.equal(
      cuts.size,
      Object.values(expect.streams).reduce((sum, revisions) => sum + revisions.length, 0),
      'streams that are not named have no revisions',
    );
  } finally {
    await edition.stop();
  }
}

/** The results of a push's observations, and `<dataset> <scope> <revision>` for each revision they cut. */
async function pushOne(
  edition: Edition,
  key: string,
  { league, season, feed, game, received_at, request_started_at, body }: Push,
  push: number,
): Promise<{ observed: Outcome[]; revisions: string[] }> {
  const query = game === undefined ? '' : `?game=${game}`;
  const reply = await send(`${edition.ingestUrl}/v1/sources/feed/msf/${league}/${season}/${feed}${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-observed-at': received_at,
      ...(request_started_at === undefined ? {} : { 'x-request-started-at': request_started_at }),
    },
    body: JSON.stringify(body),
  });
  const rejected = reply.body.rejected as { code: string; pointer: string }[];
  const refused = rejected.map(({ code, pointer }): Outcome => ({ push, result: code, pointer }));
  if (reply.status === 400) return { observed: refused, revisions: [] };
  assert.equal(reply.status, 202, JSON.stringify(reply.body));
  const receipt = await appliedMsf(edition, key, String(reply.body.receipt));
  const records = receipt.records as unknown as readonly ReceiptRecord[];
  const logged = await recordsOf(edition, String(reply.body.receipt));
  const late = new Set(records.filter(({ state }) => state === 'refused').map(({ index }) => index));
  const observed = logged.map(({ scope_id: scope, push_index, observation }): Outcome => {
    const source_revision = sourceRevision(JSON.parse(observation?.element ?? '') as JsonValue);
    return { push, scope, source_revision, result: late.has(push_index ?? -1) ? 'late' : 'applied' };
  });
  const revisions = records.flatMap(({ index, revisions: cut }) =>
    cut.map(({ dataset, revision }) => `${dataset} ${logged[index]?.scope_id} ${revision}`),
  );
  return { observed: [...observed, ...refused], revisions };
}

/** The observations of a push, in order. */
async function recordsOf({ drivers: { broker } }: Edition, receipt: string): Promise<ObservationsRecord[]> {
  const records: ObservationsRecord[] = [];
  for (const { partition, low, high } of await broker.watermarks(topics.observations)) {
    for await (const batch of broker.read(topics.observations, partition, low, high)) {
      for (const { value } of batch.records) records.push(value as ObservationsRecord);
    }
  }
  return records.filter(({ push }) => push === receipt).sort((a, b) => (a.push_index ?? 0) - (b.push_index ?? 0));
}

/** The revisions of a stream in the form of the vectors. */
async function revisionsOf(edition: Edition, dataset: MsfDataset, scope: string): Promise<{ revision: number }[]> {
  const place = scope.includes('_') ? `/v1/games/${scope}` : `/v1/leagues/${scope}`;
  const head = (await getJson(edition, `${place}/${dataset}/snapshot`)) as SnapshotManifest;
  const at = (revision: number) =>
    getJson(
      edition,
      `${place}/${dataset}/snapshot?epoch=${head.stream_epoch}&at_revision=${revision}`,
    ) as Promise<SnapshotManifest>;
  const first = await at(1);
  const listing = (await getJson(
    edition,
    `${place}/${dataset}/changes?cursor=${first.cursor}&limit=500`,
  )) as ChangeListing;
  const written = async (record: RevisionDocument, ops: readonly unknown[]) => ({
    revision: record.revision,
    revision_kind: record.revision_kind,
    is_baseline: record.is_baseline,
    status: record.status,
    row_count: record.row_count,
    snapshot_row_count: record.snapshot_row_count,
    snapshot_digest: record.snapshot_digest,
    source_observation: record.source_observation,
    coverage: record.coverage,
    live_capture_started_at: (await at(record.revision)).live_capture_started_at,
    change_ops: ops,
  });
  // The first revision has no change file: its change is the whole state.
  const ofFirst = Array.from({ length: first.row_count }, () => 'upsert');
  return Promise.all([
    written(first, ofFirst),
    ...listing.revisions.map(async (record) => written(record, await opsOf(edition, dataset, record))),
  ]);
}

async function opsOf(edition: Edition, dataset: MsfDataset, { files }: RevisionDocument): Promise<unknown[]> {
  const ops: unknown[] = [];
  for (const { url } of files) {
    const response = await fetch(edition.apiUrl + url, { headers: { authorization: `Bearer ${edition.apiKey}` } });
    assert.equal(response.status, 200, url);
    const rows = parquetWriter.decode(changeFileName(dataset), new Uint8Array(await response.arrayBuffer()));
    ops.push(...rows.map((row) => (row as Record<string, unknown>)._op));
  }
  return ops;
}
