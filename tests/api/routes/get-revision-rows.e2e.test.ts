// The rows of a revision as JSON: docs/interface.md#revision-rows. The test recomputes the digest from the received rows.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import type { ChangeListing, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { openPlaysStream, playOf } from '../../support/builders/plays-stream.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { type FakeStream, gameScope } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const base = `/v1/games/${game}/plays`;
const scope = gameScope(game);

type Row = Readonly<Record<string, unknown>>;

let api: TestApi;
let plays: FakeStream<ParquetRow>;
beforeAll(async () => {
  api = await startApi();
  api.catalog.addGame({ gameId: game, uuid: uuidOf(game) });
  plays = openPlaysStream(api, scope);
  await plays.publish([1, 2, 3, 4, 5].map((number) => playOf(scope, number)));
  await plays.publish([playOf(scope, 6), playOf(scope, 2, 'corrected')], { deleted: [playOf(scope, 4)] });
  await plays.publish([playOf(scope, 7)]);
});
afterAll(() => api.close());

const address = (revision: number | string, kind = 'snapshot', epoch = plays.epoch) =>
  `${base}/revisions/${epoch}/${revision}/${kind}/rows`;

async function rowsOf(revision: number, kind: string): Promise<readonly Row[]> {
  const reply = await api.get(address(revision, kind));
  assert.equal(reply.status, 200, reply.body.toString());
  return (reply.json() as { rows: readonly Row[] }).rows;
}

function digestOf(rows: readonly Row[]): string {
  const key = (row: Row) => Buffer.from(String(row.play_id));
  const lines = [...rows]
    .sort((a, b) => key(a).compare(key(b)))
    .map((row) => `${JSON.stringify(Object.values(row))}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

describe('the rows of a revision', () => {
  it('are the state after it, and have its digest as they are', async () => {
    for (const revision of [1, 2, 3]) {
      const query = `at_revision=${revision}&epoch=${plays.epoch}`;
      const manifest = (await api.get(`${base}/snapshot?${query}`)).json() as SnapshotManifest;
      const rows = await rowsOf(revision, 'snapshot');
      assert.deepEqual([rows.length, digestOf(rows)], [manifest.snapshot_row_count, manifest.snapshot_digest]);
    }
  });

  it('of changes lead from one digest to the next', async () => {
    const state = new Map((await rowsOf(1, 'snapshot')).map((row) => [row.play_id, row]));
    const { cursor } = (
      await api.get(`${base}/snapshot?at_revision=1&epoch=${plays.epoch}`)
    ).json() as SnapshotManifest;
    const { revisions } = (await api.get(`${base}/changes?cursor=${cursor}`)).json() as ChangeListing;
    assert.equal(revisions.length, 2);
    for (const { revision, snapshot_digest } of revisions) {
      for (const { _op: op, ...row } of await rowsOf(revision, 'change')) {
        if (op === 'delete') state.delete(row.play_id);
        else state.set(row.play_id, row);
      }
      assert.equal(digestOf([...state.values()]), snapshot_digest);
    }
  });

  it('are immutable, counted, and debited at every read; HEAD shows the price', async () => {
    const key = api.catalog.mint(pepper, { accountId: 'reader of rows' });
    const head = await api.get(address(1), { method: 'HEAD', key });
    assert.deepEqual([head.headers['x-service-rowcount'], head.headers['x-service-debited'] ?? '0'], ['5', '0']);
    for (const used of [5, 10]) {
      const { headers } = await api.get(address(1), { key });
      assert.equal(headers['x-service-debited'], '5');
      assert.equal(headers['cache-control'], 'private, max-age=86400, immutable');
      assert.equal((await api.ledger.usage('reader of rows')).usedRows, used);
    }
  });

  it('of missing revisions are refused like their files', async () => {
    assertProblem(await api.get(address(9)), 'not-yet-available');
    for (const path of [address('x'), address(1, 'nothing'), address(0), address(1, 'snapshot', 'a.b')])
      assertProblem(await api.get(path), 'not-found');
  });
});
