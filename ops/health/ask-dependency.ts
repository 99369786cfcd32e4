// Repeats one question to a dependency at every check: returns the answer, or why there was none in time. A question that still hangs from
// an earlier check is not asked again.
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

export type Asked<Answer> = { answer: Answer } | { away: string };

export function openDependencyQuestion<Answer>(
  question: () => Promise<Answer>,
  clock: Pick<Clock, 'sleep'>,
  patienceMs: Millis,
): () => Promise<Asked<Answer>> {
  let asking: Promise<Asked<Answer>> | null = null;

  async function askOnce(): Promise<Asked<Answer>> {
    try {
      return { answer: await question() };
    } catch (error) {
      return { away: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
    }
  }

  return async () => {
    const over = new AbortController();
    asking ??= askOnce().finally(() => {
      asking = null;
    });
    const late = clock.sleep(patienceMs, over.signal).then(() => ({ away: `no answer within ${patienceMs} ms` }));
    try {
      return await Promise.race([asking, late]);
    } finally {
      over.abort();
    }
  };
}
