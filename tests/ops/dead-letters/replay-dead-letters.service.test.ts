// Claim: a replayed dead letter, of the gateway or of a fold, comes into its game at its own time, once, however often it is replayed, and never in
// the place of what came after it; what is old is known to be old at once. A violation would need a record that takes the time of its replay, or
// another push than its own.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { deadLetterTools } from '../../../ops/dead-letters/dead-letter-tools.ts';
import { replayDeadLetters } from '../../../ops/dead-letters/replay-dead-letters.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { image, quote } from '../../support/builders/live-records.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { getRows, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { twoEditions } from '../../support/editions/two-editions.ts';
import { send } from '../../support/http/gateway-http.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const game = 'NBA_BOS_CLE_20260109';
const named = { game_id: game };
const teams = { home_team: 'Cleveland Cavaliers', away_team: 'Boston Celtics' };
const event = { league: 'NBA', event_id: 'e', ...teams, commence_time: '2026-01-10T00:00:00Z' };
const every = { ids: null, code: null, source: null };

for (const [name, skip, prepare] of twoEditions) {
  describe(`replayed dead letters, ${name}`, skipFor(skip), () => {
    it('come into their games at their own times, once', async (t) => {
      const { drop, ...setting } = await prepare();
      const edition = await startEdition({ ...setting, roles: ['api', 'ingest', 'projectors'] });
      t.onTestFinished(async () => {
        await edition.stop();
        await drop();
      });
      const { catalogs, sql, broker } = edition.drivers;
      const replay = async () => {
        const { kind, replayed, left } = await replayAll(edition);
        assert.equal(kind, 'done');
        await everythingFolded(edition);
        return [replayed, [...left]];
      };
      const codes = async (state: string) => {
        const letters = await catalogs.deadLetters.list({ before: null, limit: 100, code: null, source: null });
        return letters.filter((letter) => letter.state === state).map(({ code }) => code);
      };
      const rows = async () => {
        const read = await rowsOf(edition, await manifestOf(edition, game));
        return read.map((row) => [row.operator, row.price_american, row.source]).sort();
      };

      // The game does not exist yet.
      assert.equal(await push(edition, 'feed', 'X', named, -110), 400);
      assert.equal(await push(edition, 'feed', 'Z', named, -110), 400);
      await sql.query(`update dead_letters set received_at = received_at - interval '1 hour'`);
      assert.deepEqual(await replay(), [0, [['bad-event', 2]]], 'the replay is refused as well');
      assert.deepEqual(await codes('open'), ['bad-event', 'bad-event'], 'and makes no further dead letter');
      assert.equal(await push(edition, 'other', 'Y', event, -105), 202);
      assert.equal(await push(edition, 'feed', 'Z', named, -130), 202);
      await everythingFolded(edition);

      assert.deepEqual(await replay(), [2, []]);
      const all = [
        ['X', -110, 'feed'],
        ['Y', -105, 'other'],
        ['Z', -130, 'feed'],
      ];
      assert.deepEqual(await rows(), all, 'a late record changes nothing');
      assert.deepEqual(
        [await codes('replayed'), await codes('open')],
        [['bad-event', 'bad-event'], ['late-observation']],
      );
      assert.deepEqual(await replay(), [0, [['late-observation', 1]]], 'and stays late');
      const manifest = await manifestOf(edition, game);
      const { rows: times } = await sql.query(
        `select received_at from dead_letters where state = 'replayed' order by id`,
      );
      const replayed = (await rowsOf(edition, manifest)).find(({ operator }) => operator === 'X');
      assert.equal(replayed?.timestamp, times[0]?.received_at, 'its own time');
      const board = manifest.board.files.find(({ operator }) => operator === 'X');
      const [quoted] = await getRows(edition, board!.url, 'board');
      assert.equal(quoted?.quote_state, 'stale_suspect');

      // Again, as after a replay that was killed before it marked them.
      await sql.query(`update dead_letters set state = 'open' where state = 'replayed'`);
      await sql.query(`update dead_letters set state = 'discarded' where code = 'late-observation'`);
      assert.deepEqual(await replay(), [2, []]);
      assert.deepEqual(await rows(), all);

      // A record with a wrong key from a producer, without a time of its own.
      await sql.query(`update dead_letters set state = 'discarded'`);
      const { uuid: game_uuid } = (await catalogs.games.find(game))!;
      const direct = image('D', [quote('home', -115)], { source: 'direct' });
      const value = { ...direct, ...{ game_uuid, game_id: game, league: 'NBA', received_at: null } };
      await broker.produce(topics.quotes, [{ key: '11111111-2222-5333-8444-555555555555', value }]);
      await everythingFolded(edition);
      assert.deepEqual(await codes('open'), ['bad-key']);
      for (const round of ['first', 'second']) {
        assert.deepEqual(await replay(), [1, []], round);
        assert.deepEqual(await rows(), [['D', -115, 'direct'], ...all], round);
        await sql.query(`update dead_letters set state = 'open' where state = 'replayed'`);
      }

      // The fold applied this record without one of its parts.
      const partly = image('D', [quote('home', -116), quote('away', 50)], { source: 'direct' });
      await broker.produce(topics.quotes, [{ key: game_uuid, value: { ...value, observation: partly.observation } }]);
      await everythingFolded(edition);
      await sql.query(`update dead_letters set state = 'discarded' where code <> 'bad-price'`);
      assert.deepEqual(await replay(), [0, [['applied-in-part', 1]]]);

      // An element was applied without one of its parts.
      await sql.query(`update dead_letters set state = 'discarded'`);
      assert.equal(
        await push(edition, 'feed', 'Z', named, -131, { market: 'moneyline', selection: 'away', price: {} }),
        202,
      );
      await everythingFolded(edition);
      assert.deepEqual(await replay(), [0, [['applied-in-part', 1]]]);
    });

    it('stay open with what of them is refused once more', async (t) => {
      const { drop, ...setting } = await prepare();
      const edition = await startEdition({ ...setting, roles: ['api', 'ingest', 'projectors'] });
      t.onTestFinished(async () => {
        await edition.stop();
        await drop();
      });
      const { catalogs } = edition.drivers;
      const replay = async () => {
        const { replayed, left } = await replayAll(edition);
        await everythingFolded(edition);
        return [replayed, [...left]];
      };
      const letters = async () => {
        const listed = await catalogs.deadLetters.list({ before: null, limit: 100, code: null, source: null });
        return listed.map(({ code, pointer, state, game_id }) => [code, pointer, state, game_id]);
      };
      const operators = async () => {
        const read = await rowsOf(edition, await manifestOf(edition, game));
        return read.map(({ operator, selection }) => `${operator} ${selection}`).sort();
      };
      const bad = (selection: string) => ({ market: 'moneyline', selection, price: {} });

      // The whole event is refused for its game, so nothing is said about its quotes; a bad one among them has no dead
      // letter of its own yet.
      assert.equal(await push(edition, 'feed', 'X', named, -110, bad('away'), bad('draw')), 400);
      assert.equal(await push(edition, 'other', 'Y', event, -105), 202);
      await everythingFolded(edition);
      const none = ['bad-event', '/game/game_id', 'replayed', null];
      const parts = [
        ['bad-price', '/quotes/1/price', 'open', game],
        ['bad-price', '/quotes/2/price', 'open', game],
      ];
      assert.deepEqual(await replay(), [1, [['bad-price', 2]]]);
      assert.deepEqual(await letters(), [...parts.toReversed(), none]);
      assert.deepEqual(await operators(), ['X home', 'Y home']);
      assert.deepEqual(await replay(), [0, [['applied-in-part', 2]]], 'as a duplicate it would bring neither');

      // An event whose sender asked to refuse what is probably a mistake.
      const strange = { ...event, event_id: 'strange', home_team: 'Nobody' };
      assert.equal(await push(edition, 'feed?strict=true', 'X', strange, -110), 400);
      const left = [
        ['applied-in-part', 2],
        ['unknown-team', 1],
      ];
      assert.deepEqual(await replay(), [0, left]);
      const games = await catalogs.games.list({ ...anyGame, league: 'NBA', limit: 10 });
      assert.equal(games.length, 1, 'and no game is founded');
    });
  });
}

async function replayAll({ drivers }: Edition) {
  const { catalogs, broker, objects } = drivers;
  const session = { catalogs, settings: readSettings({}), interrupted: new AbortController().signal };
  const opened = { ...session, broker: async () => broker, objects: async () => objects };
  const tools = await deadLetterTools(opened, async () => true);
  return replayDeadLetters(tools, every, () => {});
}

async function push(
  edition: Edition,
  source: string,
  operator: string,
  of: object,
  american: number,
  ...more: readonly object[]
): Promise<number> {
  const quotes = [{ market: 'moneyline', selection: 'home', price: { american } }, ...more];
  const [name, query = ''] = source.split('?');
  const answer = await send(`${edition.ingestUrl}/v1/sources/${name}/quotes?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await edition.feedKey(['push'])}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ kind: 'image', operator, game: of, quotes }] }),
  });
  return answer.status;
}
