// The timeline of a game from the revisions of its `game-state` stream (docs/settlement.md#game-state-timeline).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Timeline, type TimelineRevision } from '../../../core/settlement/timeline.ts';

type State = NonNullable<TimelineRevision['row']>;

const live: State = {
  played_status: 'LIVE',
  schedule_status: 'NORMAL',
  period: 2,
  period_type: 'quarter',
  clock_seconds_remaining: 30,
  home_score: 10,
  away_score: 7,
  possession_team_id: 'team',
  situation: '{"down":1}',
};

/** A timeline of the revisions 1, 2, … of one epoch; null stands for a revision without a row. */
function timelineOf(states: readonly (State | null)[]): Timeline {
  const timeline = new Timeline({ gameId: 'G', league: 'NFL' });
  for (const [at, row] of states.entries()) {
    timeline.add({ epoch: 'E', revision: at + 1, sourceUpdatedAt: 100 + at, row });
  }
  return timeline;
}

const statesOf = (timeline: Timeline) => timeline.rows.map(({ revision, status }) => [revision, status]);

describe('the timeline', () => {
  it('has every column of a state', () => {
    assert.deepEqual(timelineOf([null, live]).rows, [
      {
        game_id: 'G',
        league: 'NFL',
        sequence: 1,
        timestamp: 101,
        status: 'STARTED',
        period: 2,
        period_type: 'quarter',
        clock_seconds_remaining: 30,
        home_score: 10,
        away_score: 7,
        possession_team_id: 'team',
        situation: '{"down":1}',
        stream_epoch: 'E',
        revision: 2,
      },
    ]);
  });

  it('leaves out a state that says nothing new, also after a revision without one', () => {
    assert.deepEqual(statesOf(timelineOf([live, { ...live, schedule_status: 'DELAYED' }, null, live])), [
      [1, 'STARTED'],
    ]);
  });

  it('goes on from an earlier timeline as if it had seen all', () => {
    const states = [
      live,
      { ...live, period: 3 },
      { ...live, schedule_status: 'x', played_status: 'y', period: 3 },
      null,
      live,
    ];
    const whole = timelineOf(states).rows;
    for (let known = 0; known <= states.length; known += 1) {
      const timeline = new Timeline({ gameId: 'G', league: 'NFL' }, timelineOf(states.slice(0, known)).rows);
      for (let at = known; at < states.length; at += 1)
        timeline.add({ epoch: 'E', revision: at + 1, sourceUpdatedAt: 100 + at, row: states[at] ?? null });
      assert.deepEqual(timeline.rows, whole, `from ${known} on`);
    }
  });

  const changes: readonly Partial<State>[] = [
    { played_status: 'COMPLETED' },
    { period: 3 },
    { period_type: null },
    { clock_seconds_remaining: 29 },
    { home_score: null },
    { away_score: 8 },
    { possession_team_id: 'other' },
    { situation: null },
  ];
  for (const change of changes) {
    it(`shows a change of ${Object.keys(change)[0]}, and back`, () => {
      const { rows } = timelineOf([live, { ...live, ...change }, live]);
      assert.deepEqual(
        rows.map(({ sequence, revision }) => [sequence, revision]),
        [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      );
    });
  }

  it('keeps the status before where a pair means none', () => {
    const forfeit: State = { ...live, played_status: 'FORFEIT', home_score: 0 };
    assert.deepEqual(statesOf(timelineOf([forfeit, live, forfeit])), [
      [1, 'SCHEDULED'],
      [2, 'STARTED'],
      [3, 'STARTED'],
    ]);
  });

  it('is that of the newest epoch alone', () => {
    const timeline = timelineOf([live, { ...live, period: 3 }]);
    timeline.add({ epoch: 'F', revision: 1, sourceUpdatedAt: 500, row: null });
    assert.deepEqual(timeline.rows, []);
    timeline.add({ epoch: 'F', revision: 2, sourceUpdatedAt: 501, row: { ...live, played_status: 'FORFEIT' } });
    assert.deepEqual(
      timeline.rows.map(({ sequence, revision, stream_epoch: epoch, status }) => [sequence, revision, epoch, status]),
      [[1, 2, 'F', 'SCHEDULED']],
    );
  });
});
