// Recorded bodies of MySportsFeeds through the gateway of both editions: into the games that there are, the log, the reference data and — lines —
// the quotes (docs/revisions.md#observations; docs/operations.md#push-gateway). Of what is folded, receipts and statuses are looked at.
import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import { gameUuid, playerUuid, teamUuid } from '../../../core/msf/ids.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { GameDocument } from '../../../schemas/http/games.ts';
import type { PlayerDocument, TeamDocument } from '../../../schemas/http/reference.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { heldText } from '../../support/builders/held-element.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { type Setting, twoEditions } from '../../support/editions/two-editions.ts';
import { type Reply, send } from '../../support/http/gateway-http.ts';
import {
  type MsfRecording,
  msfFiles,
  msfRecordings,
  msfRecordingsAbsent,
} from '../../support/recordings/msf-recordings.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Receipt = {
  state: string;
  counts: { accepted: number; applied: number; duplicates: number; refused: number };
  records: {
    index: number;
    state: string;
    revisions: { dataset: string; revision: number }[];
    refusals: { code: string }[];
  }[];
};
type Schedule = {
  id: number;
  startTime: string;
  awayTeam: { abbreviation: string };
  homeTeam: { abbreviation: string };
};

for (const [name, skip, prepare] of twoEditions) {
  describe(`recorded bodies through the gateway, ${name}`, skipFor(skip || msfRecordingsAbsent), () => {
    let setting: Setting;
    let edition: Edition;
    let key: string;

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition(options);
      key = await edition.feedKey(['push', 'reference', 'msf']);
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    const recorded = (part: string): MsfRecording => {
      const found = msfRecordings().find((each) => each.name.includes(part));
      if (found === undefined) throw new Error(`no recording ${part}`);
      return found;
    };
    const season = recorded('seasonal_games');
    const schedules = (season.body.games as unknown as { schedule: Schedule }[]).map(({ schedule }) => schedule);

    const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
      send(edition.ingestUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: body instanceof Uint8Array ? (body as unknown as string) : JSON.stringify(body),
      });
    const pushMsf = (league: League, feed: MsfFeed, body: unknown, headers: Record<string, string> = {}, query = '') =>
      post(`/v1/sources/feed/msf/${league}/recorded/${feed}${query}`, body, headers);

    async function accepted(pushed: Promise<Reply>, count: number): Promise<string> {
      const { status, body } = await pushed;
      assert.deepEqual([status, body.accepted, body.rejected], [202, count, []], JSON.stringify(body).slice(0, 500));
      return String(body.receipt);
    }

    async function receiptOf(receipt: string): Promise<Receipt> {
      const reply = await send(`${edition.ingestUrl}/v1/receipts/${receipt}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return reply.body as unknown as Receipt;
    }

    async function folded(receipt: string): Promise<Receipt> {
      await until(`receipt ${receipt} is applied`, async () => (await receiptOf(receipt)).state === 'applied');
      return receiptOf(receipt);
    }

    /** All values of a topic, per partition in order. */
    async function logged<Value>(topic: string): Promise<Value[]> {
      const { broker } = edition.drivers;
      const values: Value[] = [];
      for (const { partition, low, high } of await broker.watermarks(topic)) {
        for await (const batch of broker.read(topic, partition, low, high)) {
          for (const record of batch.records) {
            assert.equal(record.undecodable, null);
            values.push(record.value as Value);
          }
        }
      }
      return values;
    }

    const observationsOf = async (receipt: string) =>
      (await logged<ObservationsRecord>(topics.observations))
        .filter(({ push }) => push === receipt)
        .sort((a, b) => (a.push_index ?? 0) - (b.push_index ?? 0));
    const games = async (league: League) =>
      ((await getJson(edition, `/v1/games?league=${league}&limit=10000`)) as { data: GameDocument[] }).data;
    const withoutStamp = ({ lastUpdatedOn: _, references: __, ...rest }: JsonObject): JsonObject => rest;

    it('a season’s schedule mints its games, each once, under its Eastern date', async () => {
      const receipt = await accepted(
        pushMsf('NBA', 'games', gzipSync(JSON.stringify(season.body)), { 'content-encoding': 'gzip' }),
        1_230,
      );
      const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
      const abbreviations = new Map(
        ((await getJson(edition, '/v1/teams?league=NBA&limit=100')) as { data: TeamDocument[] }).data.map((team) => [
          team.id,
          team.abbreviation,
        ]),
      );
      const ids = schedules.map(({ startTime, awayTeam, homeTeam }) => {
        const [away, home] = [awayTeam, homeTeam].map(({ abbreviation }) =>
          abbreviations.get(teamUuid('NBA', abbreviation, 0)),
        );
        return `NBA_${away}_${home}_${eastern.format(new Date(startTime)).replaceAll('-', '')}`;
      });
      assert.equal(new Set(ids).size, 1_230);
      const listed = await games('NBA');
      assert.deepEqual(listed.map(({ id }) => id).sort(), [...ids].sort());
      const records = await observationsOf(receipt);
      assert.deepEqual(
        records.map(({ scope_uuid, scope_id, observation }) => [scope_uuid, scope_id, observation?.msf_game_id]),
        schedules.map(({ id }, index) => [gameUuid('NBA', id), ids[index], id]),
      );
      for (const [index, { observation }] of records.entries()) {
        assert.deepEqual(JSON.parse(observation?.element ?? ''), {
          games: [(season.body.games as JsonValue[])[index]],
        });
      }
    });

    it('a season that has been played is one of completed games, each at its start', async () => {
      const receipt = await accepted(pushMsf('NBA', 'games', season.body), 1_230);
      const { counts, records } = await folded(receipt);
      assert.deepEqual(counts, { accepted: 1_230, applied: 1_230, duplicates: 0, refused: 0 });
      assert.equal(records.length, 1_000, 'the receipt lists the first thousand records that cut a revision');
      for (const { revisions } of records) {
        assert.deepEqual(
          revisions.map(({ dataset, revision }) => `${dataset} ${revision}`),
          ['game-state 2'],
        );
      }
      const listed = await games('NBA');
      assert.deepEqual(new Set(listed.map(({ status }) => status)), new Set(['COMPLETED']));
      assert.deepEqual(
        listed.map(({ scheduled_start }) => Date.parse(scheduled_start)).sort(),
        schedules.map(({ startTime }) => Date.parse(startTime)).sort(),
      );
    });

    it('pushed again it is of the same games, whose starts the quotes’ log has once', async () => {
      const again = { ...season.body, lastUpdatedOn: '2019-02-25T00:00:00.000Z' };
      const receipt = await accepted(
        pushMsf('NBA', 'games', zstdCompressSync(JSON.stringify(again)), { 'content-encoding': 'zstd' }),
        1_230,
      );
      assert.deepEqual((await folded(receipt)).records, [], 'a body without news cuts no revision');
      const scopes = (await observationsOf(receipt)).map(({ scope_uuid }) => scope_uuid);
      assert.deepEqual(
        scopes,
        schedules.map(({ id }) => gameUuid('NBA', id)),
      );
      assert.equal((await games('NBA')).length, 1_230);
      const founding = (await logged<QuotesRecord>(topics.quotes)).filter(
        ({ start }) => start?.from_schedule === false,
      );
      assert.deepEqual(founding.map(({ game_uuid }) => game_uuid).sort(), [...scopes].sort());
      assert.deepEqual(new Set(founding.map(({ source }) => source)), new Set(['msf']));
    });

    it('plays, line-ups and game logs are of the games of the schedule', async () => {
      const scheduled = new Set(schedules.map(({ id }) => gameUuid('NBA', id)));
      for (const { name, league, feed, body } of msfRecordings()) {
        if (league !== 'NBA' || feed === 'games') continue;
        const entries = (body.gamelogs as unknown as { game: { id: number } }[] | undefined)?.map(
          ({ game }) => game.id,
        );
        const ids = entries === undefined ? [(body.game as { id: number }).id] : [...new Set(entries)];
        const receipt = await accepted(pushMsf('NBA', feed, body), ids.length);
        const { counts } = await folded(receipt);
        assert.deepEqual([counts.applied, counts.refused], [ids.length, 0], name);
        const records = await observationsOf(receipt);
        assert.deepEqual(
          records.map(({ scope_uuid, observation }) => [scope_uuid, observation?.feed]),
          ids.map((id) => [gameUuid('NBA', id), feed]),
          name,
        );
        for (const { scope_uuid } of records) assert.ok(scheduled.has(scope_uuid));
        if (entries === undefined) {
          assert.deepEqual(JSON.parse(records[0]?.observation?.element ?? ''), withoutStamp(body), name);
        }
      }
      assert.equal((await games('NBA')).length, 1_230);
    });

    it('their references are the players of the API, under the ids that rows carry', async () => {
      const named = new Set(
        msfFiles()
          .filter(({ name }) => name.includes('nba') && /playbyplay|lineup/.test(name))
          .flatMap(({ body }) =>
            (body.references as unknown as { playerReferences: { id: number }[] }).playerReferences.map(({ id }) =>
              playerUuid('NBA', id),
            ),
          ),
      );
      const players = async () =>
        ((await getJson(edition, '/v1/players?league=NBA&limit=1000')) as { data: PlayerDocument[] }).data;
      await until('the players are listed', async () => (await players()).length >= named.size);
      assert.deepEqual(new Set((await players()).map(({ id }) => id)), named);
      const horford = (await players()).find(({ last_name }) => last_name === 'Horford');
      assert.deepEqual(horford, {
        id: playerUuid('NBA', 9_082),
        league: 'NBA',
        first_name: 'Al',
        last_name: 'Horford',
        position: 'C',
        jersey_number: 42,
        current_team_id: teamUuid('NBA', 'BOS', 82),
        is_active: true,
      });
    });

    describe('a game that odds have founded', () => {
      const lines = recorded('odds_20240905');
      let uuid: string;
      let gameId: string;

      beforeAll(async () => {
        const outcomes = [
          { name: 'Kansas City Chiefs', price: -150 },
          { name: 'Baltimore Ravens', price: 130 },
        ];
        const markets = [{ key: 'h2h', outcomes }];
        const founding = {
          id: 'odds-event',
          sport_key: 'americanfootball_nfl',
          commence_time: '2024-09-06T00:20:00Z',
          home_team: 'Kansas City Chiefs',
          away_team: 'Baltimore Ravens',
          bookmakers: [{ key: 'draftkings', markets }],
        };
        await accepted(post('/v1/sources/odds/the-odds-api-v4', [founding]), 1);
        const [game, ...others] = await games('NFL');
        assert.deepEqual([game?.id, others], ['NFL_BAL_KC_20240905', []]);
        gameId = String(game?.id);
        uuid = String((await edition.drivers.catalogs.games.find(gameId))?.uuid);
      });

      it('is met by MSF: plays, line-up and lines are its own, and there is one game', async () => {
        assert.notEqual(uuid, gameUuid('NFL', 134_312));
        for (const part of ['playbyplay_20240905', 'game_lineup_20240905']) {
          const { feed, body } = recorded(part);
          const [record] = await observationsOf(await accepted(pushMsf('NFL', feed, body), 1));
          assert.deepEqual([record?.scope_uuid, record?.scope_id], [uuid, gameId]);
        }
        assert.deepEqual(
          (await games('NFL')).map(({ id }) => id),
          [gameId],
        );
      });

      it('takes 627 lines as 306 deltas in their order: a row for each price or line that moved', async () => {
        const found = await folded(await accepted(pushMsf('NFL', 'odds_gamelines', lines.body), 306));
        assert.deepEqual(found.counts, { accepted: 306, applied: 306, duplicates: 0, refused: 0 });
        const rows = (await rowsOf(edition, await manifestOf(edition, gameId))).filter(
          ({ source }) => source === 'feed',
        );
        assert.deepEqual(
          new Map(
            ['BOVADA', '888SPORT'].map((operator) => [
              operator,
              rows.filter((row) => row.operator === operator).length,
            ]),
          ),
          movesOf(lines.body),
        );
      });

      it('knows them again, and counts what is late of them without a dead letter', async () => {
        const before = await letters();
        const again = await folded(await accepted(pushMsf('NFL', 'odds_gamelines', lines.body), 306));
        assert.deepEqual(again.counts, { accepted: 306, applied: 0, duplicates: 306, refused: 0 });
        const late = structuredClone(lines.body) as unknown as {
          gameLines: { lines: { moneyLines: { asOfTime: string }[] }[] }[];
        };
        const moneyLines = late.gameLines[0]?.lines[0]?.moneyLines;
        moneyLines?.push({ ...moneyLines[0]!, asOfTime: '2024-07-01T00:00:00.000Z' });
        const more = await folded(await accepted(pushMsf('NFL', 'odds_gamelines', late), 307));
        assert.deepEqual(more.counts, { accepted: 307, applied: 0, duplicates: 306, refused: 1 });
        assert.deepEqual(
          more.records.filter(({ state }) => state === 'refused').map(({ refusals }) => refusals[0]?.code),
          ['late-observation'],
        );
        assert.equal(await letters(), before);
      });

      it('takes an answer without lines for what it is', async () => {
        await accepted(pushMsf('NFL', 'odds_gamelines', recorded('odds_20240830').body), 0);
      });
    });

    const letters = async (): Promise<number> =>
      (
        await edition.drivers.catalogs.deadLetters.list({
          before: null,
          limit: 10_000,
          code: null,
          source: 'feed',
        })
      ).length;

    it('3 MB of plays are held whole, and their record says where', async () => {
      const { body } = recorded('playbyplay_20171017-BOS-CLE');
      const large = { ...body, note: 'n'.repeat(3_000_000) };
      const receipt = await accepted(pushMsf('NBA', 'playbyplay', large), 1);
      assert.equal((await folded(receipt)).counts.applied, 1);
      const [record] = await observationsOf(receipt);
      const held = record?.observation?.held;
      const bytes = await heldText(edition.drivers.objects, held);
      assert.equal(bytes?.length, held?.size);
      assert.deepEqual(JSON.parse(Buffer.from(bytes!).toString()), withoutStamp(large));
    });

    it('a truncated body amid good ones costs itself: a dead letter with all of it, and nothing in the log', async () => {
      const { body } = recorded('playbyplay_20171017-HOU-GSW');
      const cut = Buffer.from(JSON.stringify(body)).subarray(0, 50_000);
      const before = await logged(topics.observations);
      const refused = await pushMsf('NBA', 'playbyplay', cut);
      assert.equal(refused.status, 400);
      const wrong = await pushMsf('NBA', 'playbyplay', recorded('lineup_20171017-HOU-GSW').body);
      assert.equal(wrong.status, 400);
      assert.equal((await logged(topics.observations)).length, before.length);
      const found = await edition.drivers.catalogs.deadLetters.list({
        before: null,
        limit: 100,
        code: 'bad-body',
        source: 'feed',
      });
      assert.deepEqual(
        found.map(({ topic, pointer }) => [topic, pointer]),
        [
          [topics.observations, '/plays'],
          [topics.observations, ''],
        ],
      );
      const first = found.at(-1);
      const letter = await edition.drivers.catalogs.deadLetters.one(first!.id);
      assert.ok(Buffer.from(letter!.payload).equals(cut));
    });
  });
}

type Bet = Readonly<Record<string, unknown>>;
type Line = { source: { name: string }; [list: string]: unknown };

/**
 * How often each sportsbook moved the price or line of a side, computed without the service's code: −100 and 100 are
 * the same price.
 */
function movesOf(body: JsonObject): Map<string, number> {
  const [{ lines }] = body.gameLines as unknown as [{ lines: Line[] }];
  return new Map(
    lines.map((line): [string, number] => {
      const last = new Map<string, string>();
      let moves = 0;
      for (const { kind, bet } of betsOf(line)) {
        for (const side of ['away', 'home', 'over', 'under']) {
          const american = (bet[`${side}Line`] as { american: number } | undefined)?.american ?? null;
          if (american === null) continue;
          const name = `${kind} ${bet.gameSegment} ${side}`;
          const word = `${american === -100 ? 100 : american} ${bet[`${side}Spread`] ?? bet.overUnder}`;
          if (last.get(name) !== word) moves += 1;
          last.set(name, word);
        }
      }
      return [line.source.name.toUpperCase(), moves];
    }),
  );
}

function betsOf(line: Line): { kind: string; bet: Bet }[] {
  const entries = Object.values(line).flatMap((list) =>
    Array.isArray(list) ? (list as Record<string, unknown>[]) : [],
  );
  return entries
    .sort((a, b) => Date.parse(String(a.asOfTime)) - Date.parse(String(b.asOfTime)))
    .map(({ asOfTime: _, ...bets }) => {
      const [[kind, bet] = ['', {}]] = Object.entries(bets);
      return { kind, bet: bet as Bet };
    });
}
