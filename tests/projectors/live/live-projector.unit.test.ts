// Claim: each tail whose bytes a worker keeps for the next file of its game is named as left once no file can go on from it: when a longer one
// takes its place, and when its game closes. One that is not named would stay in memory for as long as the partition is owned.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { runToEnd, type Task } from '../../../core/scheduling/task.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import type { Flush, Projector } from '../../../projectors/worker/projector.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { image, quote, t0, uuid } from '../../support/builders/live-records.ts';
import { flushByHand, KeptCommits } from '../../support/folds/flushed-projector.ts';

function fold(projector: Projector, offset: number, value: QuotesRecord): void {
  const record = { offset, timestamp: t0 + offset, key: uuid, headers: {}, value, bytes: new Uint8Array() };
  runToEnd(projector.folding([{ ...record, undecodable: null }]));
}

it('names the tails that it leaves behind, the last one of a closed game too', async () => {
  const projector = liveProjector(new KeptCommits()).open(0, null);
  const left: string[][] = [];
  const flush = async (key: string) => left.push((await flushByHand(projector, key)).map((file) => file.key));
  const offer = image('X', [quote('home', -110)]);
  fold(projector, 0, offer);
  await flush('first');
  fold(projector, 1, image('X', [quote('home', -120)]));
  await flush('second');
  fold(projector, 2, { ...offer, observation: null, settle: { actor: 'administrator' } });
  await flush('third');
  assert.deepEqual(left, [[], ['first'], ['second']]);
});

it('plans a board in a step, and saves 256 selections in one', () => {
  const [books, selections] = [12, 600];
  const filled = liveProjector(new KeptCommits()).open(0, null);
  const quotes = Array.from({ length: selections }, (_, at) => quote('home', -110, { market: `market_${at}` }));
  for (let book = 0; book < books; book += 1) fold(filled, book, image(`BOOK${book}`, quotes));
  const rows = ({ files }: Flush) => files.flatMap((file) => (file.dataset === 'board' ? [file.rows.length] : []));

  const planned = withSteps(filled.planning());
  assert.deepEqual(rows(planned.result), Array(books).fill(selections));
  assert.ok(planned.steps > books, `${planned.steps} steps`);
  const saved = withSteps(filled.saving());
  assert.ok(saved.steps >= (books * selections) / 256, `${saved.steps} steps`);
});

function withSteps<Result>(task: Task<Result>): { result: Result; steps: number } {
  for (let steps = 1; ; steps += 1) {
    const step = task.next();
    if (step.done === true) return { result: step.value, steps };
  }
}
