// The names and games of one source must not change the events of another: on real PostgreSQL, with pushes of a hostile source before an
// honest one.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import type { CheckpointsCatalog } from '../../../core/ports/catalog/checkpoints.ts';
import {
  anyGame,
  type CatalogTeam,
  type GameLookup,
  type GamesCatalog,
  type Resolution,
} from '../../../core/ports/catalog/games.ts';
import type { ReferenceCatalog } from '../../../core/ports/catalog/reference.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { ownId } from '../../../core/reference/identify.ts';
import type { ReferenceElement } from '../../../core/reference/types.ts';
import { BoxScore } from '../../../core/settlement/box-score.ts';
import { PlayerNames } from '../../../core/settlement/player-names.ts';
import { type Micros, microsPerHour } from '../../../core/units.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import { openReferenceCatalog } from '../../../platform/postgres/reference-catalog.ts';
import { openSettlementCatalog } from '../../../platform/postgres/settlement-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import type { GamesRecord, TeamFacts } from '../../../schemas/events/games.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Event = Extract<GameLookup, { by: 'event' }>;

const start = Date.UTC(2026, 8, 6, 17) * 1000;
let days = 0;

/** An event on a day of its own. */
function event(eventId: string, homeTeam: string, awayTeam: string, league = 'NFL'): Event {
  days += 3;
  return { by: 'event', league, eventId, homeTeam, awayTeam, commenceTime: start + days * 24 * microsPerHour };
}

const noFacts = { abbreviation: null, city: null, nickname: null, conference: null, division: null, is_active: null };
const facts = (name: string, aliases: string[], more: Partial<TeamFacts> = {}): TeamFacts => {
  return { ...noFacts, name, aliases, ...more };
};

