// What a command prints on standard error while it works: a line every two seconds with the rate of this run and how long the rest takes at that
// rate; on a terminal a bar in place of the one before it (docs/operations.md#progress).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { counted, openProgress, openSteps, paceText } from '../../../ops/session/progress.ts';

function screenOf(isTTY: boolean) {
  const said: string[] = [];
  return { said, isTTY, write: (text: string) => said.push(text) };
}

function stoppedClock() {
  return {
    seconds: 0,
    now() {
      return this.seconds * 1_000_000;
    },
  };
}

describe('the progress of a command', () => {
  it('is a line every two seconds, with the rate and the rest', () => {
    const screen = screenOf(false);
    const clock = stoppedClock();
    {
      using progress = openProgress({ unit: 'rows', all: 100 }, screen, clock);
      for (; clock.seconds <= 5; clock.seconds += 1) progress.at(clock.seconds * 20);
    }
    assert.deepEqual(screen.said, ['40 of 100 rows, 20 rows/s, 3 s left\n', '80 of 100 rows, 20 rows/s, 1 s left\n']);
  });

  it('counts in its rate only what this run has done', () => {
    const screen = screenOf(false);
    const clock = stoppedClock();
    using progress = openProgress({ unit: 'lines', all: 100, from: 60 }, screen, clock);
    clock.seconds = 4;
    progress.at(80);
    assert.deepEqual(screen.said, ['80 of 100 lines, 5.0 lines/s, 4 s left\n']);
  });

  it('counts an item as done when the next is asked for', async () => {
    const screen = screenOf(false);
    const clock = stoppedClock();
    using progress = openProgress({ unit: 'files', all: 3 }, screen, clock);
    for await (const seconds of counted(progress, [2, 4])) clock.seconds = seconds;
    progress.add(1);
    clock.seconds = 6;
    progress.add(0);
    assert.deepEqual(screen.said, [
      '1 of 3 files, 0.5 files/s, 4 s left\n',
      '2 of 3 files, 0.5 files/s, 2 s left\n',
      '3 of 3 files, 0.5 files/s, 0 s left\n',
    ]);
  });

  it('is a bar on a terminal, and its line ends with the command', () => {
    const screen = screenOf(true);
    const clock = stoppedClock();
    {
      using progress = openProgress({ unit: 'rows', all: 60 }, screen, clock);
      clock.seconds = 1;
      progress.at(20);
      clock.seconds = 1.05;
      progress.at(24);
      progress.at(25);
      clock.seconds = 2;
    }
    const bar = (filled: number) => `\r[${'#'.repeat(filled)}${'-'.repeat(30 - filled)}]`;
    assert.deepEqual(screen.said, [
      `${bar(10)} 20 of 60 rows, 20 rows/s, 2 s left\u001b[K`,
      `${bar(13)} 25 of 60 rows, 13 rows/s, 3 s left\u001b[K`,
      '\n',
    ]);
  });

  it('prints nothing for a command that has nothing to do, or is done at once', () => {
    for (const isTTY of [true, false]) {
      const screen = screenOf(isTTY);
      {
        using progress = openProgress({ unit: 'rows', all: 3 }, screen, stoppedClock());
        progress.at(3);
      }
      openProgress({ unit: 'rows', all: 0 }, screen, stoppedClock())[Symbol.dispose]();
      assert.deepEqual(screen.said, []);
    }
  });

  it('is a line after each step, whose rate is that of what the steps hold', () => {
    const screen = screenOf(true);
    const clock = stoppedClock();
    const stepDone = openSteps({ steps: 'games', unit: 'rows', sizes: [100, 300, 200] }, screen, clock);
    for (const did of ['A', 'B, 299 rows', 'C']) {
      clock.seconds += 4;
      stepDone(did);
    }
    assert.deepEqual(screen.said, [
      '1 of 3 games, 25 rows/s, 20 s left: A\n',
      '2 of 3 games, 50 rows/s, 4 s left: B, 299 rows\n',
      '3 of 3 games, 50 rows/s, 0 s left: C\n',
    ]);
  });

  it('says how long the rest takes once something is done, and never less than nothing', () => {
    assert.equal(paceText('rows', 0, 7, 1_000_000), '0 rows/s');
    assert.equal(paceText('rows', 0, 0, 0), '0 rows/s, 0 s left');
    assert.equal(paceText('rows', 3, 1, 2_000_000), '1.5 rows/s, 1 s left');
    assert.equal(paceText('rows', 30, -4, 2_000_000), '15 rows/s, 0 s left');
  });
});
