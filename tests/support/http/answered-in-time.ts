import { setTimeout as delay } from 'node:timers/promises';

const mostLate = 5;

/**
 * Repeats what is answered 408, as the clients do (docs/clients.md#asking-again): Node answers it to a head that has arrived, if the machine
 * stood still for longer than a head may take. What is 408 again and again is handed on.
 */
export async function answeredInTime<Answer extends { status: number } | null>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let late = 0; ; late += 1) {
    const answer = await ask();
    if (answer?.status !== 408 || late === mostLate) return answer;
    await delay(100);
  }
}
