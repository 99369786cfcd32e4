// What is stored through the catalogs is counted under its origin, code or result, and only what is stored: nothing of a commit that was
// fenced, or of a call that failed.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { CommitAnswer } from '../../../core/ports/catalog/checkpoints.ts';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { measuredCatalogs } from '../../../ops/metrics/measured-catalogs.ts';
import type { Catalogs } from '../../../ops/service/catalogs.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';

const letters = (...codes: string[]) => codes.map((code) => ({ code })) as DeadLetter[];

it('dead letters and elements of pushes are counted once they are stored', async () => {
  let answer: CommitAnswer = 'committed';
  let fails = false;
  const stored = async () => {
    if (fails) throw new Error('the catalog is away');
  };
  const commit = async () => {
    await stored();
    return answer;
  };
  const plain = {
    ...{ live: { commit }, msf: { commit }, reference: { commit } },
    ...{ deadLetters: { store: stored }, pushes: { acknowledge: stored } },
  } as unknown as Catalogs;
  const metrics = openMetrics({ ofProcess: false });
  const { live, msf, reference, deadLetters, pushes } = measuredCatalogs(plain, metrics);
  const all = async (): Promise<void> => {
    await live.commit({ deadLetters: letters('game-settled', 'bad-price', 'bad-price') } as never);
    await msf.commit({ deadLetters: letters('bad-body') } as never);
    await reference.commit({ deadLetters: letters('bad-team') } as never);
  };
  const samples = async () => {
    const lines = (await metricsText([await metrics.snapshot()])).split('\n');
    return lines.filter((line) => /^sds_(dead_letters|push_elements)_total\{/.test(line)).toSorted();
  };

  answer = 'fenced';
  await all();
  fails = true;
  await assert.rejects(all);
  await assert.rejects(deadLetters.store(letters('bad-event')));
  assert.deepEqual(await samples(), []);

  answer = 'committed';
  fails = false;
  await all();
  await deadLetters.store(letters('bad-event'));
  const entry = { accepted: 3, duplicates: 2, rejected: [{}], rejectedMore: 4 };
  await pushes.acknowledge(entry as never, null, letters('bad-event', 'game-conflict'));
  await pushes.acknowledge({ accepted: 1, duplicates: 0, rejected: [], rejectedMore: 0 } as never, null, []);
  assert.deepEqual(await samples(), [
    'sds_dead_letters_total{origin="gateway",code="bad-event"} 2',
    'sds_dead_letters_total{origin="gateway",code="game-conflict"} 1',
    'sds_dead_letters_total{origin="live",code="bad-price"} 2',
    'sds_dead_letters_total{origin="live",code="game-settled"} 1',
    'sds_dead_letters_total{origin="reference",code="bad-team"} 1',
    'sds_dead_letters_total{origin="revisions",code="bad-body"} 1',
    'sds_push_elements_total{result="accepted"} 4',
    'sds_push_elements_total{result="duplicate"} 2',
    'sds_push_elements_total{result="refused"} 5',
  ]);
});
