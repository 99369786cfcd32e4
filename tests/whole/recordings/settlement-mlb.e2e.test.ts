// The recorded evening of baseball, settled, in both editions: 26 games from the first quote to their final files. What the files must say is
// worked out apart from the product: closing lines by SQL over the live log as it was downloaded before each close, results by the second
// grader from the stated scores. A second service that folds the same log makes the same bytes, and so does the other edition where no epoch
// is named.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Evidence, LogRow } from '../../oracle/settlement-evidence.ts';
import { gradeByThePage } from '../../oracle/settlement-grader.ts';
import { finalDatasets } from '../../support/builders/final-files.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { type DownloadedFinals, type FinalDataset, settledFinals } from '../../support/editions/final-downloads.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { ofTheSameLog } from '../../support/editions/same-log.ts';
import { type Setting, sampledEditions } from '../../support/editions/two-editions.ts';
import { closingLinesBySql } from '../../support/parquet/closing-lines-sql.ts';
import { sqlText } from '../../support/parquet/queries.ts';
import { DuckDb, type PlainRow } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { type EveningGame, eveningGames } from '../../support/recordings/mlb-evening.ts';
import { sum } from '../../support/recordings/mlb-evening-bodies.ts';
import { eveningAbsent, type PlayedEvening, playEvening } from '../../support/recordings/play-mlb-evening.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const ids = eveningGames.map(({ id }) => id);

/**
 * What each edition made, by `<game> <dataset>`: the file's bytes, or its rows if they name an epoch, which differs
 * from log to log.
 */
const made = new Map<string, Map<string, unknown>>();

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`the recorded evening of baseball, settled: ${name}`, skipFor(eveningAbsent || outOfTurn() || skip), () => {
    let folder: string;
    let own: Setting;
    let edition: Edition;
    let duckDb: DuckDb;
    let evening: PlayedEvening;
    let finals: ReadonlyMap<string, DownloadedFinals>;
    const finalOf = ({ id }: EveningGame, dataset: FinalDataset) => finals.get(id)?.get(dataset) ?? null;
    const rowsOf = async (game: EveningGame, dataset: FinalDataset): Promise<PlainRow[]> => {
      const final = finalOf(game, dataset);
      return final === null ? [] : duckDb.rows(final.path);
    };

    beforeAll(async () => {
      folder = makeDataFolder('evening');
      own = await prepare();
      edition = await startEdition({ ...own, flushEveryMs: name === 'embedded' ? 0 : 150 });
      duckDb = await DuckDb.open();
      evening = await playEvening(edition, folder);
      finals = await settledFinals(edition, ids, folder);
      const ofEdition = new Map<string, unknown>();
      for (const game of eveningGames)
        for (const dataset of finalDatasets) {
          const namesEpoch = dataset === 'market-results' || dataset === 'game-state-timeline';
          const content = namesEpoch ? (await rowsOf(game, dataset)).map(withoutEpoch) : finalOf(game, dataset)?.bytes;
          ofEdition.set(`${game.id} ${dataset}`, content);
        }
      made.set(name, ofEdition);
    });

    afterAll(async () => {
      duckDb?.close();
      await edition?.stop();
      await own?.drop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    it('closes 26 games, and refuses what comes after a close', async () => {
      assert.equal(finals.size, 26);
      assert.equal(evening.pushed, 2_138 + 7);
      // 45 minutes of one game and 105 of another, with a snapshot every five minutes.
      assert.equal(evening.afterTheClose, 9 + 21);
      const letters = await edition.drivers.catalogs.deadLetters.list({
        before: null,
        limit: 1_000,
        code: null,
        source: null,
      });
      assert.deepEqual(new Set(letters.map(({ code }) => code)), new Set(['game-settled']));
      assert.equal(letters.length, evening.afterTheClose);
      for (const { id } of eveningGames) {
        for (const [dataset, final] of finals.get(id) ?? []) assert.equal(final?.version ?? 1, 1, `${id} ${dataset}`);
        const answer = await fetch(`${edition.apiUrl}/v1/games/${id}/sportsbook-lines/segments`, {
          headers: { authorization: `Bearer ${edition.apiKey}` },
        });
        const problem = (await answer.json()) as { reason?: string; first_seq?: number };
        assert.deepEqual([answer.status, problem.reason, problem.first_seq], [404, 'final_available', 1], id);
      }
    });

    it('keeps the rows that were live, row by row', async () => {
      for (const game of eveningGames) {
        const { files } = evening.live.get(game.id) ?? assert.fail(game.id);
        const live = await duckDb.ask(
          `select * from read_parquet([${files.map(sqlText).join(', ')}]) order by row_number`,
        );
        const rows = await rowsOf(game, 'sportsbook-lines');
        assertSameRows(rows.slice(0, live.length), live);
        assert.ok(
          rows.every((row, index) => row.row_number === index + 1),
          game.id,
        );
        const last = rows.slice(live.length);
        // A record with rows, all of one time, closed this game; a tick or a record without rows closed the others.
        assert.equal(last.length > 0, game.id === 'MLB_PIT_MIL_20260805', game.id);
        const [first] = last;
        assert.ok(
          last.every(({ timestamp }) => timestamp === first?.timestamp),
          game.id,
        );
      }
    });

    it('finds the closing lines that DuckDB finds in the live log', async () => {
      const bases = new Set<unknown>();
      for (const game of eveningGames) {
        const rows = await rowsOf(game, 'closing-lines');
        const { files } = evening.live.get(game.id) ?? assert.fail(game.id);
        const expected = await closingLinesBySql(duckDb, { files, t0: game.t0, basis: game.basis });
        const ofGame = {
          game_id: game.id,
          league: 'MLB',
          game_date: Date.parse(game.id.replace(/^.*_(....)(..)(..)$/, '$1-$2-$3')) / 86_400_000,
          scheduled_start: game.scheduledStart,
          actual_start: game.basis === 'scheduled' ? null : game.t0,
          home_player_ids: [],
          away_player_ids: [],
        };
        assertSameRows(
          rows,
          expected.map((row) => ({ ...row, ...ofGame })),
        );
        assert.deepEqual(finalOf(game, 'closing-lines') === null, expected.length === 0, game.id);
        for (const { close_basis: basis } of rows) bases.add(basis);
      }
      assert.deepEqual([...bases].sort(), ['last_before_start', 'reconstructed', 'suspended_before_start']);
    });

    it('grades as the second grader does, from the stated scores', async () => {
      const seen = new Set<unknown>();
      for (const game of eveningGames) {
        const rows = await rowsOf(game, 'market-results');
        const log = (await rowsOf(game, 'sportsbook-lines')) as unknown as LogRow[];
        const graded = gradeByThePage(log, await evidenceOf(edition, game)) ?? assert.fail(game.id);
        assertSameRows(
          rows,
          graded.map((row) => ({ game_id: game.id, league: 'MLB', ...row })),
        );
        for (const { result, result_reason: reason } of rows) seen.add(result).add(reason);
      }
      assert.deepEqual(
        everyFact.filter((fact) => !seen.has(fact)),
        [],
      );
    });

    it('tells the course of each game to its final score', async () => {
      for (const game of eveningGames) {
        const rows = await rowsOf(game, 'game-state-timeline');
        const states = game.facts.map(({ at, status }, index) => ({ at, status, revision: index + 1 }));
        const changes = states.filter(({ status }, index) => status !== states[index - 1]?.status);
        assert.deepEqual(
          rows.map(({ sequence, timestamp, status, revision }) => ({ sequence, timestamp, status, revision })),
          changes.map(({ at, status, revision }, index) => ({ sequence: index + 1, timestamp: at, status, revision })),
          game.id,
        );
        const last = rows.at(-1);
        if (game.completedAt === null) assert.equal(last, undefined);
        else assert.deepEqual([last?.away_score, last?.home_score], [sum(game.away), sum(game.home)], game.id);
      }
    });

    it('makes the same bytes of the same log again', async () => {
      const again = await prepare();
      const second = await startEdition({
        ...again,
        ...ofTheSameLog(edition),
        roles: ['api', 'projectors'],
        flushEveryMs: 300,
      });
      try {
        const place = join(folder, 'again');
        mkdirSync(place);
        await everythingFolded(second);
        const files = await settledFinals(second, ids, place);
        for (const game of eveningGames) {
          for (const dataset of finalDatasets) {
            const [one, two] = [finalOf(game, dataset), files.get(game.id)?.get(dataset) ?? null];
            assert.ok(
              one === null ? two === null : two !== null && Buffer.compare(one.bytes, two.bytes) === 0,
              `${game.id} ${dataset}`,
            );
          }
        }
      } finally {
        await second.stop();
        await again.drop();
      }
    });
  });
}

