import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'vitest';
import { type CrashPoints, crashPointNames, noCrashPoints } from '../../../core/ports/crash-points.ts';
import { crashPointsFrom, parseCrashSetting } from '../../../platform/process/crash-points.ts';

const passAll = (crash: CrashPoints, rounds: number) => {
  for (let round = 0; round < rounds; round += 1) for (const point of crashPointNames) crash(point);
};

describe('crash points', () => {
  for (const [name, crash] of [
    ['of production', noCrashPoints],
    ['without a setting', crashPointsFrom(undefined)],
    ['with an empty setting', crashPointsFrom('')],
  ] as const) {
    it(`${name} do nothing`, () => {
      passAll(crash, 3);
    });
  }

  it('kill at the named place, the time it is said, and nowhere else', () => {
    for (const armed of crashPointNames) {
      for (const at of [1, 3]) {
        const passed: string[] = [];
        let deaths = 0;
        const crash = crashPointsFrom(at === 1 ? armed : `${armed}:${at}`, () => {
          deaths += 1;
        });
        for (let round = 1; round <= 4; round += 1) {
          for (const point of crashPointNames) {
            const before = deaths;
            crash(point);
            if (deaths > before) passed.push(`${point}:${round}`);
          }
        }
        assert.deepEqual(passed, [`${armed}:${at}`]);
      }
    }
  });

  it('refuse a setting that names no place', () => {
    for (const setting of [
      'projector',
      'projector:nowhere',
      'projector:folded:0',
      'projector:folded:x',
      ' projector:folded',
      'projector:folded@',
      'projector:folded:2@revisions',
    ]) {
      assert.throws(() => parseCrashSetting(setting), RangeError, setting);
    }
    assert.deepEqual(parseCrashSetting('projector:folded:12'), { point: 'projector:folded', at: 12 });
    const frozen = { point: 'projector:folded', at: 2, freeze: true };
    assert.deepEqual(parseCrashSetting('projector:folded:2:freeze'), frozen);
    const ofRevisions = { point: 'projector:folded', of: 'revisions', at: 2, freeze: true };
    assert.deepEqual(parseCrashSetting('projector:folded@revisions:2:freeze'), ofRevisions);
  });

  it('count the passes of the program that they name, and of no other', () => {
    let deaths = 0;
    const crash = crashPointsFrom('projector:folded@revisions:2', () => {
      deaths += 1;
    });
    const passes = ['live', 'revisions', undefined, 'live', 'revisions', 'revisions'].map((of) => {
      crash('projector:folded', of);
      return deaths;
    });
    assert.deepEqual(passes, [0, 0, 0, 0, 1, 1]);
  });

  it('kill like kill -9: nothing runs after them', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { crashPointsFrom } from '../../../platform/process/crash-points.ts';
         process.on('exit', () => console.log('farewell'));
         const crash = crashPointsFrom('projector:after-commit:2');
         crash('projector:after-commit');
         console.log('once');
         crash('projector:after-commit');
         console.log('twice');
         await new Promise((resolve) => setTimeout(resolve, 60_000));`,
      ],
      { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (...ended) => resolve(ended)),
    );
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    assert.doesNotMatch(output, /twice|farewell/);
  });
});
