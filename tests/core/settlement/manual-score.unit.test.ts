// A manual score as it is typed: what is read, and what is refused with its remedy.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { faultOfPeriods, readManualScore } from '../../../core/settlement/manual-score.ts';
import { periodScoresFit } from '../../../core/settlement/period-scores.ts';
import type { League } from '../../../schemas/reference/leagues.ts';

describe('a manual score', () => {
  it('is AWAY-HOME, with the periods in order', () => {
    assert.deepEqual(readManualScore('17-24', null), {
      kind: 'score',
      scores: { away: 17, home: 24, awayPeriods: [], homePeriods: [] },
    });
    assert.deepEqual(readManualScore(' 10-3 ', '7-0, 3-3'), {
      kind: 'score',
      scores: { away: 10, home: 3, awayPeriods: [7, 3], homePeriods: [0, 3] },
    });
  });

  it('may end before home bats', () => {
    const read = readManualScore('0-1', '0-1,0-x');
    assert.deepEqual(read, { kind: 'score', scores: { away: 0, home: 1, awayPeriods: [0, 0], homePeriods: [1] } });
    assert.ok(read.kind === 'score' && periodScoresFit('MLB', read.scores) && !periodScoresFit('NFL', read.scores));
  });

  it('is refused where it is none, with the part at fault and what to type', () => {
    for (const score of ['', '17', '17:24', '-1-3', '1.5-2', '17-24-1', '12345-0', '１-２']) {
      const read = readManualScore(score, null);
      assert.ok(read.kind === 'refused' && read.problem.startsWith(`--score ${JSON.stringify(score)}`), score);
      assert.match(read.problem, /--score 17-24/);
    }
    for (const [periods, number] of [
      ['', 1],
      ['7-0,', 2],
      ['7-0,3', 2],
      ['0-x,1-0', 1],
      ['x-0', 1],
    ] as const) {
      const read = readManualScore('7-3', periods);
      assert.ok(read.kind === 'refused' && read.problem.startsWith(`--periods: period ${number},`), periods);
      assert.match(read.problem, /leave --periods out/);
    }
  });
});

describe('the periods of a score', () => {
  const faultOf = (league: League, score: string, periods: string | null): string | null => {
    const read = readManualScore(score, periods);
    assert.ok(read.kind === 'score');
    return faultOfPeriods(league, read.scores);
  };

  it('come to the score, a shoot-out and a half inning that was not needed apart', () => {
    assert.equal(faultOf('NFL', '17-24', null), null);
    assert.equal(faultOf('NFL', '17-24', '7-0,3-14,0-3,7-7'), null);
    assert.equal(faultOf('NHL', '2-3', '1-1,0-0,1-1,0-0'), null);
    assert.equal(faultOf('MLB', '0-1', '0-1,0-x'), null);
  });

  it('that do not are named with what they come to', () => {
    assert.match(
      faultOf('NFL', '17-24', '7-0,3-14,0-3,7-3') ?? '',
      /come to 17-20 in 4 periods of NFL, --score says 17-24/,
    );
    assert.match(faultOf('NBA', '2-3', '1-1,0-0,1-1,0-0') ?? '', /come to 2-2/);
  });

  it('end before home bats in baseball alone', () => {
    const fault = faultOf('NFL', '10-7', '7-7,3-x') ?? '';
    assert.match(
      fault,
      /^--periods: period 2 has x for home, .* baseball .*: give home's points, or leave --periods out$/,
    );
    assert.equal(faultOf('NFL', '10-7', '7-7,3-0'), null);
    assert.match(faultOf('NFL', '10-8', '7-7,3-x') ?? '', /period 2 has x/, 'first of all');
    assert.match(faultOf('MLB', '1-2', '0-1,0-x') ?? '', /come to 0-1 in 2 periods of MLB, --score says 1-2/);
  });
});