it(
  'the recorded evening of baseball settles to the same in both editions',
  skipFor(
    eveningAbsent ||
      (sampledEditions()
        .map(([, skip]) => skip)
        .find((skip) => skip !== false) ??
        false),
  ),
  () => {
    const [one, two] = sampledEditions().map(([name]) => made.get(name) ?? assert.fail(name));
    for (const [file, content] of one ?? []) assert.deepEqual(two?.get(file), content, file);
  },
);

function withoutEpoch({ stream_epoch: _, settlement_source: source, ...row }: PlainRow): PlainRow {
  return source === undefined ? row : { ...row, settlement_source: String(source).replace(/\/.*\//, '//') };
}

/** What must have occurred for the comparison to prove anything. */
const everyFact = [
  ...['win', 'loss', 'push', 'half_win', 'half_loss', 'void', 'ungraded', 'cancelled', 'shortened', 'draw_quoted'],
  ...['no_such_period', 'no_period_scores', 'no_player_statistics', 'unknown_market', 'unknown_selection'],
];

type StreamHead = { stream_epoch: string };

/** The evidence of a game's result: what the evening's table says, and the epoch of its stream. */
async function evidenceOf(
  edition: Edition,
  { id, away, home, facts, completedAt, cancelledAt }: EveningGame,
): Promise<Evidence> {
  const teams = (await getJson(edition, `/v1/games/${id}`)) as { home_team_id: string; away_team_id: string };
  const evidence = {
    league: 'MLB',
    homeTeamId: teams.home_team_id,
    awayTeamId: teams.away_team_id,
    cancelledAt,
    manual: null,
  };
  const noPlayers = { playerStats: null, players: [] };
  if (completedAt === null) return { ...evidence, ...noPlayers, gameState: null };
  const { stream_epoch: epoch } = (await getJson(edition, `/v1/games/${id}/game-state/snapshot`)) as StreamHead;
  return {
    ...evidence,
    ...noPlayers,
    gameState: {
      epoch,
      revision: facts.length,
      at: completedAt,
      playedStatus: 'COMPLETED',
      away: sum(away),
      home: sum(home),
      awayPeriods: away,
      homePeriods: home,
    },
  };
}