for (const server of await allTestServers()) {
  describe(`sources beside each other on ${server.name}`, skipFor(server.skip), () => {
    const stream = { projector: 'reference', topic: 'sds.games.v1', partition: 0 };
    let sql: Sql;
    let games: GamesCatalog;
    let reference: ReferenceCatalog;
    let checkpoints: CheckpointsCatalog;
    let offset = 0;
    let ownerEpoch = 0;
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      games = openGamesCatalog(sql);
      reference = openReferenceCatalog(sql);
      checkpoints = openCheckpointsCatalog(sql);
      await games.seedTeams();
      ({ ownerEpoch } = await checkpoints.claim(stream, 'test'));
    });

    const one = async (source: string, asked: GameLookup): Promise<Resolution> =>
      (await games.resolve(source, [asked]))[0] as Resolution;
    const idOf = (answer: Resolution) =>
      answer.kind === 'refused'
        ? answer.code
        : answer.game.gameId === answer.game.uuid
          ? 'unminted'
          : answer.game.gameId;
    const warned = /^unminted$/;

    /** Pushes a team's reference data and folds it. */
    async function pushTeam(source: string, league: string, sourceId: string, facts: TeamFacts): Promise<string> {
      const element: ReferenceElement = { kind: 'team', league, sourceId, facts };
      const [identity] = await reference.identify(source, [element]);
      assert.ok(identity?.kind === 'identified', JSON.stringify(identity));
      const at = { received_at: 1, push: null, push_index: null, player: null, venue: null };
      const record: GamesRecord = { ...at, id: identity.id, league, source, source_id: sourceId, team: facts };
      await commit([record]);
      return identity.id;
    }
    async function commit(records: readonly GamesRecord[]): Promise<void> {
      const nothing = { objects: [], released: [], deadLetters: [], receipts: [] };
      const answer = await reference.commit({
        ...nothing,
        stream,
        ownerEpoch,
        from: offset,
        to: offset + records.length,
        foldDigest: '',
        snapshot: null,
        logVersion: null,
        records: records.map((record, at) => ({ offset: offset + at, record })),
      });
      assert.equal(answer, 'committed');
      offset += records.length;
    }
    const teamsOf = async (league: string): Promise<readonly CatalogTeam[]> =>
      await reference.teams({ league, after: null, limit: 1_000 });

    describe('players that a source tells of', () => {
      const none = { position: null, jersey_number: null, is_active: true };
      const at = { received_at: 1, push: null, push_index: null, team: null, venue: null };
      async function pushPlayer(source: string, sourceId: string, first: string, last: string): Promise<void> {
        const facts = { ...none, first_name: first, last_name: last };
        const team = { by: 'name', name: 'PHI' } as const;
        const element = { kind: 'player', league: 'NFL', sourceId, facts, team, playerId: null } as const;
        const [identity] = await reference.identify(source, [element]);
        assert.ok(identity?.kind === 'identified', JSON.stringify(identity));
        const player = { ...facts, current_team_id: identity.currentTeamId };
        await commit([{ ...at, id: identity.id, league: 'NFL', source, source_id: sourceId, player }]);
      }

      it('do not change which players the bets of other sources mean', async () => {
        await pushPlayer('msf', '901', 'Ann', 'Lee');
        const team = (await teamsOf('NFL')).find(({ abbreviation }) => abbreviation === 'PHI')?.id as string;
        const found = async () => {
          const players = await openSettlementCatalog(sql).players([team], []);
          const names = new PlayerNames(
            players,
            new BoxScore(null, { homeTeamId: team, awayTeamId: null }),
            new Set([team]),
          );
          return ['Ann Lee', 'Bo Ray'].map(
            (name) => names.find({ selectionId: `player_points/full/over/${name}`, line: null })?.id ?? null,
          );
        };
        const before = await found();
        assert.deepEqual(before, [ownId('msf', 'player', 'NFL', '901'), null]);
        await pushPlayer('hostile', 'x1', 'Ann', 'Lee');
        await pushPlayer('hostile', 'x2', 'Bo', 'Ray');
        assert.deepEqual(await found(), before);
      });
    });

    describe('names that a source tells of a team', () => {
      it('find it for that source alone, until the administrator says that they hold for all', async () => {
        const honest = idOf(await one('honest', event('h1', 'Motor City', 'PHI')));
        assert.match(honest, warned);
        await pushTeam('hostile', 'NFL', 'x', facts('Kansas City Chiefs', ['Motor City']));
        assert.match(idOf(await one('hostile', event('x1', 'Motor City', 'PHI'))), /^NFL_PHI_KC_/);
        const after = await one('honest', event('h2', 'Motor City', 'PHI'));
        assert.match(idOf(after), warned, 'a name that another source gave');
        assert.deepEqual(await games.reportedNames('NFL', true), [
          { league: 'NFL', name: 'Motor City', source: 'hostile', abbreviation: 'KC', forAll: null },
        ]);
        const minted = await games.addAlias('NFL', 'motor city', 'DET');
        assert.equal(minted?.minted.length, 2);
        assert.ok(minted?.minted.every((id) => id.startsWith('NFL_PHI_DET_')));
        assert.match(idOf(await one('honest', event('h3', 'Motor City', 'PHI'))), /^NFL_PHI_DET_/);
        const overruled = idOf(await one('hostile', event('x2', 'Motor City', 'PHI')));
        assert.match(overruled, /^NFL_PHI_DET_/, 'a name for all sources overrides that of one source');
        assert.deepEqual(
          (await games.reportedNames('NFL', true)).map(({ forAll }) => forAll),
          ['DET'],
        );
      });

      it('mint the games of that source alone', async () => {
        const [mine, theirs] = [event('w1', 'The Pack', 'CHI'), event('w1', 'The Pack', 'CHI')];
        assert.match(idOf(await one('minting', mine)), warned);
        assert.match(idOf(await one('waiting', theirs)), warned);
        await pushTeam('minting', 'NFL', 'gb', facts('GB', ['The Pack']));
        assert.match(idOf(await one('minting', mine)), /^NFL_CHI_GB_/);
        const still = await one('waiting', theirs);
        assert.ok(still.kind === 'resolved' && still.game.gameId === still.game.uuid);
      });

      it('are those of its newest words, in whatever order its teams are told', async () => {
        await pushTeam('renaming', 'NFL', 'a', facts('Buffalo Bills', ['Herd', 'Old']));
        await pushTeam('renaming', 'NFL', 'a', facts('Buffalo Bills', ['Herd']));
        await pushTeam('renaming', 'NFL', 'b', facts('Miami Dolphins', ['Fins', 'Twice']));
        await pushTeam('renaming', 'NFL', 'c', facts('New York Jets', ['Twice']));
        const named = await games.teamsNamed('renaming', 'NFL', ['Herd', 'Old', 'Fins', 'Twice']);
        assert.deepEqual(
          [...named.keys()],
          ['Herd', 'Fins'],
          'one that it gave up, and one that it gives to two teams',
        );
      });

      it('do not change for it when another source brings a college of that name into being', async () => {
        await pushTeam('campus', 'NCAAM', '1', facts('Real State', ['Real St.']));
        const first = idOf(await one('campus', event('c1', 'Real St.', 'Elsewhere', 'NCAAM')));
        assert.match(first, /_REALSTATE_/);
        assert.match(idOf(await one('squatter', event('s1', 'Real St.', 'Elsewhere', 'NCAAM'))), /_REALST_/);
        assert.match(idOf(await one('campus', event('c2', 'Real St.', 'Elsewhere', 'NCAAM'))), /_REALSTATE_/);
        await games.addAlias('NCAAM', 'Real St.', 'REALSTATE');
        assert.match(idOf(await one('squatter', event('s2', 'Real St.', 'Elsewhere', 'NCAAM'))), /_REALSTATE_/);
      });
    });

    describe('a team that a source founds', () => {
      it('is found by its founder alone, and is described by it alone', async () => {
        const id = await pushTeam(
          'founder',
          'NFL',
          '9',
          facts('Oakland Ghosts', [], { abbreviation: 'OGH', city: 'Oakland' }),
        );
        assert.equal(id, ownId('founder', 'team', 'NFL', '9'));
        assert.match(idOf(await one('founder', event('f1', 'Oakland Ghosts', 'PHI'))), /^NFL_PHI_OGH_/);
        assert.match(idOf(await one('founder', event('f2', 'ogh', 'PHI'))), /^NFL_PHI_OGH_/);
        assert.match(idOf(await one('neighbour', event('n1', 'Oakland Ghosts', 'PHI'))), warned);
        const at = { received_at: 1, push: null, push_index: null, player: null, venue: null };
        const team = facts('Oakland Ghosts', ['Bogus'], { city: 'Bogus' });
        await commit([{ ...at, id, league: 'NFL', source: 'neighbour', source_id: 'z', team }]);
        assert.equal((await teamsOf('NFL')).find((each) => each.id === id)?.city, 'Oakland');
        const taken = {
          kind: 'team',
          league: 'NFL',
          sourceId: 'q',
          facts: facts('Ogres', [], { abbreviation: 'OGH' }),
        } as const;
        const [refusal] = await reference.identify('neighbour', [taken]);
        assert.match(
          refusal?.kind === 'refused' ? refusal.refusal.detail : '',
          /another team.*OGH.*sds teams alias NFL "Ogres" OGH/,
        );
        const found = await games.list({ ...anyGame, league: 'NFL', team: 'oakland GHOSTS', limit: 10 });
        assert.equal(found.length, 3, 'the games of a team are listed by its name, and the neighbour has named it too');
      });

      it('gives up its abbreviation when the reference table needs it', async () => {
        await sql.query(`update teams set abbreviation = 'OLD' where league = 'NFL' and abbreviation = 'PIT'`);
        await sql.query(`update teams set abbreviation = 'PIT' where league = 'NFL' and abbreviation = 'OGH'`);
        await sql.query(
          `update games set home_team_id = null where home_team_id = (select id from teams where abbreviation = 'OLD')`,
        );
        await sql.query(`delete from team_names where team_id = (select id from teams where abbreviation = 'OLD')`);
        await sql.query(`delete from teams where abbreviation = 'OLD'`);
        await games.seedTeams();
        const all = await teamsOf('NFL');
        assert.deepEqual(
          all.filter(({ abbreviation }) => abbreviation === 'PIT').map(({ name }) => name),
          ['Pittsburgh Steelers'],
        );
        assert.match(all.find(({ name }) => name === 'Oakland Ghosts')?.abbreviation ?? '', /^PIT[0-9A-F]{6}$/);
      });

      it('of a college, is described by MSF, else by the first that did', async () => {
        const described = async () => (await teamsOf('NCAAM')).find(({ name }) => name === 'Talked About')?.city;
        await pushTeam('first', 'NCAAM', '1', facts('Talked About', [], { city: 'Here' }));
        await pushTeam('second', 'NCAAM', '2', facts('Talked About', [], { city: 'There' }));
        assert.equal(await described(), 'Here');
        await pushTeam(
          'msf',
          'NCAAM',
          '3',
          facts('Talked About', [], { abbreviation: 'TALKEDABOUT', city: 'MSF City' }),
        );
        await pushTeam('first', 'NCAAM', '1', facts('Talked About', [], { city: 'Here again' }));
        assert.equal(await described(), 'MSF City');
      });
    });

    describe('a game that stands the wrong way round', () => {
      it('keeps the true one away until its event is taken from it', async () => {
        const true_ = event('t1', 'DEN', 'SEA');
        const wrong = { ...true_, eventId: 'w1', homeTeam: 'SEA', awayTeam: 'DEN' };
        const founded = await one('wrong', wrong);
        assert.ok(founded.kind === 'resolved');
        const refused = await one('right', true_);
        assert.ok(refused.kind === 'refused' && refused.code === 'game-conflict');
        assert.match(refused.detail, /which wrong founded.*sds games unbind wrong "w1" --yes/);
        assert.deepEqual(
          (await games.eventsOf(founded.game.uuid)).map(({ source }) => source),
          ['wrong'],
        );
        assert.equal(await games.unbind('wrong', 'w1', 'an administrator'), founded.game.uuid);
        assert.equal(await games.unbind('wrong', 'w1', 'an administrator'), null, 'it is bound to none any more');
        assert.deepEqual(
          (await sql.query(`select actor, subject, detail from audit where action = 'games unbind'`)).rows,
          [{ actor: 'an administrator', subject: founded.game.gameId, detail: { source: 'wrong', event_id: 'w1' } }],
        );
        assert.match(idOf(await one('right', true_)), /^NFL_SEA_DEN_/);
        assert.equal(idOf(await one('wrong', wrong)), 'game-conflict');
        assert.equal(
          idOf(await one('wrong', { ...wrong, homeTeam: 'DEN', awayTeam: 'SEA' })),
          idOf(await one('right', true_)),
        );
        assert.equal((await games.find(founded.game.uuid))?.gameId, founded.game.gameId, 'what was founded stays');
      });

      it('is taken up again by its event where it was right, and left for another where it was not', async () => {
        const asked = event('r1', 'LAR', 'LAC');
        const first = await one('taken', asked);
        await games.unbind('taken', 'r1', 'a');
        assert.deepEqual(idOf(await one('taken', asked)), idOf(first));
        await games.unbind('taken', 'r1', 'a');
        const turned = { ...asked, homeTeam: 'LAC', awayTeam: 'LAR' };
        const second = await one('taken', turned);
        assert.match(idOf(second), /^NFL_LAR_LAC_/);
        assert.equal(idOf(await one('taken', turned)), idOf(second));
      });
    });

    it('a status by hand moves the game, tells the folds that depend on it and leaves an audit row, or does nothing', async () => {
      const founded = await one('by-hand', event('h1', 'ATL', 'CAR'));
      assert.ok(founded.kind === 'resolved');
      const { game } = founded;
      const { uuid, gameId, league } = game;
      const move = { game, to: 'POSTPONED', actor: 'a' } as const;
      const recordsAt = (at: Micros) => {
        const toQuotes = { ...blankRecord(game, 'service', at), status: { status: 'POSTPONED', at } };
        const frame = blankObservations({ uuid, id: gameId, league }, 'service', at);
        return [toQuotes, { ...frame, status: { from: 'SCHEDULED', to: 'POSTPONED', at } }];
      };
      const waiting = async () => {
        const outbox = openOutboxCatalog(sql);
        const both = [...(await outbox.quotes(10_000)), ...(await outbox.observations(10_000))];
        return both.flatMap(({ value }) => (JSON.stringify(value).includes(uuid) ? [value] : []));
      };
      assert.equal(await games.moveStatus({ ...move, from: 'STARTED' }), false);
      assert.deepEqual([(await games.find(uuid))?.status, await waiting()], ['SCHEDULED', []]);
      const live = openLiveCatalog(sql);
      const before = await live.now();
      assert.equal(await games.moveStatus({ ...move, from: 'SCHEDULED' }), true);
      const records = await waiting();
      const at = records[0]?.status?.at ?? 0;
      assert.ok(before < at && at < (await live.now()), 'by the clock of the catalog');
      assert.deepEqual([(await games.find(uuid))?.status, records], ['POSTPONED', recordsAt(at)]);
      const { rows } = await sql.query(`select actor, subject, detail from audit where action = 'games status'`);
      assert.deepEqual(rows, [{ actor: 'a', subject: gameId, detail: { from: 'SCHEDULED', to: 'POSTPONED' } }]);
    });

    it('a gateway forgets the game of an event as soon as another process takes it away', async () => {
      const gateway = openGamesCatalog(sql);
      const stop = await gateway.watchUnbound();
      const asked = event('m1', 'MIN', 'GB');
      const push = async (change: Partial<Event> = {}) =>
        (await gateway.resolve('memory', [{ ...asked, ...change }]))[0];
      const first = await push();
      assert.ok(first?.kind === 'resolved');
      await gateway.startsLogged([first.game.uuid]);
      await push();
      assert.deepEqual(
        await push({ homeTeam: 'CHI' }),
        await push(),
        'the event keeps its game, whatever the push says',
      );
      // Listens after the gateway does, so that it receives a notice after it.
      const noticed = Promise.withResolvers<void>();
      const deaf = await sql.listen(
        'bindings',
        () => noticed.resolve(),
        () => {},
      );
      await games.unbind('memory', 'm1', 'a');
      await noticed.promise;
      const answer = await push({ homeTeam: 'CHI' });
      const found = answer?.kind === 'resolved' ? answer.game.gameId : '';
      assert.match(found, /^NFL_GB_CHI_/);
      await Promise.all([stop(), deaf()]);
    });

    it('a source founds 5,000 games on a UTC day, those of MSF counting as its own, and the next day again', async () => {
      const many = (count: number, from: number) =>
        Array.from({ length: count }, (_, nth) => event(`g${from + nth}`, 'BAL', 'CIN'));
      const first = await games.resolve('flood', many(4_990, 0));
      assert.ok(first.every((each) => each.kind === 'resolved'));
      const asMsf = await games.resolve('msf', many(15, 4_990), { source: 'flood', key: null });
      assert.deepEqual(
        asMsf.map(({ kind }) => kind),
        [...Array(10).fill('resolved'), ...Array(5).fill('refused')],
      );
      const refused = await one('flood', event('beyond', 'BAL', 'CIN'));
      assert.ok(refused.kind === 'refused' && refused.code === 'too-many-games');
      assert.equal((await one('other', event('o', 'BAL', 'CIN'))).kind, 'resolved');
      await sql.query(`update games_founded set day = day - 1 where source = 'flood'`);
      assert.equal((await one('flood', event('next day', 'BAL', 'CIN'))).kind, 'resolved');
      assert.deepEqual((await sql.query(`select games from games_founded where source = 'flood'`)).rows, [
        { games: 1 },
      ]);
    });

    it('a feed key founds as many games on a UTC day as its quota says, over all its sources', async () => {
      const key = { id: 'fkey_founder', most: 10 };
      const found = (source: string, count: number, from: number, of = key) =>
        games.resolve(
          source,
          Array.from({ length: count }, (_, nth) => event(`k${from + nth}`, 'BAL', 'CIN')),
          { source, key: of },
        );
      const first = [...(await found('one', 6, 0)), ...(await found('two', 6, 6))];
      assert.deepEqual(
        first.map(({ kind }) => kind),
        [...Array(10).fill('resolved'), ...Array(2).fill('refused')],
      );
      const refused = first.at(-1);
      assert.ok(refused?.kind === 'refused' && refused.code === 'too-many-games');
      assert.match(refused.detail, /the feed key has founded 10 games on this UTC day.*SDS_FEED_QUOTAS.*midnight UTC/);
      const [other] = await found('two', 1, 12, { id: 'fkey_other', most: 10 });
      assert.equal(other?.kind, 'resolved', 'another key has its own');
      const { rows } = await sql.query(`select name, amount from feed_key_days where feed_key_id = 'fkey_founder'`);
      assert.deepEqual(rows, [{ name: 'games', amount: 10 }]);
      await sql.query(`update feed_key_days set day = day - 1 where feed_key_id = 'fkey_founder'`);
      assert.equal((await found('one', 1, 13))[0]?.kind, 'resolved');
    });

    it('invented colleges cost a real one its first abbreviations, never its own, and a hundred of them a few questions', async () => {
      const squat = Array.from({ length: 99 }, (_, nth) =>
        event(`q${nth}`, `Gonzaga University ${'*'.repeat(nth)}`, 'X', 'NCAAM'),
      );
      assert.ok((await games.resolve('squatter', squat)).every((each) => each.kind === 'resolved'));
      let asked = 0;
      const counting: Sql = {
        ...sql,
        transaction: (work) =>
          sql.transaction((tx) =>
            work({
              ...tx,
              query: (...args) => {
                asked += 1;
                return tx.query(...args);
              },
            }),
          ),
      };
      const names = Array.from({ length: 200 }, (_, nth) => `Gonzaga University Bulldogs ${nth}`);
      const answers = await openGamesCatalog(counting).resolve(
        'honest',
        names.map((name, nth) => event(`b${nth}`, name, 'X', 'NCAAM')),
      );
      const ids = answers.map(idOf);
      assert.equal(new Set(ids.map((id) => id.split('_')[2])).size, 200);
      assert.match(ids[0] ?? '', /^NCAAM_X_GONZAG[A-Z2-7]{6}_/);
      assert.ok(asked < 40, `${asked} questions in two turns of a hundred`);
    });
  });
}
