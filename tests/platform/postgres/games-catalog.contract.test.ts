import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import { shownStatus } from '../../../core/games/shown-status.ts';
import { teamId } from '../../../core/games/team-directory.ts';
import { gameUuid, teamUuid } from '../../../core/msf/ids.ts';
import {
  anyGame,
  type GameLookup,
  type GamesCatalog,
  type Resolution,
  type ResolvedGame,
} from '../../../core/ports/catalog/games.ts';
import { microsPerHour } from '../../../core/units.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { resolveInTransaction } from '../../../platform/postgres/resolve-games.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

// 2026-08-05 23:05 UTC: the evening of the 5th in New York.
const start = Date.UTC(2026, 7, 5, 23, 5) * 1000;
const dayMicros = 24 * microsPerHour;

type Event = Extract<GameLookup, { by: 'event' }>;

/** An event between two teams; each test uses a day of its own. */
let days = 0;
function nextDay(): number {
  days += 10;
  return start + days * dayMicros;
}
function event(eventId: string, at: number, change: Partial<Event> = {}): Event {
  return {
    by: 'event',
    league: 'MLB',
    eventId,
    homeTeam: 'New York Yankees',
    awayTeam: 'Boston Red Sox',
    commenceTime: at,
    ...change,
  };
}

function resolved(resolution: Resolution | undefined): ResolvedGame {
  assert.equal(resolution?.kind, 'resolved', JSON.stringify(resolution));
  return (resolution as Extract<Resolution, { kind: 'resolved' }>).game;
}

