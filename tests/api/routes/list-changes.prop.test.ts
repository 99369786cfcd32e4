// Claims: a walk with any limits, with the high-water mark of its first page held, visits each revision up to it once and in order, while the head
// moves on (I13); a follower without a mark visits every revision once, however it polls. A violation would need a page to begin elsewhere than behind
// its cursor, or to end beyond its mark.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import { type ChangeListing, changeListing } from '../../../schemas/http/msf.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import type { FakeStream } from '../../support/fakes/fake-msf.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
let games = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A new stream with `revisions` revisions. */
async function streamWith(revisions: number): Promise<{ stream: FakeStream; walk: Walk }> {
  games += 1;
  const gameId = `NBA_A${games}_B${games}_20260805`;
  const stream = api.stream(gameId, 'plays');
  await grow(stream, revisions);
  const walk: Walk = async (cursor, query) => {
    const at =
      cursor ?? formatCursor({ dataset: 'plays', scopeUuid: uuidOf(gameId), epoch: stream.epoch, revision: 1 });
    const reply = await api.get(`/v1/games/${gameId}/plays/changes?cursor=${at}${query}`);
    assert.equal(reply.status, 200, reply.body.toString());
    return changeListing.parse(reply.json());
  };
  return { stream, walk };
}

type Walk = (cursor: string | null, query: string) => Promise<ChangeListing>;

async function grow(stream: FakeStream, revisions: number): Promise<void> {
  for (let count = 0; count < revisions; count += 1) await stream.publish([`r${stream.head}=1`]);
}

const upTo = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
const numbers = ({ revisions }: ChangeListing) => revisions.map(({ revision }) => revision);
const limits = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 });
const growths = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 });

it('a walk up to a fixed mark visits each revision once, while the head moves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), limits, growths, async (length, sizes, steps) => {
      const { stream, walk } = await streamWith(length);
      const seen: number[] = [];
      let cursor: string | null = null;
      let mark: number | null = null;
      for (let page = 0; ; page += 1) {
        const until = mark === null ? '' : `&until_revision=${mark}`;
        const found: ChangeListing = await walk(cursor, `&limit=${sizes[page % sizes.length]}${until}`);
        mark ??= found.high_water_revision;
        assert.equal(found.high_water_revision, mark);
        if (found.revisions.length === 0) break;
        assert.equal(found.cursor, found.revisions.at(-1)?.cursor);
        seen.push(...numbers(found));
        cursor = found.cursor;
        await grow(stream, steps[page % steps.length] as number);
      }
      assert.deepEqual(seen, upTo(2, length));
    }),
    { numRuns: cases(40) },
  );
});

it('a follower visits every revision once, however it polls and the stream grows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 }), limits, growths, async (length, sizes, steps) => {
      const { stream, walk } = await streamWith(length);
      const seen: number[] = [];
      let cursor: string | null = null;
      for (let poll = 0; poll < 12; poll += 1) {
        const found: ChangeListing = await walk(cursor, `&limit=${sizes[poll % sizes.length]}`);
        seen.push(...numbers(found));
        cursor = found.cursor;
        await grow(stream, steps[poll % steps.length] as number);
      }
      let more: ChangeListing;
      do {
        more = await walk(cursor, '');
        seen.push(...numbers(more));
        cursor = more.cursor;
      } while (more.revisions.length > 0);
      assert.deepEqual(seen, upTo(2, stream.head));
    }),
    { numRuns: cases(40) },
  );
});
