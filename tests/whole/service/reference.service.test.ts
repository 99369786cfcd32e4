// Reference data through the whole service, in both editions: pushed, durable in the log, folded into the catalog, listed by the API. Sentences
// of docs/operations.md#push-gateway; docs/interface.md#player; docs/interface.md#team.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ownId } from '../../../core/reference/identify.ts';
import type { GamesRecord } from '../../../schemas/events/games.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { GameDocument } from '../../../schemas/http/games.ts';
import type { PlayerDocument, TeamDocument } from '../../../schemas/http/reference.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { type Setting, sampledEditions } from '../../support/editions/two-editions.ts';
import { event, quote, type Reply, send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`reference data, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let edition: Edition;
    let key: string;

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition(options);
      key = await edition.feedKey(['push', 'reference']);
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    const push = (body: unknown, source = 'feed', headers: Record<string, string> = {}): Promise<Reply> =>
      send(`${edition.ingestUrl}/v1/sources/${source}/reference`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const list = async <Item>(path: string): Promise<Item[]> =>
      ((await getJson(edition, path)) as { data: Item[] }).data;

    /** Pushes a body that is accepted as a whole, and waits until its receipt says that it is applied. */
    async function applied(body: unknown, source = 'feed'): Promise<void> {
      const { status, body: answer } = await push(body, source);
      assert.equal(status, 202, JSON.stringify(answer));
      assert.deepEqual((answer as { rejected: unknown[] }).rejected, []);
      const { receipt } = answer as { receipt: string };
      await until('the push is applied', async () => {
        const { body: state } = await send(`${edition.ingestUrl}/v1/receipts/${receipt}`, {
          method: 'GET',
          headers: { authorization: `Bearer ${key}` },
        });
        return (state as { state: string }).state === 'applied';
      });
    }

    it('a pushed player is in /v1/players, its id the UUIDv5 of <source>/player/<LEAGUE>/<id>', async () => {
      await applied({
        players: [
          {
            id: 71,
            league: 'NBA',
            first_name: 'Al',
            last_name: 'Horford',
            position: 'C',
            jersey_number: 42,
            team: 'BOS',
          },
          { id: 'fa', league: 'nba', last_name: 'Nene' },
        ],
      });
      const [boston] = (await list<TeamDocument>('/v1/teams?league=NBA')).filter(
        ({ abbreviation }) => abbreviation === 'BOS',
      );
      const players = await list<PlayerDocument>('/v1/players?league=NBA');
      assert.deepEqual(
        players.find(({ last_name }) => last_name === 'Horford'),
        {
          id: ownId('feed', 'player', 'NBA', '71'),
          league: 'NBA',
          first_name: 'Al',
          last_name: 'Horford',
          position: 'C',
          jersey_number: 42,
          current_team_id: boston?.id,
          is_active: true,
        },
      );
      const agent = players.find(({ last_name }) => last_name === 'Nene');
      assert.deepEqual(
        [agent?.position, agent?.jersey_number, agent?.current_team_id],
        [null, null, null],
        'null when unknown, null for free agents',
      );
      assert.deepEqual(
        (await list<PlayerDocument>(`/v1/players?team_id=${boston?.id.toUpperCase()}`)).map(
          ({ last_name }) => last_name,
        ),
        ['Horford'],
      );
    });

    it('upserts by (source, source id): the newest whole record counts, another source has players of its own', async () => {
      const player = {
        id: 'u1',
        league: 'NHL',
        first_name: 'A',
        last_name: 'Upserted',
        position: 'C',
        jersey_number: 9,
      };
      await applied({ players: [player] });
      await applied({ players: [{ ...player, position: null, is_active: false }] });
      await applied({ players: [{ ...player, last_name: 'Other' }] }, 'feed-2');
      assert.deepEqual(
        (await list<PlayerDocument>('/v1/players?league=NHL'))
          .map(({ id, last_name, position, is_active }) => [id, last_name, position, is_active])
          .sort((a, b) => (String(a[1]) > String(b[1]) ? 1 : -1)),
        [
          [ownId('feed-2', 'player', 'NHL', 'u1'), 'Other', 'C', true],
          [ownId('feed', 'player', 'NHL', 'u1'), 'Upserted', null, false],
        ],
      );
    });

    it('two sources can share a player: what is said of it is its founder’s to say', async () => {
      const shared = ownId('feed', 'player', 'MLB', 's1');
      await applied({ players: [{ id: 's1', league: 'MLB', last_name: 'Shared' }] });
      await applied({ players: [{ id: 'x9', league: 'MLB', last_name: 'Renamed', player_id: shared }] }, 'feed-2');
      assert.deepEqual(
        (await list<PlayerDocument>('/v1/players?league=MLB')).map(({ id, last_name }) => [id, last_name]),
        [[shared, 'Shared']],
      );
      const refused = await push(
        { players: [{ id: 'x9', league: 'MLB', last_name: 'X', player_id: ownId('a', 'player', 'MLB', 'b') }] },
        'feed-2',
      );
      assert.equal(codeOf(refused), 'unknown-player');
    });

    it('a record that is wrong, or of a team that nobody knows, costs itself alone and says so', async () => {
      const good = { id: 'g', league: 'NFL', last_name: 'Good' };
      const { status, body } = await push({
        players: [good, { ...good, id: 'b', team: 'Nowhere Nobodies' }, { ...good, id: 'c', league: 'XFL' }, 7],
      });
      assert.equal(status, 202);
      assert.deepEqual(
        (body as { accepted: number; rejected: object[] }).rejected.map((each) => ({ ...each, detail: null })),
        [
          { index: 1, pointer: '/team', code: 'unknown-team', detail: null },
          { index: 2, pointer: '/league', code: 'bad-player', detail: null },
          { index: 3, pointer: '', code: 'bad-player', detail: null },
        ].sort((a, b) => a.index - b.index),
      );
      const letters = await edition.drivers.catalogs.deadLetters.list({
        before: null,
        limit: 100,
        code: 'unknown-team',
        source: 'feed',
      });
      assert.deepEqual(
        letters.map(({ topic, pointer }) => [topic, pointer]),
        [[topics.games, '/team']],
      );
    });

    it('a team is found by name, abbreviation or alias, and gains the names that the source gives it', async () => {
      await applied({
        teams: [
          { id: 't1', league: 'MLB', name: 'The Bronx Bombers', abbreviation: 'NYY', city: 'Elsewhere' },
          { id: 't2', league: 'NCAAM', name: 'Nowhere State', abbreviation: 'NWST', conference: 'Big Nothing' },
        ],
      });
      const yankees = (await list<TeamDocument>('/v1/teams?league=MLB')).find(
        ({ abbreviation }) => abbreviation === 'NYY',
      );
      assert.deepEqual(
        [yankees?.name, yankees?.city],
        ['New York Yankees', 'New York'],
        'the reference table’s facts stay',
      );
      const [college] = (await list<TeamDocument>('/v1/teams?league=ncaam')).filter(
        ({ name }) => name === 'Nowhere State',
      );
      assert.deepEqual([college?.abbreviation, college?.conference], ['NOWHERESTATE', 'Big Nothing']);
      await applied({ players: [{ id: 'tp', league: 'NCAAM', last_name: 'Student', team_id: 't2' }] });
      assert.deepEqual(
        (await list<PlayerDocument>(`/v1/players?team_id=${college?.id}`)).map(({ last_name }) => last_name),
        ['Student'],
      );
    });

    it('games that waited for a name are minted', async () => {
      const named = event({
        game: {
          league: 'NFL',
          event_id: 'waiting',
          home_team: 'Philadelphia Eagles',
          away_team: 'Gotham Rogues',
          commence_time: '2032-01-05T18:00:00Z',
        },
      });
      const quotes = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events: [named] }),
      });
      assert.equal(quotes.status, 202);
      const ofDay = '/v1/games?date_from=2032-01-05&date_to=2032-01-05';
      const [waiting] = await list<GameDocument>(ofDay);
      assert.deepEqual([waiting?.away_team, waiting?.away_team_id], ['Gotham Rogues', null]);
      await applied({ teams: [{ id: 'gr', league: 'NFL', name: 'Gotham Rogues', abbreviation: 'GOT' }] });
      const [minted] = await list<GameDocument>(ofDay);
      assert.deepEqual(
        [minted?.id, minted?.away_team_abbreviation, minted?.away_team_id],
        ['NFL_GOT_PHI_20320105', 'GOT', ownId('feed', 'team', 'NFL', 'gr')],
      );
    });

    it('202 only after the broker has it durably: what was acknowledged is on sds.games.v1 under its key', async () => {
      const { body } = await push({ venues: [{ id: 3, league: 'NFL', name: 'The Field', city: 'Gotham' }] });
      const found: { key: string | null; value: GamesRecord }[] = [];
      const { broker } = edition.drivers;
      for (const { partition, low, high } of await broker.watermarks(topics.games)) {
        for await (const batch of broker.read(topics.games, partition, low, high)) {
          for (const { key: name, value } of batch.records) found.push({ key: name, value: value as GamesRecord });
        }
      }
      const record = found.find(({ value }) => value.push === (body as { receipt: string }).receipt);
      assert.equal(record?.key, ownId('feed', 'venue', 'NFL', '3'));
      assert.deepEqual(record?.value.venue, { name: 'The Field', city: 'Gotham', country: null });
    });

    it('a used Idempotency-Key with the same body answers the first receipt with all as duplicates', async () => {
      const body = { players: [{ id: 'i1', league: 'NBA', last_name: 'Once' }] };
      const first = await push(body, 'feed', { 'idempotency-key': 'k1' });
      const again = await push(body, 'feed', { 'idempotency-key': 'k1' });
      const { receipt } = first.body as { receipt: string };
      assert.deepEqual(again.body, { receipt, accepted: 0, duplicates: 1, rejected: [] });
      const other = await push({ players: [] }, 'feed', { 'idempotency-key': 'k1' });
      assert.equal(other.status, 400);
    });

    it('a quote’s player_id may be the source’s own id, resolved at ingest; one that cannot be resolved is null', async () => {
      await applied({ players: [{ id: 'q1', league: 'NFL', last_name: 'Quoted', team: 'PHI' }] });
      const own = ownId('feed', 'player', 'NFL', 'q1');
      const of = (player: string, player_id: string) =>
        quote({ market: 'player_points', selection: 'over', line: 21.5, player, player_id });
      const game = { ...(event().game as object), event_id: 'quoted', commence_time: '2033-01-05T18:00:00Z' };
      const pushed = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events: [event({ game, quotes: [of('A', 'q1'), of('B', own), of('C', 'q2')] })] }),
      });
      assert.deepEqual([pushed.status, pushed.body.accepted], [202, 1]);
      const id = 'NFL_DET_PHI_20330105';
      await until('the rows are served', async () => (await manifestOf(edition, id)).segments.length > 0);
      const rows = await rowsOf(edition, await manifestOf(edition, id));
      assert.deepEqual(
        rows.map((row) => [row.selection_id, row.player_id]),
        [
          ['player_points/full/over/A', own],
          ['player_points/full/over/B', own],
          ['player_points/full/over/C', null],
        ],
      );
    });

    it('a record put on the topic directly is treated as hostile: refused ones become dead letters', async () => {
      const { broker, catalogs } = edition.drivers;
      const record: GamesRecord = {
        id: ownId('direct', 'player', 'NBA', '1'),
        league: 'NBA',
        source: 'direct',
        source_id: '1',
        received_at: null,
        push: null,
        push_index: null,
        team: null,
        player: {
          first_name: '',
          last_name: 'Direct',
          position: null,
          jersey_number: null,
          current_team_id: null,
          is_active: true,
        },
        venue: null,
      };
      const team = {
        ...record.player,
        current_team_id: ownId('direct', 'team', 'NBA', 'none'),
      } as GamesRecord['player'];
      await broker.produce(topics.games, [
        { key: 'someone-else', value: record },
        { key: record.id, value: { ...record, player: null } },
        { key: record.id, value: { ...record, player: team } },
        { key: record.id, value: record },
      ]);
      await until('the good record is listed', async () =>
        (await list<PlayerDocument>('/v1/players')).some(({ last_name }) => last_name === 'Direct'),
      );
      await until('three dead letters', async () => {
        const letters = await catalogs.deadLetters.list({
          before: null,
          limit: 100,
          code: null,
          source: 'direct',
        });
        return letters.length === 3;
      });
      const letters = await catalogs.deadLetters.list({ before: null, limit: 100, code: null, source: 'direct' });
      assert.deepEqual(letters.map(({ code }) => code).sort(), ['bad-key', 'bad-record', 'unknown-team']);
    });
  });
}

function codeOf({ body }: Reply): string | undefined {
  return (body as { rejected?: { code: string }[] }).rejected?.[0]?.code;
}
