// Where plays stand (docs/revisions.md#plays): by the clock, after the play before where it is silent, and by at-bats.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../../../core/json/value.ts';
import { isMisplaced, placePlays, playListOf } from '../../../../core/msf/bodies/play-places.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { play } from '../../../support/builders/msf-bodies.ts';

/** Period, second, clock and ordinal of each play. */
function placesOf(league: League, list: readonly JsonValue[]): unknown[] {
  const placed = placePlays(league, { [playListOf(league)]: list });
  assert.ok(!isMisplaced(placed));
  return placed.map(({ period, second, secondsElapsed, ordinal }) => [period, second, secondsElapsed, ordinal]);
}

describe('a play', () => {
  it('stands in its second, behind those of the body before it', () => {
    const statuses = [
      { quarter: 1, secondsElapsed: 16 },
      { quarter: 1, secondsElapsed: 50 },
      { quarter: 1, secondsElapsed: 16 },
      { quarter: 2, secondsElapsed: 16 },
    ];
    assert.deepEqual(
      placesOf(
        'NBA',
        statuses.map((status) => play(status)),
      ),
      [
        [1, 16, 16, 0],
        [1, 50, 50, 0],
        [1, 16, 16, 1],
        [2, 16, 16, 0],
      ],
    );
  });
  it('without a clock stands behind the play before it in its period', () => {
    const statuses = [
      { quarter: 2 },
      { quarter: 1, secondsElapsed: 9 },
      { quarter: 2, secondsElapsed: 0 },
      { quarter: 1 },
    ];
    assert.deepEqual(
      placesOf(
        'NFL',
        [...statuses, { quarter: 1, secondsElapsed: null }].map((status) => play(status)),
      ),
      [
        [2, 0, null, 0],
        [1, 9, 9, 0],
        [2, 0, 0, 1],
        [1, 9, null, 1],
        [1, 9, null, 2],
      ],
    );
  });
  it('names its period in any of three words, in whatever number form', () => {
    assert.deepEqual(
      placesOf('NHL', [
        play({ period: 3, secondsElapsed: 1 }),
        play({ quarter: null, inning: 4 }),
        play({ quarter: 1, period: 2 }),
      ]),
      [
        [3, 1, 1, 0],
        [4, 0, null, 0],
        [1, 0, null, 0],
      ],
    );
  });
});

describe('a play of an at-bat', () => {
  const swing = { description: 'Swing', pitch: {} };

  it('stands in the at-bat, counted within its inning', () => {
    const atBats = [
      { inning: 1, atBatPlay: [swing, swing] },
      { inning: 1, atBatPlay: [] },
      { inning: 2, atBatPlay: [swing] },
      { inning: 1, atBatPlay: [swing] },
    ];
    assert.deepEqual(placesOf('MLB', atBats), [
      [1, 0, null, 0],
      [1, 0, null, 1],
      [2, 0, null, 0],
      [1, 2, null, 0],
    ]);
  });
  it('may name the inning itself', () => {
    const atBats = [
      { atBatPlay: [play({ inning: 5, secondsElapsed: 3 })] },
      { atBatPlay: [play({ inning: 5 })] },
      { atBatPlay: [] },
    ];
    assert.deepEqual(placesOf('MLB', atBats), [
      [5, 0, 3, 0],
      [5, 1, null, 0],
    ]);
  });
  it('knows its at-bat', () => {
    const atBat = { inning: 1, battingTeam: { id: 1 }, atBatPlay: [swing] };
    const placed = placePlays('MLB', { atBats: [atBat] });
    assert.ok(!isMisplaced(placed));
    assert.deepEqual([placed[0]?.atBat, placed[0]?.play], [atBat, swing]);
  });
});
