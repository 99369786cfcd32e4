// A manifest of the largest game there may be, and of one that is larger because a release before the caps made it, is 256 KB at most and says
// what it leaves out.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { boardManifest, liveManifest } from '../../../api/serving/live-manifests.ts';
import { listAfter } from '../../../core/live/cursor.ts';
import { mostOperators } from '../../../core/live/game-limits.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import { t0, uuid } from '../../support/builders/live-records.ts';

const budget = 256 * 1024;
const file = { key: 'k', offset: 0, size: 1, sha256: 'a' };

function manifestsOf(operators: number, segments: number) {
  const codes = Array.from({ length: operators }, (_, at) => `${at}`.padStart(32, 'O'));
  const listed = Array.from({ length: segments }, (_, at) => {
    const times = { min_timestamp: t0, max_timestamp: t0 };
    return { seq: 100_000 + at, rows: 8_192, closed: true, ...times };
  });
  const log = {
    updatedAt: t0,
    appliedThrough: t0,
    operators: Object.fromEntries(codes.map((code) => [code, { last_row_at: t0, observed_through: t0, source: 's' }])),
    boards: codes.map((operator) => ({ operator, rows: 20_000, file })),
  } as unknown as ServedLog;
  const listing = listAfter({ generation: 1, firstSeq: 100_000, segments: listed }, null);
  assert.ok(listing.kind === 'list');
  const live = liveManifest(uuid, log, listing, `${listing.cursor.seq}:${listing.cursor.rows}`);
  return { live, board: boardManifest(uuid, log) };
}

for (const [operators, segments] of [
  [mostOperators, 100_000],
  [3_000, 512],
] as const) {
  it(`of ${operators} operators and ${segments} segments is within the budget`, () => {
    const { live, board } = manifestsOf(operators, segments);
    for (const document of [live, board]) assert.ok(Buffer.byteLength(JSON.stringify(document)) <= budget);
    assert.equal((live.segments_omitted ?? 0) + live.segments.length, segments);
    assert.equal(live.cursor, `${live.segments.at(-1)?.seq}:8192`);
    assert.equal((board.board.files_omitted ?? 0) + board.board.files.length, operators);
    assert.deepEqual(live.board, board.board);
    assert.equal(Object.keys(live.operators).length, mostOperators);
  });
}

it('of a game of the usual size omits nothing, and has no note about it', () => {
  const { live } = manifestsOf(12, 512);
  assert.ok(!('segments_omitted' in live) && !('files_omitted' in live.board));
});
