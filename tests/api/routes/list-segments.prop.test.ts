// I8 and I1 through real HTTP. Claim: a client that follows cursors from anywhere, and fetches each listed address verbatim, sees every row
// of the log exactly once, however the writer batches, however often the client polls, and while the log grows between its listing and
// its fetches. A violation would need the listing to skip or repeat a part of a segment, or an address to serve rows of another version as
// if they were the listed ones.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { LiveManifest } from '../../../schemas/http/live.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { FakeLog } from '../../support/fakes/api-fakes.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
let count = 1;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A client that relies only on what the interface promises. */
class Follower {
  readonly rows: string[] = [];
  cursor: string | null = null;
  readonly #base: string;
  readonly #meanwhile: () => Promise<void>;

  constructor(game: string, meanwhile: () => Promise<void>) {
    this.#base = `/v1/games/${game}/sportsbook-lines/segments`;
    this.#meanwhile = meanwhile;
  }

  /** Polls; answers whether anything was new. */
  async poll(): Promise<boolean> {
    const reply = await api.get(this.cursor === null ? this.#base : `${this.#base}?cursor=${this.cursor}`);
    if (reply.status === 404) return false;
    assert.equal(reply.status, 200, 'a cursor this route returned never gives 409 while the log stands');
    const manifest = reply.json() as LiveManifest;
    if (manifest.segments.length === 0) assert.equal(manifest.cursor, this.cursor ?? '0:0', 'nothing new echoes');
    for (const { url, rows, from_row } of manifest.segments) {
      await this.#meanwhile();
      const file = await api.get(url);
      assert.equal(file.status, 200);
      this.rows.push(...FakeLog.rowsOf(file.body).slice(from_row ?? 0, rows));
    }
    this.cursor = manifest.cursor;
    return manifest.segments.length > 0;
  }
}

type Move = { kind: 'append'; rows: number } | { kind: 'poll' } | { kind: 'append-amid-poll'; rows: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), rows: fc.nat(9) }),
  fc.constant({ kind: 'poll' as const }),
  fc.record({ kind: fc.constant('append-amid-poll' as const), rows: fc.nat(6) }),
);

it('a follower of cursors sees each row exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (moves, segmentRows, noticed) => {
        count += 1;
        const game = `NFL_DET_PHI_20260${count % 10}05_${count}`;
        const log = api.log(game, segmentRows);
        const pending: (() => Promise<unknown>)[] = [];
        const follower = new Follower(game, async () => {
          await pending.shift()?.();
        });
        api.catalog.announcing = noticed;
        for (const step of moves) {
          if (step.kind === 'append') await log.append(step.rows);
          else {
            if (step.kind === 'append-amid-poll') pending.push(() => log.append(step.rows));
            await follower.poll();
          }
        }
        // Without notices a reader may be behind by the greatest age of an answer.
        do api.clock.ahead += 6_000_000;
        while (await follower.poll());
        assert.deepEqual(follower.rows, log.rows);
      },
    ),
    { numRuns: cases(60), interruptAfterTimeLimit: 25_000 },
  );
});

it('after a rebuild a follower is sent back to the beginning, and then sees the new log', async () => {
  const game = 'NHL_BOS_MTL_20260105';
  api.catalog.announcing = true;
  const log = api.log(game, 4);
  await log.append(10);
  const follower = new Follower(game, async () => {});
  await follower.poll();
  const address = `/v1/games/${game}/sportsbook-lines/segments`;
  const old = ((await api.get(address)).json() as LiveManifest).segments;
  await log.rebuild(6);
  assert.equal((await api.get(`${address}?cursor=${follower.cursor}`)).status, 409);
  for (const { url } of old)
    assert.equal((await api.get(url)).status, 409, 'an old address never serves rows of the new log');
  const restarted = new Follower(game, async () => {});
  await restarted.poll();
  assert.deepEqual(restarted.rows, log.rows);
});
