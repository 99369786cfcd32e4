// Claim: the product folds records as docs/quotes.md says. Records of the topic and pushes, ordinary and hostile, go through the pure
// functions and through the naive oracle of tests/oracle, which shares no code with them; every refusal, row, cut, board,
// state and watermark must be the same, and saving and loading a game's state in between must change nothing. A violation would be a
// sentence of docs/quotes.md that the two implement differently.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { printPushes, pushesOf, shrink, sketchPushes, worldTeams } from '../../oracle/generate.ts';
import { generateRecords, shrinkRecords } from '../../oracle/generate-records.ts';
import { foldRecords, type TopicRecord } from '../../oracle/records.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { describeDifference, firstDifference, type Logged } from '../../support/folds/fold-beside-oracle.ts';
import { describePushDifference, firstPushDifference } from '../../support/folds/pushes-beside-oracle.ts';

const firstSeed = Number(process.env.SDS_TEST_SEED ?? 1);
const seeds = cases(500);
const lastSeed = firstSeed + seeds - 1;

/** The generated records have numbers for times, as the topic has. */
const logged = (records: readonly TopicRecord[]): Logged[] => records as Logged[];

/** A game image of `count` operators without quotes: nearly as many as a game may have. */
function filling(count: number): TopicRecord {
  const operators = Array.from({ length: count }, (_, at) => ({ operator: `O${(at * 7) % 400}`, quotes: [] }));
  const facts = { observed_at: null, record_id: null, sha256: null, commence_time: null, in_play: null };
  const covered = { coverage: null, covered_operators: null };
  const observation = { kind: 'image', scope: 'game', ...facts, ...covered, operators };
  const others = { start: null, status: null, owner: null, tick: null, settle: null };
  const [{ value, timestamp }] = generateRecords(1) as [TopicRecord];
  const game = { game_uuid: '00000000-0000-5000-8000-000000000000', game_id: 'NFL_DET_PHI_20251116', league: 'NFL' };
  const frame = { ...game, source: 's1', received_at: null, rank: null };
  return { offset: 0, timestamp, value: { ...value, ...others, ...frame, observation } };
}

describe('the product beside the oracle', () => {
  it(`records of the topic: seeds ${firstSeed} to ${lastSeed}`, () => {
    let folded = 0;
    for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
      const records = generateRecords(seed);
      folded += records.length;
      const savedAfter = (offset: number): boolean => offset % 7 === seed % 7;
      const fails = (some: readonly TopicRecord[]): boolean => firstDifference(logged(some), savedAfter) !== undefined;
      if (!fails(records)) continue;
      const small = logged(shrinkRecords(records, fails));
      const difference = describeDifference(firstDifference(small, savedAfter)!);
      assert.fail(`seed ${seed}\n${small.map((record) => JSON.stringify(record)).join('\n')}\n${difference}`);
    }
    assert.ok(folded > 10 * seeds, 'the sequences have too few records');
  });

  const lastFull = firstSeed + cases(6) - 1;
  it(`records of a game that holds nearly as many operators as it may: seeds ${firstSeed} to ${lastFull}`, () => {
    let refused = 0;
    for (let seed = firstSeed; seed <= lastFull; seed += 1) {
      const records = [filling(398 + (seed % 3)), ...generateRecords(seed)].map((each, offset) => ({
        ...each,
        offset,
      }));
      const difference = firstDifference(logged(records), (offset) => offset === seed % records.length);
      assert.equal(difference, undefined, difference && `seed ${seed}\n${describeDifference(difference)}`);
      const codes = foldRecords(records).flatMap(({ refusals }) => refusals.map(({ code }) => code));
      refused += codes.filter((code) => code === 'too-many-operators').length;
    }
    assert.ok(refused > 0, 'no sequence reached the cap');
  });

  it(`pushes: seeds ${firstSeed} to ${lastSeed}`, () => {
    for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
      const sketches = sketchPushes(seed);
      const compare = (some: typeof sketches) => firstPushDifference(pushesOf(some), worldTeams);
      if (compare(sketches) === undefined) continue;
      const small = shrink(sketches, (some) => compare([...some]) !== undefined);
      assert.fail(`seed ${seed}\n${printPushes(pushesOf(small))}\n${describePushDifference(compare(small)!)}`);
    }
  });
});
