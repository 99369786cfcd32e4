// The back-off of both clients, by the same steps: it doubles from its first wait to its longest, with jitter; failures at the same time count
// once; a success of a request that was sent after the last failure ends it; and no wait is shorter than the service asked for.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { Pace } from '../../../clients/typescript/src/pace.ts';
import { run } from '../../support/services/installed.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const client = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/** In seconds. `failed`: a request sent at the first time failed at the second. `answered`: one sent at that time has its answer. */
type Step = { failed: [sent: number, now: number, retryAfter?: number] } | { answered: number };

/** After each step, how long a request has to wait that comes at time 0. `chance`: the jitter's, from 0 to 1. */
type Waits = (steps: readonly Step[], chance: number) => Promise<number[]>;

const inTypeScript: Waits = async (steps, chance) => {
  const pace = new Pace(0.5, 30, () => chance);
  return steps.map((step) => {
    if ('failed' in step) pace.failed(...step.failed);
    else pace.answered(step.answered);
    return pace.delay(0);
  });
};

const program = `
import json, sys
from sds_client.core.pace import Pace
steps, chance = json.loads(sys.argv[1])
pace = Pace(0.5, 30, lambda: chance)
waits = []
for step in steps:
    pace.failed(*step["failed"]) if "failed" in step else pace.answered(step["answered"])
    waits.append(pace.delay(0))
print(json.dumps(waits))
`;
const inPython: Waits = async (steps, chance) => {
  const args = ['-c', program, JSON.stringify([steps, chance])];
  const path = python.skip === false ? python.path : '';
  return JSON.parse(await run(path, args, { env: { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' } })) as number[];
};

/** A failure of a request that was sent after the one before failed. */
const failure = (retryAfter = 0): Step => ({ failed: [0, 0, retryAfter] });

for (const { language, waits, skip } of [
  { language: 'TypeScript', waits: inTypeScript, skip: false as const },
  { language: 'Python', waits: inPython, skip: python.skip },
])
  describe(`the back-off in ${language}`, skipFor(skip), () => {
    it('doubles from half a second to 30 s, less up to a half by chance', async () => {
      const doubled = [0.5, 1, 2, 4, 8, 16, 30, 30];
      const steps = doubled.map(() => failure());
      assert.deepEqual(await waits(steps, 1), doubled);
      assert.deepEqual(
        await waits(steps, 0),
        doubled.map((wait) => wait / 2),
      );
    });

    it('counts failures of requests that were under way when the first of them failed as one', async () => {
      const together: Step[] = [-3, -2, -1].map((sent) => ({ failed: [sent, 0] }));
      assert.deepEqual(await waits([...together, failure()], 1), [0.5, 0.5, 0.5, 1]);
    });

    it('ends with a success of a request that was sent after the last failure, and no other', async () => {
      const failures = [failure(), failure()];
      assert.equal((await waits([...failures, { answered: -1 }, { failed: [0, 0] }], 1)).at(-1), 2);
      const [first, , , next] = await waits(
        [{ failed: [-9, -9] }, { failed: [-9, -9] }, { answered: -9 }, failure()],
        1,
      );
      assert.deepEqual([first, next], [0, 0.5]);
    });

    it('waits as long as the service asks for, also beyond its own longest wait', async () => {
      assert.deepEqual(await waits([failure(60), failure()], 1), [60, 60]);
    });
  });
