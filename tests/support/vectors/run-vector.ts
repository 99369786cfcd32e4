// Runs one vector through a whole service: its pushes at their times, each applied before the next; then the expected
// games, rows, segments, boards, watermarks, states, refusals and duplicates, all as a client sees them.
import assert from 'node:assert/strict';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { type Edition, type EditionOptions, SetClock, startEdition } from '../editions/edition.ts';
import { getJson, getRows, manifestOf, rowsOf, vectorRow } from '../editions/published-game.ts';
import { until } from '../services/until.ts';
import type { ExpectedGame, VectorCase, VectorPush } from './vector-cases.ts';

type Receipt = {
  state: string;
  counts: { duplicates: number };
  records: { index: number; refusals: { code: string }[] }[];
};
type Seen = { refusals: Set<string>; duplicates: number };

/** Runs a vector on a service started for it; rejects with the first difference. */
export async function runVector(vector: VectorCase, options: Omit<EditionOptions, 'clock'>): Promise<void> {
  const clock = new SetClock();
  const edition = await startEdition({ ...options, clock });
  try {
    const keys = new Map<string, string>();
    const seen: Seen = { refusals: new Set(), duplicates: 0 };
    for (const push of vector.pushes) {
      const scopes = push.scopes.join(',');
      if (!keys.has(scopes)) keys.set(scopes, await edition.feedKey(push.scopes));
      clock.set(push.receivedAt);
      await send(edition, push, keys.get(scopes) ?? '', seen);
    }
    for (const [id, expected] of Object.entries(vector.expect.games)) await compareGame(edition, id, expected);
    const games = (await getJson(edition, '/v1/games?limit=10000')) as { data: { id: string }[] };
    assert.deepEqual(games.data.map((game) => game.id).sort(), Object.keys(vector.expect.games).sort(), 'games');
    assert.deepEqual(
      [...seen.refusals].sort(),
      [...new Set(vector.expect.refusals.map((each) => JSON.stringify(each)))].sort(),
      'refusals',
    );
    assert.equal(seen.duplicates, vector.expect.duplicates, 'duplicates');
    await compareStates(edition, clock, vector);
  } finally {
    await edition.stop();
  }
}

async function send(edition: Edition, push: VectorPush, key: string, seen: Seen): Promise<void> {
  const query = new URLSearchParams(push.query as Record<string, string>).toString();
  const response = await fetch(
    `${edition.ingestUrl}/v1/sources/${push.source}/${push.format}${query === '' ? '' : `?${query}`}`,
    {
      method: 'POST',
      body: push.body as Uint8Array<ArrayBuffer>,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(push.timed === 'source' ? { 'x-observed-at': push.at } : {}),
        ...(push.idempotencyKey === null ? {} : { 'idempotency-key': push.idempotencyKey }),
      },
    },
  );
  const body = (await response.json()) as {
    type?: string;
    receipt: string;
    duplicates: number;
    rejected?: { index: number; code: string }[];
  };
  const refuse = (index: number | null, code: string | number): void =>
    void seen.refusals.add(JSON.stringify([push.step, index, code]));
  for (const rejection of body.rejected ?? []) refuse(rejection.index, rejection.code);
  if (response.status === 403) return refuse(null, 403);
  if (body.type?.endsWith('/idempotency-conflict')) return refuse(null, 'idempotency-conflict');
  if (response.status === 400 && body.rejected !== undefined) return;
  assert.equal(response.status, 202, JSON.stringify(body));
  if (body.duplicates > 0) {
    seen.duplicates += body.duplicates;
    return;
  }
  const receipt = await applied(edition, key, body.receipt);
  seen.duplicates += receipt.counts.duplicates;
  for (const record of receipt.records) for (const refusal of record.refusals) refuse(record.index, refusal.code);
}

async function applied(edition: Edition, key: string, receipt: string): Promise<Receipt> {
  let answer: Receipt | undefined;
  await until(
    `receipt ${receipt} is applied`,
    async () => {
      const response = await fetch(`${edition.ingestUrl}/v1/receipts/${receipt}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      answer = (await response.json()) as Receipt;
      return answer.state === 'applied';
    },
    { everyMs: 5 },
  );
  await edition.apiCaughtUp();
  return answer as Receipt;
}

export async function compareGame(edition: Edition, id: string, expected: ExpectedGame): Promise<void> {
  const manifest = await manifestOf(edition, id);
  assert.deepEqual(
    manifest.segments.map((segment) => segment.rows),
    expected.segments,
    `${id}: segments`,
  );
  const rows = await rowsOf(edition, manifest);
  assert.deepEqual(
    rows.map((row) => row.row_number),
    rows.map((_, index) => index + 1),
    `${id}: row numbers`,
  );
  if (expected.rows !== undefined) assert.deepEqual(rows.map(vectorRow), expected.rows, `${id}: rows`);
  if (expected.row_count !== undefined) assert.equal(rows.length, expected.row_count, `${id}: row count`);
  const boards: Record<string, unknown> = {};
  for (const file of manifest.board.files)
    boards[file.operator] = (await getRows(edition, file.url, 'board')).map((row) => row.selection_id);
  const selections = Object.entries(expected.boards).map(([operator, board]) => [
    operator,
    board.map(([selection]) => selection),
  ]);
  assert.deepEqual(boards, Object.fromEntries(selections), `${id}: boards`);
  const watermarks = Object.entries(manifest.operators).map(([operator, facts]) => [operator, facts.observed_through]);
  assert.deepEqual(Object.fromEntries(watermarks), expected.watermarks, `${id}: watermarks`);
}

/** Ticks the log time of each game to the times of `states`, and reads the boards there. */
export async function compareStates(edition: Edition, clock: SetClock, vector: VectorCase): Promise<void> {
  const key = await edition.feedKey(['push', 'backfill']);
  const source = vector.pushes[0]?.source ?? '';
  for (const [id, expected] of Object.entries(vector.expect.games)) {
    for (const [at, operators] of Object.entries(expected.states ?? {}).sort()) {
      clock.set(parseRfc3339(at) ?? 0);
      const tick = await fetch(`${edition.ingestUrl}/v1/sources/${source}/ticks`, {
        method: 'POST',
        body: JSON.stringify({ at: formatMicros(clock.now()) }),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      assert.equal(tick.status, 202);
      await until(`the states of ${id} at ${at}`, async () => {
        const manifest = await manifestOf(edition, id);
        const states: Record<string, unknown> = {};
        for (const file of manifest.board.files)
          states[file.operator] = (await getRows(edition, file.url, 'board')).map((row) => row.quote_state);
        assert.deepEqual(states, operators);
        return true;
      });
    }
  }
}
