// What a revision says of how far its history is whole, and since when it was captured live (docs/revisions.md#revision-rules;
// docs/revisions.md#verification).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { areHoles, coverageOf, isOtherCoverage } from '../../../../core/msf/streams/coverage.ts';
import { type MsfDataset, type MsfFeed, msfDatasets } from '../../../../core/msf/types.ts';
import { formatMicros } from '../../../../core/time/rfc3339.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { type League, leagues } from '../../../../schemas/reference/leagues.ts';
import { scopesOf } from '../../../support/arbitraries/msf.ts';
import { gameObject, play, wholeBodies } from '../../../support/builders/msf-bodies.ts';
import { observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const at = (seconds: number): Micros => start + seconds * microsPerSecond;
const hole = '2026-01-10T00:00:00.000000Z/2026-01-10T00:30:00.000000Z observations-missing';

describe('coverage', () => {
  const of = (dataset: MsfDataset, league: League, holes: readonly string[] = []) =>
    coverageOf(dataset, league, { start: at(0), end: at(9), holes });
  const unverified = '2026-01-10T01:00:00.000000Z/.. unverified-shape';

  it('is degraded for the plays of NHL and MLB alone, whose form is unverified', () => {
    for (const league of leagues) {
      for (const dataset of msfDatasets) {
        const isUnseen = dataset === 'plays' && (league === 'NHL' || league === 'MLB');
        assert.deepEqual(of(dataset, league), {
          state: isUnseen ? 'degraded' : 'complete',
          coverage_start: at(0),
          coverage_end: at(9),
          gaps: isUnseen ? [unverified] : [],
        });
      }
    }
  });

  it('is legacy_partial with holes even where it is degraded, and names both', () => {
    assert.deepEqual([of('plays', 'NBA', [hole]).state, of('plays', 'NBA', [hole]).gaps], ['legacy_partial', [hole]]);
    const both = of('plays', 'NHL', [hole]);
    assert.deepEqual([both.state, both.gaps], ['legacy_partial', [hole, unverified]]);
    assert.ok(areHoles(both.gaps));
    assert.ok(!areHoles([`${hole}\0`]), 'text that no catalog can store');
  });

  it('differs by its state and its gaps, not by its end', () => {
    const known = of('plays', 'NBA', [hole]);
    assert.ok(!isOtherCoverage(known, { ...known, coverage_end: at(99), coverage_start: at(1) }));
    assert.ok(isOtherCoverage(known, { ...known, state: 'complete' }));
    assert.ok(isOtherCoverage(known, { ...known, gaps: [] }));
    assert.ok(isOtherCoverage(known, { ...known, gaps: [unverified] }));
  });
});

/** Pulls of one game, stamped with their second. `observed`: the second of X-Observed-At. */
class Pulls {
  readonly msf = new PureMsf();
  readonly #league: 'NBA' | 'NHL';

  constructor(league: 'NBA' | 'NHL' = 'NBA') {
    this.#league = league;
  }

  pull(feed: MsfFeed, second: number, body: JsonObject, { observed = null as number | null, asked = second } = {}) {
    const { game } = scopesOf(this.#league);
    const push = {
      feed,
      requested: at(asked),
      at: at(second),
      observedAt: observed === null ? null : at(observed),
      body: { ...body, lastUpdatedOn: formatMicros(at(second)) },
    };
    const { effects } = this.msf.fold(observationRecord(game, push, 900001, body), at(second));
    return new Map(effects.revisions.map((cut) => [cut.dataset, cut]));
  }

  coverage(dataset: MsfDataset) {
    const { coverageStart, coverageEnd } = this.msf.scopes.get(scopesOf(this.#league).game.uuid)!.streams.get(dataset)!;
    return [coverageStart, coverageEnd];
  }
}

const plays = (league: 'NBA' | 'NHL', count: number): JsonObject => ({
  game: gameObject(),
  plays: Array.from({ length: count }, (_, secondsElapsed) =>
    play({ [league === 'NHL' ? 'period' : 'quarter']: 1, secondsElapsed }),
  ),
});

describe('coverage of a stream', () => {
  it('begins and ends with the applied observations of its own feeds, repeats included, late ones not', () => {
    const pulls = new Pulls();
    pulls.pull('games', 0, wholeBodies.games);
    const first = pulls.pull('playbyplay', 10, plays('NBA', 1)).get('plays')!;
    assert.deepEqual([first.coverage.coverage_start, first.coverage.coverage_end], [at(10), at(10)]);
    assert.deepEqual(pulls.coverage('game-state'), [at(0), at(10)]);
    pulls.pull('boxscore', 20, wholeBodies.boxscore);
    pulls.pull('playbyplay', 25, plays('NBA', 1));
    pulls.pull('playbyplay', 30, plays('NBA', 5), { asked: 5 });
    assert.deepEqual(pulls.coverage('plays'), [at(10), at(25)]);
    const next = pulls.pull('playbyplay', 40, plays('NBA', 2)).get('plays')!;
    assert.deepEqual([next.coverage.coverage_start, next.coverage.coverage_end], [at(10), at(40)]);
  });

  it('has the gap of an unseen shape open from its start, in every revision', () => {
    const pulls = new Pulls('NHL');
    for (const count of [1, 2]) {
      const cuts = pulls.pull('playbyplay', 10 * count, plays('NHL', count));
      const { state, gaps } = cuts.get('plays')!.coverage;
      assert.deepEqual([state, gaps], ['degraded', ['2026-01-10T01:00:10.000000Z/.. unverified-shape']]);
      const ofState = cuts.get('game-state');
      if (ofState !== undefined) assert.deepEqual([ofState.coverage.state, ofState.coverage.gaps], ['complete', []]);
    }
  });
});

describe('the start of live capture', () => {
  it('is the receive time of the first observation that came without X-Observed-At, null before', () => {
    const pulls = new Pulls();
    const since = (second: number, count: number, observed: number | null = null) =>
      pulls.pull('playbyplay', second, plays('NBA', count), { observed }).get('plays')?.liveCaptureStartedAt;
    assert.deepEqual(
      [since(10, 1, 9), since(20, 2, 19), since(30, 3), since(40, 4, 39), since(50, 5)],
      [null, null, at(30), at(30), at(30)],
    );
  });
});
