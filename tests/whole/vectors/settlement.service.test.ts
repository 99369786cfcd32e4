// Every case of tests/vectors/settlement through both editions, each in one of them by the seed of the run: pushed as a feed operator does, settled, and read over HTTP. The cases
// of an edition share one service, each on a game of its own. `names` run pure alone: no route takes a name and tells its normal form.
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { League } from '../../../schemas/reference/leagues.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { SettlementStage } from '../../support/editions/settlement-stage.ts';
import { type StagedGame, StagedGames } from '../../support/editions/staged-game.ts';
import { caseLeftOut, twoEditions } from '../../support/editions/two-editions.ts';
import type { GradingCase, VersionsCase } from '../../support/vectors/market-result-vectors.ts';
import { type LogCase, runSettlementLog } from '../../support/vectors/run-settlement-log.ts';
import { resultsStart, runGradingCase, runVersionsCase } from '../../support/vectors/run-settlement-results.ts';
import { runTimelineCase, type TimelineCase, timelineStart } from '../../support/vectors/run-settlement-timeline.ts';
import { settlementVectors } from '../../support/vectors/settlement-vectors.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Played = {
  league: League;
  start: string;
  name: string;
  run(stage: SettlementStage, game: StagedGame): Promise<void>;
};

/** `found-by-name` first: its players must be in teams that no other case has. */
const graded = ['found-by-name', 'team-markets', 'periods', 'shortened-games', 'player-markets', 'evidence'];

function playedCases(): Played[] {
  const named = ({ name, why }: { name: string; why: string }) => `${name}: ${why}`;
  const ofFiles = <Case>(files: readonly string[], played: (vector: Case) => Played) =>
    files.flatMap((file) => settlementVectors<Case>(file).map(played));
  return [
    ...ofFiles<VersionsCase>(['versions'], (vector) => ({
      league: vector.given.league,
      start: resultsStart,
      name: named(vector),
      run: (stage, game) => runVersionsCase(stage, game, vector),
    })),
    ...ofFiles<GradingCase>(graded, (vector) => ({
      league: vector.given.league,
      start: resultsStart,
      name: named(vector),
      run: (stage, game) => runGradingCase(stage, game, vector),
    })),
    ...ofFiles<LogCase>(['close', 'start-of-play', 'closing-rows'], (vector) => ({
      league: 'NFL',
      start: vector.given.records.find((record) => record.start !== undefined)?.start ?? '',
      name: named(vector),
      run: (stage, game) => runSettlementLog(stage, game, vector),
    })),
    ...ofFiles<TimelineCase>(['timeline'], (vector) => ({
      league: 'NBA',
      start: timelineStart,
      name: named(vector),
      run: (stage, game) => runTimelineCase(stage, game, vector),
    })),
  ];
}

for (const [name, skip, prepare] of twoEditions) {
  describe(`settlement vectors, ${name}`, { ...skipFor(skip), concurrent: true }, () => {
    let edition: Edition;
    let stage: SettlementStage;
    let drop = async () => {};
    beforeAll(async () => {
      const { drop: dropped, ...options } = await prepare();
      drop = dropped;
      const environment = { ...options.environment, SDS_FEED_LIMITS: 'requests:100000,elements:1000000' };
      edition = await startEdition({ ...options, environment });
      stage = await SettlementStage.open(edition);
    });
    afterAll(async () => {
      await edition?.stop();
      await drop();
    });

    const games = new StagedGames();
    for (const { league, start, name: said, run } of playedCases()) {
      const game = games.next(league, start);
      it(said, skipFor(caseLeftOut(name, said)), () => run(stage, game));
    }
  });
}
