// The recorded game of the NFL, Baltimore at Kansas City, settled in both editions from its own bodies: three months of lines, both line-ups, the
// plays. There is no box score of it, so quotes on players are not graded.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'vitest';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { gatewayClient } from '../../../ops/replay/gateway-client.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { uuid5 } from '../../oracle/games.ts';
import { at, byBytes, list, text, type Value } from '../../oracle/msf-values.ts';
import type { Evidence, LogRow } from '../../oracle/settlement-evidence.ts';
import { gradeByThePage } from '../../oracle/settlement-grader.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { downloadLog, type FinalDataset, settledFinals } from '../../support/editions/final-downloads.ts';
import { pushMsf } from '../../support/editions/msf-client.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { closingLinesBySql } from '../../support/parquet/closing-lines-sql.ts';
import { sqlText } from '../../support/parquet/queries.ts';
import { DuckDb, type PlainRow } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { type MsfRecording, msfRecordings, msfRecordingsAbsent } from '../../support/recordings/msf-recordings.ts';
import { grownBodies, recordedGames } from '../../support/recordings/played-back.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const id = 'NFL_BAL_KC_20240905';
const [away, home] = [20, 27];
const [awayQuarters, homeQuarters] = [
  [7, 3, 0, 10],
  [7, 6, 7, 7],
];
const kickOff = timeOf('2024-09-06T00:20:00Z');
const quotedAt = timeOf('2024-09-05T21:00:00Z');
const linedUpAt = timeOf('2024-09-05T23:30:00Z');
const startedAt = timeOf('2024-09-06T00:24:30Z');
const completedAt = timeOf('2024-09-06T03:55:00Z');