for (const server of await allTestServers()) {
  describe(`games catalog on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let games: GamesCatalog;
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      games = openGamesCatalog(sql);
      await games.seedTeams();
    });
    /** The catalog in another process, with a cache of its own. */
    const elsewhere = () => openGamesCatalog(sql);
    const one = async (source: string, lookup: GameLookup, catalog = games) =>
      (await catalog.resolve(source, [lookup]))[0];

    describe('teams', () => {
      it('are seeded once, however often', async () => {
        const count = async () =>
          (await sql.query('select (select count(*) from teams) as teams, (select count(*) from team_names) as names'))
            .rows;
        const before = await count();
        await Promise.all([games.seedTeams(), elsewhere().seedTeams()]);
        assert.deepEqual(await count(), before);
        assert.ok((before[0]?.teams as number) >= 124);
      });
    });

    describe('resolving', () => {
      it('founds a game under the id of its teams and Eastern date', async () => {
        const at = Date.UTC(2026, 7, 6, 2, 10) * 1000;
        const game = resolved(await one('founding', event('e1', at)));
        assert.equal(game.gameId, 'MLB_BOS_NYY_20260805');
        assert.deepEqual(game.startToLog, { scheduledStart: at, source: 'founding' });
        assert.equal(game.warning, null);
        const found = await games.find('mlb_bos_nyy_20260805');
        assert.equal(found?.uuid, game.uuid);
        assert.deepEqual(await games.find(game.uuid.toUpperCase()), found);
        assert.deepEqual(
          [
            found?.gameDate,
            found?.status,
            found?.firstStart,
            found?.scheduledStart,
            found?.home?.abbreviation,
            found?.away?.name,
            found?.founderSource,
            found?.logTime,
          ],
          ['2026-08-05', 'SCHEDULED', at, at, 'NYY', 'Boston Red Sox', 'founding', null],
        );
      });

      it('dates a game by its start, which may move; its id keeps the date of its minting', async () => {
        const at = Date.UTC(2031, 3, 3, 2, 10) * 1000;
        const rainedOut = resolved(await one('founding', event('moving', at)));
        const moveTo = (time: string) =>
          sql.query('update games set scheduled_start = $2 where id = $1', [rainedOut.uuid, time]);
        const dateOf = async () => (await games.find(rainedOut.uuid))?.gameDate;
        assert.deepEqual([rainedOut.gameId, await dateOf()], ['MLB_BOS_NYY_20310402', '2031-04-02']);
        await moveTo('2031-08-20T03:59:59Z');
        assert.equal(await dateOf(), '2031-08-19');
        await moveTo('2031-08-20T04:00:00Z');
        assert.equal(await dateOf(), '2031-08-20');
        await moveTo('2031-11-03T04:30:00Z');
        assert.equal(await dateOf(), '2031-11-02', 'after the end of daylight saving time');
        const other = resolved(await one('founding', event('instead', at, { commenceTime: at + 3 * microsPerHour })));
        assert.deepEqual([other.gameId, other.uuid !== rainedOut.uuid], ['MLB_BOS_NYY_20310403', true]);
        const sameDay = resolved(await one('founding', event('same day', at - 5 * microsPerHour)));
        assert.equal(sameDay.gameId, 'MLB_BOS_NYY_20310402_2');
      });

      it('finds the same game for another source, by any name and time within 12 hours', async () => {
        const at = nextDay();
        const first = resolved(await one('first', event('e1', at)));
        const second = resolved(
          await one('second', event('x9', at + 3 * microsPerHour, { homeTeam: 'nyy', awayTeam: 'BOS' })),
        );
        assert.equal(second.uuid, first.uuid);
        assert.deepEqual(
          second.startToLog,
          { scheduledStart: at, source: 'first' },
          'the founding start, as its founder told it',
        );
      });

      it('reads the games of two teams once, however many of their events a push has', async () => {
        const pair = { homeTeam: 'Seattle Mariners', awayTeam: 'Texas Rangers' };
        const first = start + 40 * 365 * dayMicros;
        const apart = (count: number, name: string, from: number) =>
          Array.from({ length: count }, (_, nth) =>
            event(`${name} ${nth}`, first + (from + 13 * nth) * dayMicros, pair),
          );
        await games.resolve('often', apart(400, 'founded', 0));
        const read = await sql.transaction(async (tx) => {
          await resolveInTransaction(
            tx,
            { source: 'often', founder: { source: 'often', key: null } },
            apart(100, 'more', 6),
          );
          const { rows } = await tx.query(
            `select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'games'`,
          );
          return Number(rows[0]?.read);
        });
        assert.ok(read < 3_000, `${read} rows were read, of two teams with 400 games`);
      });

      it('knows of the whole push where a double-header lies far apart in it', async () => {
        const at = nextDay();
        const pair = { homeTeam: 'Seattle Mariners', awayTeam: 'Houston Astros' };
        const night = resolved(await one('nights', event('night', at, pair)));
        const between = Array.from({ length: 1_100 }, (_, nth) => ({ by: 'id', gameId: `no game ${nth}` }) as const);
        const push = [event('dh1', at - 6 * microsPerHour, pair), ...between, event('dh2', at, pair)];
        const gamesOf = (answers: readonly Resolution[]) =>
          [answers.at(0), answers.at(-1)].map((each) => resolved(each).uuid);
        const foreseen = gamesOf(await games.foresee('doubles', push));
        const [first, second] = gamesOf(await games.resolve('doubles', push));
        assert.equal(second, night.uuid);
        assert.notEqual(first, night.uuid);
        assert.deepEqual(foreseen, [first, second]);
      });

      it('gives all elements of an event the same answer', async () => {
        const at = nextDay();
        await one('repeated', event('r1', at));
        const push = Array.from({ length: 3 }, () => event('r2', at + microsPerHour));
        const warnings = (answers: readonly Resolution[]) => answers.map((each) => resolved(each).warning?.code);
        const expected = ['second-game', 'second-game', 'second-game'];
        assert.deepEqual(warnings(await games.foresee('repeated', push)), expected);
        assert.deepEqual(warnings(await games.resolve('repeated', push)), expected);
      });

      it('asks once for each abbreviation that crowded names could get', async () => {
        const colleges = Array.from({ length: 50 }, (_, nth) => {
          const teams = { homeTeam: `Crowded College ${nth} h`, awayTeam: `Crowded College ${nth} a` };
          return event(`college ${nth}`, nextDay(), { league: 'NCAAM', ...teams });
        });
        const asked: number[] = [];
        await sql.transaction((tx) => {
          const query: Sql['query'] = (text, values, name) => {
            if (name === 'taken_abbreviations') asked.push(((values ?? [])[0] as unknown[]).length);
            return tx.query(text, values, name);
          };
          return resolveInTransaction(
            { ...tx, query },
            { source: 'crowding', founder: { source: 'crowding', key: null } },
            colleges,
          );
        });
        assert.deepEqual(
          asked,
          [1, 198],
          'the first; then it, 98 numbered ones, and one of each of the 99 other names',
        );
      });

      it('lets 64 concurrent pushes of the same new event found one game', async () => {
        const at = nextDay();
        const catalogs = [games, elsewhere(), elsewhere(), elsewhere()];
        const answers = await Promise.all(
          Array.from({ length: 64 }, (_, index) => one('racing', event('e1', at), catalogs[index % 4])),
        );
        assert.equal(new Set(answers.map((answer) => resolved(answer).uuid)).size, 1);
        assert.equal(
          (await sql.query('select count(*) as n from games where id = $1', [resolved(answers[0]).uuid])).rows[0]?.n,
          1,
        );
      });

      it('lets 16 sources that race find one game', async () => {
        const at = nextDay();
        const catalogs = [elsewhere(), elsewhere(), elsewhere()];
        const answers = await Promise.all(
          Array.from({ length: 16 }, (_, index) => one(`racer-${index}`, event(`e${index}`, at), catalogs[index % 3])),
        );
        assert.equal(new Set(answers.map((answer) => resolved(answer).uuid)).size, 1);
      });

      it('refuses the teams the other way round', async () => {
        const at = nextDay();
        await one('home', event('e1', at));
        const swapped = event('e2', at + microsPerHour, { homeTeam: 'Boston Red Sox', awayTeam: 'New York Yankees' });
        assert.deepEqual(
          ((answer) => [answer?.kind, answer?.kind === 'refused' && answer.code])(await one('swapped', swapped)),
          ['refused', 'game-conflict'],
        );
        assert.equal((await sql.query(`select count(*) as n from game_events where source = 'swapped'`)).rows[0]?.n, 0);
      });

      it('tells the games of a doubleheader apart, in one push and in two', async () => {
        for (const pushes of [1, 2]) {
          const at = nextDay();
          const pair = [event('d1', at), event('d2', at + 4 * microsPerHour)];
          const source = `doubleheader-${pushes}`;
          const answers =
            pushes === 1
              ? await games.resolve(source, pair)
              : [await one(source, pair[0]!), await one(source, pair[1]!)];
          const [first, second] = answers.map(resolved);
          assert.equal(second?.gameId, `${first?.gameId}_2`);
          const other = await games.resolve(`other-${pushes}`, [
            event('o2', at + 4 * microsPerHour + 5),
            event('o1', at + 5),
          ]);
          assert.deepEqual(
            other.map((answer) => resolved(answer).uuid),
            [second?.uuid, first?.uuid],
          );
        }
      });

      it('keeps a known event with its game when its start moves to another day, and remembers the start it told', async () => {
        const at = nextDay();
        const first = resolved(await one('moving', event('e1', at)));
        const moved = resolved(await one('moving', event('e1', at + dayMicros)));
        assert.equal(moved.gameId, first.gameId);
        const found = await sql.query(`select commence_time from game_events where source = 'moving'`);
        assert.equal(found.rows[0]?.commence_time, at + dayMicros);
        assert.equal((await games.find(first.uuid))?.scheduledStart, at, 'the start is moved by applied records only');
      });

      it('resolves ids of games it knows and refuses others', async () => {
        const at = nextDay();
        const game = resolved(await one('naming', event('e1', at)));
        for (const gameId of [game.gameId, game.gameId.toLowerCase(), game.uuid, game.uuid.toUpperCase()]) {
          assert.equal(resolved(await one('anybody', { by: 'id', gameId })).uuid, game.uuid);
        }
        for (const gameId of ['MLB_BOS_NYY_19990101', randomUUID(), '', 'x'.repeat(10_000), 'a\0b', "' or 1=1"]) {
          const answer = await one('anybody', { by: 'id', gameId });
          assert.deepEqual(
            [answer?.kind, answer?.kind === 'refused' && answer.code],
            ['refused', 'bad-event'],
            gameId.slice(0, 40),
          );
        }
      });

      it('lets a push name the game that it founds itself', async () => {
        const at = nextDay();
        const founding = event('self', at);
        const [first] = await games.resolve('self', [founding]);
        const id = resolved(first).gameId;
        const answers = await games.resolve('self', [
          event('self-2', at + 5 * dayMicros),
          { by: 'id', gameId: id },
          founding,
        ]);
        assert.equal(resolved(answers[1]).uuid, resolved(answers[2]).uuid);
      });

      it('answers in the order of the lookups, refused ones in their place', async () => {
        const at = nextDay();
        const answers = await games.resolve('order', [
          event('o1', at),
          event('o\0', at),
          { by: 'id', gameId: 'nothing' },
          event('o3', at, { homeTeam: 'x'.repeat(600) }),
          event('o4', at, { homeTeam: 'Los Angeles Dodgers', awayTeam: 'LA Dodgers' }),
          event('o5', at, { homeTeam: 'Los Angeles Dodgers', awayTeam: 'San Diego Padres' }),
        ]);
        assert.deepEqual(
          answers.map((answer) => answer.kind),
          ['resolved', 'refused', 'refused', 'refused', 'refused', 'resolved'],
        );
      });

      it('lets another source past one that tells of many events', async () => {
        const at = nextDay();
        const many = Array.from({ length: 400 }, (_, nth) => event(`many-${nth}`, at, { homeTeam: `Nobody ${nth}` }));
        const done: string[] = [];
        const note = (name: string) => () => void done.push(name);
        await Promise.all([
          games.resolve('many', many).then(note('many')),
          games.resolve('many', many.slice(0, 200)).then(note('many')),
          one('few', event('few', at)).then(note('few')),
        ]);
        assert.deepEqual(done, ['few', 'many', 'many']);
      });

      it('creates NCAAM teams as they appear, with abbreviations of their own', async () => {
        const at = nextDay();
        const names = ['North Carolina A&T Aggies', 'North Carolina Tar Heels', 'North Carolina State'];
        const answers = await games.resolve('college', [
          event('c1', at, { league: 'NCAAM', homeTeam: names[0]!, awayTeam: names[1]! }),
          event('c2', at + 2 * dayMicros, { league: 'NCAAM', homeTeam: names[2]!, awayTeam: names[0]!.toUpperCase() }),
        ]);
        const ids = answers.map((answer) => resolved(answer).gameId);
        assert.match(ids[0]!, /^NCAAM_NORTHCAROLI2_NORTHCAROLIN_2\d{7}$/);
        assert.match(ids[1]!, /^NCAAM_NORTHCAROLIN_NORTHCAROLI3_2\d{7}$/);
        const again = await elsewhere().resolve('college-2', [
          event('k', at, { league: 'NCAAM', homeTeam: names[0]!, awayTeam: names[1]! }),
        ]);
        assert.equal(resolved(again[0]).gameId, ids[0]);
      });
    });

    describe('the start that has to precede', () => {
      it('is asked for until it is known to be in the log, by this process and by others', async () => {
        const at = nextDay();
        const lookup = event('s1', at);
        const game = resolved(await one('starting', lookup));
        const later = resolved(await one('starting', lookup, elsewhere()));
        assert.deepEqual(later.startToLog, { scheduledStart: at, source: 'starting' });
        await games.startsLogged([game.uuid, game.uuid]);
        assert.equal(resolved(await one('starting', lookup)).startToLog, null);
        assert.equal(resolved(await one('starting', lookup, elsewhere())).startToLog, null);
      });
    });

    describe('the memory of known events', () => {
      it('answers a push of known events without the database', async () => {
        const at = nextDay();
        const lookup = event('m1', at);
        let asked = 0;
        const counting: Sql = {
          ...sql,
          query: (...args) => {
            asked += 1;
            return sql.query(...args);
          },
          transaction: (work) => {
            asked += 1;
            return sql.transaction(work);
          },
        };
        const catalog = openGamesCatalog(counting);
        const first = resolved(await one('memory', lookup, catalog));
        await catalog.startsLogged([first.uuid]);
        asked = 0;
        const again = resolved(await one('memory', lookup, catalog));
        assert.equal(asked, 0);
        assert.deepEqual(again, { ...first, startToLog: null });
        await one('memory', { ...lookup, commenceTime: at + 1 }, catalog);
        assert.equal(asked, 1, 'a start that moved is stored');
        const foreign = await one('memory', { ...lookup, commenceTime: at + 1, league: 'NFL' }, catalog);
        assert.equal(foreign?.kind, 'refused', 'another league is refused, known or not');
        await one('other-source', { ...lookup, commenceTime: at + 1 }, catalog);
        assert.equal(asked, 3, 'a binding is of its source');
      });
    });

    describe('what is foreseen', () => {
      it('is what resolve answers then, with its warnings; until then nothing is founded, bound or counted', async () => {
        const at = nextDay();
        const lookups = [
          event('f1', at),
          event('f2', at + microsPerHour),
          event('f3', at, { homeTeam: 'Nobody at all' }),
          { by: 'id', gameId: 'MLB_NOT_HERE_20260805' } as const,
        ];
        const counts = async () =>
          (
            await sql.query(`select (select count(*) from games) as games, (select count(*) from game_events) as events,
              (select count(*) from teams) as teams, (select coalesce(sum(games), 0) from games_founded) as founded`)
          ).rows;
        const before = await counts();
        const foreseen = await games.foresee('foreseer', lookups);
        assert.deepEqual(await games.foresee('foreseer', lookups), foreseen);
        assert.deepEqual(await counts(), before);
        assert.deepEqual(await games.resolve('foreseer', lookups), foreseen);
        assert.deepEqual(
          foreseen.map((each) => (each.kind === 'refused' ? each.code : (each.game.warning?.code ?? null))),
          [null, 'second-game', 'unknown-team', 'bad-event'],
        );
        const again = await elsewhere().foresee('foreseer', lookups.slice(0, 3));
        assert.deepEqual(
          again.map((each) => resolved(each).warning?.code ?? null),
          [null, null, 'unknown-team'],
        );
      });
    });

    describe('aliases', () => {
      it('mint the games that waited for them, oldest first, under their current start', async () => {
        const at = nextDay();
        const odd = { homeTeam: 'The Bombers', awayTeam: 'Boston Red Sox' };
        const waiting = resolved(await one('odd', event('w1', at, odd)));
        assert.equal(waiting.gameId, waiting.uuid);
        assert.match(waiting.warning?.detail ?? '', /The Bombers/);
        assert.equal((await games.find(waiting.uuid))?.minted, false);
        const second = resolved(await one('odd', event('w2', at + 4 * microsPerHour, odd)));
        const foreign = resolved(await one('odd', event('w3', at, { homeTeam: 'Nobody', awayTeam: 'The Bombers' })));
        await games.startsLogged([waiting.uuid]);
        const other = elsewhere();
        const answer = await other.addAlias('mlb', 'THE BOMBERS', 'nyy');
        const game = await games.find(waiting.uuid);
        assert.equal(game?.minted, true);
        assert.deepEqual(answer?.minted, [game?.gameId, `${game?.gameId}_2`]);
        assert.equal((await games.find(second.uuid))?.gameId, `${game?.gameId}_2`);
        assert.equal((await games.find(foreign.uuid))?.minted, false);
        assert.deepEqual([game?.home?.abbreviation, game?.homeName], ['NYY', 'New York Yankees']);
        assert.equal(
          resolved(await one('odd', event('w1', at, odd))).gameId,
          game?.gameId,
          'nothing remembers the old id',
        );
        assert.deepEqual(await other.addAlias('MLB', 'The Bombers', 'NYY'), { minted: [] }, 'said twice');
      });

      it('are of teams that exist', async () => {
        assert.equal(await games.addAlias('MLB', 'whoever', 'ZZZ'), null);
      });

      it('yield to names and abbreviations', async () => {
        await games.addAlias('NHL', 'Boston Bruins', 'TOR');
        const named = await games.teamsNamed('anyone', 'NHL', ['tor', 'TOR', 'Boston Bruins', 'whoever', 'an \0 name']);
        const [toronto, boston] = [teamUuid('NHL', 'TOR', 0), teamUuid('NHL', 'BOS', 0)];
        assert.deepEqual(
          named,
          new Map([
            ['tor', toronto],
            ['TOR', toronto],
            ['Boston Bruins', boston],
          ]),
          'a name goes before an alias',
        );
        await games.addAlias('NHL', 'Leafs Nation', 'TOR');
        assert.equal((await games.teamsNamed('anyone', 'NHL', ['LEAFS nation'])).get('LEAFS nation'), toronto);
        assert.deepEqual(await games.teamsNamed('anyone', 'NHL', []), new Map());
        const game = resolved(
          await one('yielding', event('y1', nextDay(), { league: 'NHL', homeTeam: 'Boston Bruins', awayTeam: 'BUF' })),
        );
        assert.match(game.gameId, /^NHL_BUF_BOS_/);
      });
    });

    describe('games as MSF names them', () => {
      const msfEvent = (id: number, at: number, change: Partial<Event> = {}): Event => ({
        ...event(`game/NHL/${id}`, at, { league: 'NHL', homeTeam: 'CHI', awayTeam: 'DET', ...change }),
      });

      it('are those that odds founded, by abbreviation; else their own, of source and event id', async () => {
        const at = nextDay();
        const names = { league: 'NHL', homeTeam: 'Chicago Blackhawks', awayTeam: 'Detroit Red Wings' };
        const odds = resolved(await one('odds', event('o1', at, names)));
        const met = resolved(await one('msf', msfEvent(900_001, at + microsPerHour)));
        assert.deepEqual([met.uuid, met.gameId], [odds.uuid, odds.gameId]);
        const own = resolved(await one('msf', msfEvent(900_002, at + 3 * dayMicros)));
        assert.equal(own.uuid, gameUuid('NHL', 900_002));
        const later = resolved(await one('odds', event('o2', at + 3 * dayMicros, names)));
        assert.deepEqual([later.uuid, later.gameId], [own.uuid, own.gameId]);
      });

      it('are found by their event ids alone, where they are bound', async () => {
        const at = nextDay();
        const first = resolved(await one('msf', msfEvent(900_010, at)));
        const unknown = resolved(await one('msf', msfEvent(900_011, at, { homeTeam: 'team 7' })));
        assert.deepEqual(
          await games.gamesOfEvents('msf', ['game/NHL/900010', 'game/NHL/900011', 'game/NHL/900012']),
          new Map([
            ['game/NHL/900010', { uuid: first.uuid, gameId: first.gameId }],
            ['game/NHL/900011', { uuid: unknown.uuid, gameId: unknown.uuid }],
          ]),
        );
        assert.deepEqual(await games.gamesOfEvents('other', ['game/NHL/900010']), new Map());
        assert.deepEqual(await games.gamesOfEvents('msf', []), new Map());
      });

      it('have not settled from the Eastern day before theirs until they have', async () => {
        const day = '2031-03-10';
        const evening = (offset: number) => Date.UTC(2031, 2, 11 + offset, 1, 0) * 1000;
        const setUp = async (id: number, offset: number, change: Partial<Event> = {}): Promise<ResolvedGame> =>
          resolved(await one('msf', msfEvent(id, evening(offset), { homeTeam: 'LAK', awayTeam: 'ANA', ...change })));
        const set = (game: ResolvedGame, status: string) =>
          sql.query('update games set status = $2 where id = $1', [game.uuid, status]);
        const today = await setUp(900_020, 0);
        const tomorrow = await setUp(900_021, 1);
        await setUp(900_022, 2);
        await setUp(900_023, 0, { homeTeam: 'team 8' });
        await setUp(900_024, 0, { league: 'NBA', homeTeam: 'BOS', awayTeam: 'CLE' });
        const [unplayed, over, longOver, final] = [
          await setUp(900_025, -30),
          await setUp(900_026, -2),
          await setUp(900_027, -4),
          await setUp(900_028, -1),
        ];
        await set(over, 'COMPLETED');
        await set(longOver, 'COMPLETED');
        await set(final, 'COMPLETED');
        await sql.query(`insert into settlements (game_uuid, partition, ticked, closed) values ($1, 0, false, '{}')`, [
          final.uuid,
        ]);
        const found = await games.unsettledGames('NHL', day);
        const ids = [unplayed, over, today, tomorrow].map(({ gameId }) => gameId);
        assert.deepEqual(
          found.filter(({ gameId }) => gameId.includes('_ANA_LAK_')).map(({ gameId }) => gameId),
          ids,
        );
        const team = (abbreviation: string) => teamUuid('NHL', abbreviation, 0);
        const { homeTeamId, awayTeamId, uuid } = found.find(({ gameId }) => gameId === today.gameId)!;
        assert.deepEqual([uuid, homeTeamId, awayTeamId], [today.uuid, team('LAK'), team('ANA')]);
      });
    });

    describe('listing', () => {
      const all = { ...anyGame, limit: 1_000 };

      it('goes by date, then by id as bytes, page after page', async () => {
        const whole = await games.list(all);
        const keys = whole.map((game) => `${game.gameDate} ${game.gameId}`);
        assert.deepEqual(keys, [...keys].sort());
        assert.ok(whole.some((game) => !game.minted));
        const paged: string[] = [];
        let after: { gameDate: string; id: string } | null = null;
        for (;;) {
          const page = await games.list({ ...all, after, limit: 3 });
          paged.push(...page.map((game) => `${game.gameDate} ${game.gameId}`));
          const last = page.at(-1);
          if (last === undefined) break;
          after = { gameDate: last.gameDate, id: last.gameId };
        }
        assert.deepEqual(paged, keys);
      });

      it('keeps to league, dates and team', async () => {
        const whole = await games.list(all);
        const ids = async (change: Partial<typeof all | Record<string, string>>) =>
          (await games.list({ ...all, ...change } as typeof all)).map((game) => game.gameId);
        const where = (test: (game: (typeof whole)[number]) => boolean) =>
          whole.filter(test).map((game) => game.gameId);
        assert.deepEqual(
          await ids({ league: 'NHL' }),
          where((game) => game.league === 'NHL'),
        );
        const [from, to] = [whole[2]!.gameDate, whole[6]!.gameDate];
        assert.deepEqual(
          await ids({ dateFrom: from, dateTo: to }),
          where((game) => game.gameDate >= from && game.gameDate <= to),
        );
        assert.deepEqual(
          await ids({ team: 'boston red SOX' }),
          where((game) => [game.home?.name, game.away?.name].includes('Boston Red Sox')),
        );
        const ofBoston = await ids({ team: 'boston red SOX' });
        const byId = teamId('MLB', 'BOS');
        for (const team of ['bos', 'Red Sox', byId, byId.toUpperCase()])
          assert.deepEqual(await ids({ team, league: 'MLB' }), ofBoston, team);
        assert.deepEqual(await ids({ team: 'nobody' }), []);
        await one(
          'names',
          event('n1', nextDay(), { league: 'NCAAM', homeTeam: 'San José State', awayTeam: 'ÉCOLE Polytechnique' }),
        );
        for (const team of ['SAN JOSÉ STATE', 'école polytechnique'])
          assert.equal((await ids({ team })).length, 1, team);
      });

      it('shows a start inferred from odds exactly as the rule does', async () => {
        const at = nextDay();
        const statuses = [
          'SCHEDULED',
          'SCHEDULED',
          'SCHEDULED',
          'SCHEDULED',
          'DELAYED',
          'SCHEDULED',
          'STARTED',
          'SCHEDULED',
        ];
        for (const [index, status] of statuses.entries()) {
          const game = resolved(
            await one(
              'shown',
              event(`h${index}`, at + index * dayMicros, { league: 'NFL', homeTeam: 'DET', awayTeam: 'PHI' }),
            ),
          );
          await sql.query('update games set status = $2, from_schedule = $3 where id = $1', [
            game.uuid,
            status,
            index === 3,
          ]);
          if (index > 5) {
            const closed = `insert into settlements (game_uuid, partition, ticked, closed) values ($1, 0, false, '{}')`;
            await sql.query(closed, [game.uuid]);
          }
          const logTime = [null, -1, 0, 0, 0, 1, 1, 1][index] ?? null;
          if (logTime === null) continue;
          await sql.query(
            `insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, log_time, updated_at, owner_epoch, operators, open_offer, receive_timed)
             select id, 1, 1, 0, 1, 0, scheduled_start + $2 * interval '1 microsecond', now(), 1, '[]', true, true from games where id = $1`,
            [game.uuid, logTime],
          );
        }
        const nfl = await games.list({ ...all, league: 'NFL' });
        assert.deepEqual(nfl.map(shownStatus), [
          'SCHEDULED',
          'SCHEDULED',
          'STARTED',
          'SCHEDULED',
          'DELAYED',
          'STARTED',
          'COMPLETED',
          'SCHEDULED',
        ]);
        for (const status of ['SCHEDULED', 'STARTED', 'DELAYED', 'COMPLETED']) {
          const listed = await games.list({ ...all, league: 'NFL', status });
          assert.deepEqual(
            listed.map((game) => game.uuid),
            nfl.filter((game) => shownStatus(game) === status).map((game) => game.uuid),
            status,
          );
        }
      });
    });

    // Last, because it leaves a season of games in the catalog.
    describe('reads of many games', () => {
      const count = 2_000;
      let many: Sql;
      beforeAll(async () => {
        ({ sql: many } = await openDatabase(server, { maxConnections: 1 }));
        await openGamesCatalog(many).seedTeams();
        // The order of words, where no prefix is a range of an index.
        await many.query('alter table games alter column public_id type text collate "und-x-icu"');
        await many.query(
          `insert into games (id, league, public_id, home_name, away_name, founder_source, first_start, scheduled_start)
           select gen_random_uuid(), 'MLB', 'MLB_A_B_20200101_' || n, 'h', 'a', 'many', '2020-01-01', '2020-01-01'
           from generate_series(2, $1::integer + 1) n`,
          [count],
        );
        await many.query(
          `insert into settlements (game_uuid, partition, ticked, closed, closed_at) select id, 1, true, '{}', now() from games`,
        );
        await many.query('analyze games, settlements');
      });
      /** How many rows of the table `work` reads. */
      const rowsRead = async (table: string, work: () => Promise<unknown>): Promise<number> => {
        const read = async (): Promise<number> => {
          await many.query('select pg_stat_force_next_flush()');
          const { rows } = await many.query(
            `select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = $1`,
            [table],
          );
          return rows[0]?.read as number;
        };
        const before = await read();
        await work();
        return (await read()) - before;
      };

      it('mint a game by the ids that it could get', async () => {
        const catalog = openGamesCatalog(many);
        const odd = { homeTeam: 'The Bombers', awayTeam: 'Boston Red Sox' };
        await catalog.resolve('odd', [event('w1', nextDay(), odd)]);
        const read = await rowsRead('games', async () => {
          assert.equal((await catalog.addAlias('MLB', 'The Bombers', 'NYY'))?.minted.length, 1);
        });
        assert.ok(read < 100, `${read} of ${count} games`);
      });

      it('list a page by the settlements of its games', async () => {
        const query = { league: null, dateFrom: null, dateTo: null, team: null, status: null, after: null, limit: 10 };
        const read = await rowsRead('settlements', async () => {
          const page = await openGamesCatalog(many).list(query);
          assert.deepEqual([page.length, page.every(({ settled }) => settled)], [10, true]);
        });
        assert.ok(read < 100, `${read} of ${count} settlements`);
      });
    });

    it('resolves a season of MSF in one push, and again', async () => {
      const teams = (await sql.query(`select abbreviation from teams where league = 'NHL' order by 1`)).rows;
      const names = teams.map(({ abbreviation }) => abbreviation as string);
      const season = Array.from({ length: 1_230 }, (_, n): Event => {
        const home = names[n % names.length]!;
        const away = names[(n + 1 + (Math.floor(n / names.length) % (names.length - 1))) % names.length]!;
        const at = Date.UTC(2033, 0, 1 + Math.floor(n / 8)) * 1000;
        return event(`game/NHL/${910_000 + n}`, at, { league: 'NHL', homeTeam: home, awayTeam: away });
      });
      const first = (await games.resolve('msf', season)).map(resolved);
      const again = (await elsewhere().resolve('msf', season)).map(resolved);
      assert.equal(new Set(first.map(({ uuid }) => uuid)).size, 1_230);
      assert.equal(new Set(first.map(({ gameId }) => gameId)).size, 1_230);
      assert.deepEqual(
        again.map(({ uuid, gameId }) => [uuid, gameId]),
        first.map(({ uuid, gameId }) => [uuid, gameId]),
      );
    });
  });
}
