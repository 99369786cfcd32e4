// The course of a game: when it is over and when play began (docs/settlement.md#when-a-game-closes).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  type GameCourse,
  isOver,
  newCourse,
  startOfPlay,
  tellInPlay,
  tellStart,
  tellStatus,
} from '../../../core/settlement/course.ts';

const minute = 60_000_000;

function courseOf(tell: (course: GameCourse) => void): GameCourse {
  const course = newCourse();
  tell(course);
  return course;
}

describe('a game is over', () => {
  for (const status of ['COMPLETED', 'CANCELLED']) {
    it(`ten minutes of log time after ${status}`, () => {
      const course = courseOf((told) => tellStatus(told, { status, at: 100 }));
      assert.equal(isOver(course, 100 + 10 * minute - 1), false);
      assert.equal(isOver(course, 100 + 10 * minute), true);
    });
  }

  for (const status of ['SCHEDULED', 'DELAYED', 'STARTED', 'SUSPENDED', 'POSTPONED']) {
    it(`never by ${status}`, () => {
      assert.equal(
        isOver(
          courseOf((told) => tellStatus(told, { status, at: 100 })),
          1_000 * minute,
        ),
        false,
      );
    });
  }

  it('never without a status or without a log time', () => {
    assert.equal(isOver(newCourse(), 1_000 * minute), false);
    assert.equal(
      isOver(
        courseOf((told) => tellStatus(told, { status: 'COMPLETED', at: -20 * minute })),
        null,
      ),
      false,
    );
  });

  it('by the newest status alone', () => {
    const course = courseOf((told) => tellStatus(told, { status: 'COMPLETED', at: 0 }));
    tellStatus(course, { status: 'STARTED', at: 5 });
    assert.equal(isOver(course, 60 * minute), false);
    tellStatus(course, { status: 'COMPLETED', at: 55 * minute });
    assert.equal(isOver(course, 60 * minute), false);
    assert.equal(isOver(course, 65 * minute), true);
  });
});

describe('play began', () => {
  it('at the first STARTED, whatever a source flagged before', () => {
    const course = courseOf((told) => {
      tellStart(told, 500, 1);
      tellInPlay(told, 400);
      tellStatus(told, { status: 'STARTED', at: 600 });
      tellStatus(told, { status: 'SUSPENDED', at: 610 });
      tellStatus(told, { status: 'STARTED', at: 590 });
    });
    assert.deepEqual(startOfPlay(course), { basis: 'status', t0: 600, scheduledStart: 500, actualStart: 600 });
  });

  it('else with the earliest row that a source flagged', () => {
    const course = courseOf((told) => {
      tellStart(told, 500, 1);
      tellInPlay(told, 420);
      tellInPlay(told, 410);
      tellInPlay(told, 430);
    });
    assert.deepEqual(startOfPlay(course), { basis: 'in_play', t0: 410, scheduledStart: 500, actualStart: 410 });
  });

  it('else at the last start that was told', () => {
    const course = courseOf((told) => {
      tellStart(told, 500, 1);
      tellStart(told, 520, 510);
    });
    assert.deepEqual(startOfPlay(course), { basis: 'scheduled', t0: 520, scheduledStart: 520, actualStart: null });
  });

  it('at no time where nothing was told', () => {
    assert.equal(startOfPlay(courseOf((told) => tellStart(told, null, 3))), null);
  });

  it('when it was said to, where no start was told', () => {
    const course = courseOf((told) => tellStatus(told, { status: 'STARTED', at: 600 }));
    assert.deepEqual(startOfPlay(course), { basis: 'status', t0: 600, scheduledStart: 600, actualStart: 600 });
  });
});

describe('the scheduled start', () => {
  const begun = (starts: readonly (readonly [logTime: number | null, start: number])[], t0: number) =>
    startOfPlay(
      courseOf((told) => {
        for (const [logTime, start] of starts) tellStart(told, start, logTime);
        tellStatus(told, { status: 'STARTED', at: t0 });
      }),
    )!.scheduledStart;

  it('is the one that stood when log time was last before T0', () => {
    assert.equal(
      begun(
        [
          [10, 1],
          [20, 2],
          [30, 3],
        ],
        30,
      ),
      2,
    );
    assert.equal(
      begun(
        [
          [10, 1],
          [20, 2],
          [30, 3],
        ],
        31,
      ),
      3,
    );
  });

  it('is the last one of those told at one log time', () => {
    assert.equal(
      begun(
        [
          [10, 1],
          [20, 2],
          [20, 3],
          [20, 4],
          [30, 5],
        ],
        25,
      ),
      4,
    );
  });

  it('is one told before there was a log time', () => {
    assert.equal(
      begun(
        [
          [null, 1],
          [null, 2],
          [30, 3],
        ],
        30,
      ),
      2,
    );
  });

  it('is the first known where log time never was before T0', () => {
    assert.equal(
      begun(
        [
          [30, 1],
          [30, 2],
          [30, 3],
          [40, 4],
        ],
        30,
      ),
      1,
    );
  });

  it('is kept once for each log time, the first of all beside it', () => {
    const course = courseOf((told) => {
      for (const start of [1, 2, 3, 4]) tellStart(told, start, 30);
    });
    assert.deepEqual(
      course.starts.map(({ start }) => start),
      [1, 4],
    );
  });

  it('may go and come back', () => {
    const course = courseOf((told) => {
      for (const [logTime, start] of [
        [10, 1],
        [11, 1],
        [20, 2],
        [30, 1],
      ] as const)
        tellStart(told, start, logTime);
    });
    assert.deepEqual(course.starts, [
      { logTime: 10, start: 1 },
      { logTime: 20, start: 2 },
      { logTime: 30, start: 1 },
    ]);
  });
});
