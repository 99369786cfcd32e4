// Games closed twice: the log of one service is read from its beginning by another, which has never seen them, and makes the same files to the
// byte (docs/settlement.md).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { finalOf } from '../../support/editions/final-of-api.ts';
import { SettlementStage } from '../../support/editions/settlement-stage.ts';
import { type StagedGame, StagedGames } from '../../support/editions/staged-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { timeOf } from '../../support/folds/settlement-log.ts';
import { type LogCase, runSettlementLog } from '../../support/vectors/run-settlement-log.ts';
import { settlementVectors } from '../../support/vectors/settlement-vectors.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

// Line-ups come through another topic.
const cases = ['close', 'start-of-play', 'closing-rows']
  .flatMap((file) => settlementVectors<LogCase>(file))
  .filter(({ given }) => given.lineup === undefined);

const datasets = ['closing-lines', 'sportsbook-lines'];

/** What a service serves for these games, and the evidence it closed them with. */
async function finalsOf(stage: SettlementStage, games: readonly StagedGame[]) {
  const finals: Record<string, unknown> = {};
  for (const game of games) {
    await stage.built(game);
    const { uuid } = await stage.find(game);
    finals[game.id] = (await stage.edition.drivers.catalogs.settlement.inputs(uuid))?.closed;
    for (const dataset of datasets) {
      const final = await finalOf(stage.edition, game.id, dataset);
      finals[`${game.id} ${dataset}`] = final === null ? null : Buffer.from(final.bytes).toString('base64');
    }
  }
  return finals;
}

/** All records in the log of quotes, each partition in order. */
async function quotesOf({ edition: { drivers } }: SettlementStage): Promise<QuotesRecord[]> {
  const records: QuotesRecord[] = [];
  for (const { partition, low, high } of await drivers.broker.watermarks(topics.quotes)) {
    for await (const batch of drivers.broker.read(topics.quotes, partition, low, high))
      for (const { value } of batch.records) records.push(value as QuotesRecord);
  }
  return records;
}

/** Gives a service the log of another one; it knows the games as its own gateway would have founded them. */
async function replay(stage: SettlementStage, games: readonly StagedGame[], records: readonly QuotesRecord[]) {
  const { broker, catalogs } = stage.edition.drivers;
  for (const { league, number, source, home, away, start } of games) {
    const event = { league, eventId: `e${number}`, homeTeam: home, awayTeam: away, commenceTime: timeOf(start) };
    await catalogs.games.resolve(source, [{ by: 'event', ...event }]);
  }
  const outgoing = records.map((value) => ({ key: value.game_uuid, value }));
  await broker.produce(topics.quotes, outgoing);
  await catalogs.games.startsLogged([...new Set(records.map((record) => record.game_uuid))]);
  await stage.folded();
}

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`a log of settled games replayed, ${name}`, skipFor(skip), () => {
    it('gives the same files', async () => {
      const staged = new StagedGames();
      const played = cases.map((vector) => {
        const start = vector.given.records.find((record) => record.start !== undefined)?.start ?? '';
        return { vector, game: staged.next('NFL', start) };
      });
      const games = played.map(({ game }) => game);
      const onService = async <Result>(work: (stage: SettlementStage) => Promise<Result>): Promise<Result> => {
        const { drop, ...options } = await prepare();
        const edition = await startEdition(options);
        try {
          return await work(await SettlementStage.open(edition));
        } finally {
          await edition.stop();
          await drop();
        }
      };
      const first = await onService(async (stage) => {
        await Promise.all(played.map(({ vector, game }) => runSettlementLog(stage, game, vector)));
        return { finals: await finalsOf(stage, games), log: await quotesOf(stage) };
      });
      assert.ok(first.log.length > games.length * 3);
      assert.ok(Object.values(first.finals).filter((bytes) => bytes !== null).length > games.length * 2);
      const second = await onService(async (stage) => {
        await replay(stage, games, first.log);
        return finalsOf(stage, games);
      });
      assert.deepEqual(second, first.finals);
    });
  });
}