for (const [name, skip, prepare] of sampledEditions()) {
  it(
    `the recorded game of the NFL settles on 20-27: ${name}`,
    skipFor(msfRecordingsAbsent || outOfTurn() || skip),
    async () => {
      const folder = makeDataFolder('nfl');
      const own = await prepare();
      const edition = await startEdition({ ...own, flushEveryMs: name === 'embedded' ? 0 : 150 });
      const duckDb = await DuckDb.open();
      try {
        const key = await edition.feedKey(['push', 'msf', 'backfill']);
        await pushGame(edition, key);
        await everythingFolded(edition);
        const { files } = await downloadLog(edition, id, folder);
        const gateway = gatewayClient({ url: edition.ingestUrl, key, source: 'msf' }, systemClock);
        await gateway.tick(formatMicros(completedAt + 10 * microsPerMinute));
        await everythingFolded(edition);
        const finals = (await settledFinals(edition, [id], folder)).get(id);
        const rowsOf = (dataset: FinalDataset) => duckDb.rows(finals?.get(dataset)?.path ?? assert.fail(dataset));

        const lines = await rowsOf('sportsbook-lines');
        const live = `select * from read_parquet([${files.map(sqlText).join(', ')}]) order by row_number`;
        assertSameRows(lines, await duckDb.ask(live));
        checkLastPrices(lines);
        const closing = await closingLinesBySql(duckDb, { files, t0: startedAt, basis: 'status' });
        assertSameRows(
          await rowsOf('closing-lines'),
          closing.map((row) => ({ ...row, ...ofGame() })),
        );
        const results = await rowsOf('market-results');
        checkResults(results);
        const graded = gradeByThePage(lines as unknown as LogRow[], await evidenceOf(edition)) ?? [];
        assertSameRows(
          results,
          graded.map((row) => ({ game_id: id, league: 'NFL', ...row })),
        );
        const timeline = await rowsOf('game-state-timeline');
        assert.deepEqual(
          timeline.map((row) => [row.timestamp, row.status]),
          [
            [startedAt, 'STARTED'],
            [completedAt, 'COMPLETED'],
          ],
        );
        assert.deepEqual([timeline[1]?.away_score, timeline[1]?.home_score], [away, home]);
      } finally {
        duckDb.close();
        await edition.stop();
        await own.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

function timeOf(said: string): Micros {
  return parseRfc3339(said) ?? assert.fail(said);
}

function recording(feed: MsfRecording['feed'], part = ''): MsfRecording {
  const isIt = (each: MsfRecording) => each.league === 'NFL' && each.feed === feed && each.name.includes(part);
  return msfRecordings().find(isIt) ?? assert.fail(feed);
}

async function pushGame(edition: Edition, key: string): Promise<void> {
  const push = async (feed: string, time: Micros, body: object): Promise<void> => {
    const headers = { 'x-observed-at': formatMicros(time), 'x-request-started-at': formatMicros(time) };
    await pushMsf(edition, key, { league: 'NFL', season: '2024-regular', feed }, body, headers);
  };
  await push('odds_gamelines', completedAt, recording('odds_gamelines', 'odds_20240905').body);
  const house = gatewayClient({ url: edition.ingestUrl, key, source: 'house' }, systemClock);
  await house.push('quotes', JSON.stringify({ events: [onPlayers] }), { observedAt: formatMicros(quotedAt) });
  await push('lineup', linedUpAt, recording('lineup').body);
  const game = recordedGames().find(({ gameId }) => gameId === id) ?? assert.fail(id);
  await push('playbyplay', startedAt, grownBodies(game, 4)[0] ?? assert.fail('no play'));
  await push('playbyplay', completedAt, game.whole);
}

const price = { american: -115 };
const onPlayers = {
  kind: 'image',
  operator: 'house',
  game: { game_id: id },
  quotes: [
    { market: 'player_pass_yds', selection: 'over', player: 'Patrick Mahomes', line: 255.5, price, state: 'open' },
    { market: 'player_pass_yds', selection: 'under', player: 'Patrick Mahomes', line: 255.5, price, state: 'open' },
    { market: 'player_anytime_td', selection: 'yes', player: 'Derrick Henry', price, state: 'open' },
  ],
};

/** Asserts that each source's last moneyline of the full game is the last price in the log. */
function checkLastPrices(lines: readonly PlainRow[]): void {
  const sources = list(at(recording('odds_gamelines', 'odds_20240905').body, 'gameLines', 0, 'lines'));
  assert.equal(sources.length, 2);
  for (const source of sources) {
    const operator = String(at(source, 'source', 'name')).toUpperCase();
    const ofGame = (entry: Value) => at(entry, 'moneyLine', 'gameSegment') === 'FULL';
    const last = list(at(source, 'moneyLines')).findLast(ofGame);
    for (const side of ['away', 'home']) {
      const row = lines.findLast(
        (each) => each.operator === operator && each.selection_id === `moneyline/full/${side}`,
      );
      const expected = at(last, 'moneyLine', `${side}Line`, 'american');
      assert.deepEqual([row?.price_american, row?.is_open], [expected, true], `${operator} ${side}`);
    }
  }
}

/** What every closing line says about the game: its starters, by the names of their slots, of the side that began. */
function ofGame(): PlainRow {
  const { body } = recording('lineup');
  const startersOf = (team: number): string[] => {
    const lineup = list(at(body, 'teamLineups')).find((each) => at(each, 'team', 'id') === team);
    const slots = list(at(lineup, 'actual', 'lineupPositions')).filter((slot) => at(slot, 'player') !== null);
    const inOrder = slots.toSorted((a, b) => byBytes(text(at(a, 'position')) ?? '', text(at(b, 'position')) ?? ''));
    return [...new Set(inOrder.map((slot) => uuid5(`msf/player/NFL/${at(slot, 'player', 'id')}`)))];
  };
  const [awayIds, homeIds] = [startersOf(56), startersOf(73)];
  assert.ok(awayIds.length > 20 && homeIds.length > 20);
  return {
    game_id: id,
    league: 'NFL',
    game_date: Date.UTC(2024, 8, 5) / 86_400_000,
    scheduled_start: kickOff,
    actual_start: startedAt,
    home_player_ids: homeIds,
    away_player_ids: awayIds,
  };
}

/** Checks results by the book's rules for three markets of the full game, and for players without a box score. */
function checkResults(results: readonly PlainRow[]): void {
  const seen = new Set<string>();
  for (const { market, period, selection, line, result, result_value, result_reason } of results) {
    const thousandths = Number(line);
    const margin = 1_000 * (selection === 'home' ? home - away : away - home);
    const points = 1_000 * (home + away);
    const named = `${market}/${period}/${selection} ${line}`;
    if (String(market).startsWith('player_')) {
      assert.deepEqual([result, result_value, result_reason], ['ungraded', null, 'no_player_statistics'], named);
    } else if (period === 'full') {
      const ahead =
        market === 'total' ? (points - thousandths) * (selection === 'over' ? 1 : -1) : margin + thousandths;
      const won = ahead > 0 ? 'win' : ahead < 0 ? 'loss' : 'push';
      assert.deepEqual([result, result_value], [won, market === 'total' ? points : margin], named);
    }
    seen.add(`${market} ${result}`);
  }
  const wanted = ['moneyline', 'spread', 'total'].flatMap((market) => [`${market} win`, `${market} loss`]);
  assert.deepEqual(
    [...wanted, 'player_pass_yds ungraded', 'player_anytime_td ungraded'].filter((fact) => !seen.has(fact)),
    [],
  );
}

async function evidenceOf(edition: Edition): Promise<Evidence> {
  const teams = (await getJson(edition, `/v1/games/${id}`)) as { home_team_id: string; away_team_id: string };
  const state = (await getJson(edition, `/v1/games/${id}/game-state/snapshot`)) as { stream_epoch: string };
  return {
    league: 'NFL',
    homeTeamId: teams.home_team_id,
    awayTeamId: teams.away_team_id,
    cancelledAt: null,
    manual: null,
    gameState: {
      epoch: state.stream_epoch,
      revision: 2,
      at: completedAt,
      playedStatus: 'COMPLETED',
      away,
      home,
      awayPeriods: awayQuarters ?? [],
      homePeriods: homeQuarters ?? [],
    },
    playerStats: null,
    players: [],
  };
}
