// The lifecycle of a game: when it is over and when play began (docs/settlement.md#when-a-game-closes).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  type GameLifecycle,
  isOver,
  newLifecycle,
  noteInPlay,
  noteStart,
  noteStatus,
  startOfPlay,
} from '../../../core/settlement/game-lifecycle.ts';

const minute = 60_000_000;

function lifecycleOf(note: (lifecycle: GameLifecycle) => void): GameLifecycle {
  const lifecycle = newLifecycle();
  note(lifecycle);
  return lifecycle;
}

describe('a game is over', () => {
  for (const status of ['COMPLETED', 'CANCELLED']) {
    it(`ten minutes of log time after ${status}`, () => {
      const lifecycle = lifecycleOf((game) => noteStatus(game, { status, at: 100 }));
      assert.equal(isOver(lifecycle, 100 + 10 * minute - 1), false);
      assert.equal(isOver(lifecycle, 100 + 10 * minute), true);
    });
  }

  for (const status of ['SCHEDULED', 'DELAYED', 'STARTED', 'SUSPENDED', 'POSTPONED']) {
    it(`never by ${status}`, () => {
      assert.equal(
        isOver(
          lifecycleOf((game) => noteStatus(game, { status, at: 100 })),
          1_000 * minute,
        ),
        false,
      );
    });
  }

  it('never without a status or without a log time', () => {
    assert.equal(isOver(newLifecycle(), 1_000 * minute), false);
    assert.equal(
      isOver(
        lifecycleOf((game) => noteStatus(game, { status: 'COMPLETED', at: -20 * minute })),
        null,
      ),
      false,
    );
  });

  it('by the newest status alone', () => {
    const lifecycle = lifecycleOf((game) => noteStatus(game, { status: 'COMPLETED', at: 0 }));
    noteStatus(lifecycle, { status: 'STARTED', at: 5 });
    assert.equal(isOver(lifecycle, 60 * minute), false);
    noteStatus(lifecycle, { status: 'COMPLETED', at: 55 * minute });
    assert.equal(isOver(lifecycle, 60 * minute), false);
    assert.equal(isOver(lifecycle, 65 * minute), true);
  });
});

describe('play began', () => {
  it('at the first STARTED, whatever a source flagged before', () => {
    const lifecycle = lifecycleOf((game) => {
      noteStart(game, 500, 1);
      noteInPlay(game, 400);
      noteStatus(game, { status: 'STARTED', at: 600 });
      noteStatus(game, { status: 'SUSPENDED', at: 610 });
      noteStatus(game, { status: 'STARTED', at: 590 });
    });
    assert.deepEqual(startOfPlay(lifecycle), { basis: 'status', t0: 600, scheduledStart: 500, actualStart: 600 });
  });

  it('else with the earliest row that a source flagged', () => {
    const lifecycle = lifecycleOf((game) => {
      noteStart(game, 500, 1);
      noteInPlay(game, 420);
      noteInPlay(game, 410);
      noteInPlay(game, 430);
    });
    assert.deepEqual(startOfPlay(lifecycle), { basis: 'in_play', t0: 410, scheduledStart: 500, actualStart: 410 });
  });

  it('else at the last start that was reported', () => {
    const lifecycle = lifecycleOf((game) => {
      noteStart(game, 500, 1);
      noteStart(game, 520, 510);
    });
    assert.deepEqual(startOfPlay(lifecycle), { basis: 'scheduled', t0: 520, scheduledStart: 520, actualStart: null });
  });

  it('at no time where no source reported one', () => {
    assert.equal(startOfPlay(lifecycleOf((game) => noteStart(game, null, 3))), null);
  });

  it('when it began, where no start was reported', () => {
    const lifecycle = lifecycleOf((game) => noteStatus(game, { status: 'STARTED', at: 600 }));
    assert.deepEqual(startOfPlay(lifecycle), { basis: 'status', t0: 600, scheduledStart: 600, actualStart: 600 });
  });
});

describe('the scheduled start', () => {
  const begun = (starts: readonly (readonly [logTime: number | null, start: number])[], t0: number) =>
    startOfPlay(
      lifecycleOf((game) => {
        for (const [logTime, start] of starts) noteStart(game, start, logTime);
        noteStatus(game, { status: 'STARTED', at: t0 });
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

  it('is the last one of those lifecycle at one log time', () => {
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

  it('is one lifecycle before there was a log time', () => {
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
    const lifecycle = lifecycleOf((game) => {
      for (const start of [1, 2, 3, 4]) noteStart(game, start, 30);
    });
    assert.deepEqual(
      lifecycle.starts.map(({ start }) => start),
      [1, 4],
    );
  });

  it('may go and come back', () => {
    const lifecycle = lifecycleOf((game) => {
      for (const [logTime, start] of [
        [10, 1],
        [11, 1],
        [20, 2],
        [30, 1],
      ] as const)
        noteStart(game, start, logTime);
    });
    assert.deepEqual(lifecycle.starts, [
      { logTime: 10, start: 1 },
      { logTime: 20, start: 2 },
      { logTime: 30, start: 1 },
    ]);
  });
});
