// Games on their way to their final files, in the catalog: the commit that closes a log closes its game once; a game is due while its
// evidence differs from that of its files; and each version lands once, by any number of workers (docs/settlement.md; I16).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import type { LandedArtifact } from '../../../core/ports/catalog/artifacts.ts';
import type { StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import type { LiveCatalog, SettlementMove } from '../../../core/ports/catalog/live.ts';
import type { SettlementCatalog } from '../../../core/ports/catalog/settlement.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import type { ClosedGame } from '../../../core/settlement/closed-game.ts';
import { openArtifactsCatalog } from '../../../platform/postgres/artifacts-catalog.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openSettlementCatalog } from '../../../platform/postgres/settlement-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const stream: StreamKey = { projector: 'live', topic: 'sds.quotes.v1', partition: 3 };
const sha256 = 'cd'.repeat(32);

function closedFacts(gameUuid: string): ClosedGame {
  const course = { status: { status: 'COMPLETED', at: 1_000 }, startedAt: null, inPlayAt: null, starts: [] };
  return { gameUuid, gameId: gameUuid, league: 'NFL', generation: 1, rows: 4, logTime: 2_000, course };
}

function landing(dataset: string, version: number): LandedArtifact {
  const key = `finals/${randomUUID()}`;
  return {
    dataset,
    version,
    rows: 4,
    file: { key: key as ObjectKey, offset: 0, size: 10, sha256 },
    reason: `reason ${version}`,
  };
}

for (const server of await allTestServers()) {
  describe(`settlements on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let settlements: SettlementCatalog;
    let live: LiveCatalog;
    let ownerEpoch: number;
    let offset = 0;

    beforeAll(async () => {
      sql = (await openDatabase(server, { maxConnections: 20 })).sql;
      settlements = openSettlementCatalog(sql);
      live = openLiveCatalog(sql);
      ownerEpoch = (await openCheckpointsCatalog(sql).claim(stream, 'tests')).ownerEpoch;
    });

    async function newGame(): Promise<string> {
      const uuid = randomUUID();
      await sql.query(
        `insert into games (id, league, home_name, away_name, founder_source, first_start, scheduled_start)
         values ($1, 'NFL', 'h', 'a', 's', now(), now())`,
        [uuid],
      );
      return uuid;
    }

    async function commit(...moves: SettlementMove[]): Promise<void> {
      const fence = {
        stream,
        ownerEpoch,
        from: offset,
        to: offset + 1,
        foldDigest: sha256,
        snapshot: null,
        logVersion: null,
      };
      const nothing = { games: [], objects: [], released: [], deadLetters: [], receipts: [] };
      assert.equal(await live.commit({ ...fence, ...nothing, settlements: moves }), 'committed');
      offset += 1;
    }

    async function closedGame(): Promise<string> {
      const gameUuid = await newGame();
      await commit({ gameUuid, ticked: false, closed: closedFacts(gameUuid) });
      return gameUuid;
    }

    const isDue = async (gameUuid: string) => (await settlements.due(null, 1_000, 'all')).includes(gameUuid);

    it('are due in the order in which they closed, page by page, whatever their ids', async () => {
      const closed: string[] = [];
      for (let count = 0; count < 8; count += 1) closed.push(await closedGame());
      const ofThese = (games: readonly string[]) => games.filter((game) => closed.includes(game));
      assert.deepEqual(ofThese(await settlements.due(null, 1_000, 'all')), closed);
      const paged: string[] = [];
      for (let page = await settlements.due(null, 3, 'recent'); page.length > 0; ) {
        paged.push(...page);
        page = await settlements.due(page.at(-1) as string, 3, 'recent');
      }
      assert.deepEqual(ofThese(paged), closed);
    });

    it('are the closed games of their partition, and no other is', async () => {
      const [closed, open] = [await closedGame(), await newGame()];
      await commit({ gameUuid: open, ticked: false, closed: null });
      const found = await live.closedIn(stream.partition);
      assert.deepEqual([found.includes(closed), found.includes(open)], [true, false]);
      assert.deepEqual(await live.closedIn(9_999), []);
    });

    async function inputsOf(gameUuid: string) {
      const inputs = await settlements.inputs(gameUuid);
      assert.ok(inputs !== null);
      return inputs;
    }

    async function publishStream(gameUuid: string, dataset: string, head: number): Promise<void> {
      await sql.query(
        `insert into msf_streams (scope_uuid, dataset, scope_id, league, partition, version, epoch, head, listed_from, deleted_below,
           freshness, owner_epoch, updated_at)
         values ($1::uuid, $2, 'scope', 'NFL', 0, 1, 'E', $3, 1, 1, '{}', 1, now())
         on conflict (scope_uuid, dataset) do update set head = excluded.head`,
        [gameUuid, dataset, head],
      );
    }

    it('tick the partition of a game that waits for its close, until it is closed or goes on', async () => {
      const gameUuid = await newGame();
      const ticks = async () => (await live.tickingPartitions()).includes(stream.partition);
      assert.equal(await ticks(), false);
      await commit({ gameUuid, ticked: true, closed: null });
      assert.equal(await ticks(), true);
      await commit({ gameUuid, ticked: false, closed: null });
      assert.equal(await ticks(), false);
      await commit({ gameUuid, ticked: true, closed: null });
      await commit({ gameUuid, ticked: false, closed: closedFacts(gameUuid) });
      assert.equal(await ticks(), false);
    });

    it('are closed by ticks where they wait for these, also before the fold has said so', async () => {
      const closesByTicks = (gameUuid: string) => live.closesByTicks(gameUuid);
      const gameUuid = await newGame();
      assert.equal(await closesByTicks(gameUuid), false, 'it has not ended');
      await sql.query(`update games set status = 'COMPLETED' where id = $1`, [gameUuid]);
      assert.equal(await closesByTicks(gameUuid), true, 'the fold has no status of it yet');
      await commit({ gameUuid, ticked: true, closed: null });
      assert.equal(await closesByTicks(gameUuid), true);
      await commit({ gameUuid, ticked: false, closed: null });
      assert.equal(await closesByTicks(gameUuid), false, 'its source’s own times close it');
      await commit({ gameUuid, ticked: false, closed: closedFacts(gameUuid) });
      assert.equal(await closesByTicks(gameUuid), false, 'it is closed');
      assert.equal(await closesByTicks(randomUUID()), false);
    });

    it('stay closed as they were closed, whatever a later commit says', async () => {
      const gameUuid = await closedGame();
      await commit({ gameUuid, ticked: true, closed: { ...closedFacts(gameUuid), rows: 99 } });
      await commit({ gameUuid, ticked: true, closed: null });
      assert.deepEqual((await settlements.inputs(gameUuid))?.closed, closedFacts(gameUuid));
    });

    it('are due from the close on, until what stands is built', async () => {
      const waiting = await newGame();
      await commit({ gameUuid: waiting, ticked: true, closed: null });
      assert.equal(await isDue(waiting), false);
      assert.equal(await settlements.inputs(waiting), null);
      const gameUuid = await closedGame();
      assert.equal(await isDue(gameUuid), true);
      assert.equal((await settlements.state(gameUuid))?.built, false);
      const built = await inputsOf(gameUuid);
      assert.equal(await settlements.land(gameUuid, [landing('closing-lines', 1)], built), 'landed');
      assert.equal(await isDue(gameUuid), false);
      const state = await settlements.state(gameUuid);
      assert.equal(state?.built, true);
      assert.ok(state?.landedAt !== null && state?.closedAt !== null);
    });

    it('are due again when a stream, a line-up or an order has moved, and for no other stream', async () => {
      const gameUuid = await closedGame();
      const build = async () => settlements.land(gameUuid, [], await inputsOf(gameUuid));
      await build();
      for (const [what, move] of [
        ['game-state', () => publishStream(gameUuid, 'game-state', 1)],
        ['player-stats', () => publishStream(gameUuid, 'player-stats', 1)],
        ['another head', () => publishStream(gameUuid, 'game-state', 2)],
        ['a line-up', () => sql.query(`insert into lineups values ($1, '{p1}', '{}')`, [gameUuid])],
        ['again', () => settlements.orderAgain({ uuid: gameUuid, gameId: gameUuid }, 'ops')],
        ['removal', () => settlements.orderRemoval({ uuid: gameUuid, gameId: gameUuid }, [[2, 3]], 'why', 'ops', [])],
      ] as const) {
        await move();
        assert.equal(await isDue(gameUuid), true, what);
        await build();
        assert.equal(await isDue(gameUuid), false, what);
      }
      await publishStream(gameUuid, 'plays', 5);
      assert.equal(await isDue(gameUuid), false, 'plays are no evidence');
      assert.deepEqual((await settlements.inputs(gameUuid))?.removed, [[2, 3]]);
    });

    it('lose rows only by an order that knows of the rows removed before', async () => {
      const gameUuid = await closedGame();
      const remove = (row: number, before: [number, number][]) =>
        settlements.orderRemoval({ uuid: gameUuid, gameId: gameUuid }, [[row, row]], 'why', 'ops', before);
      const both = await Promise.all([remove(1, []), remove(2, [])]);
      assert.deepEqual(both.toSorted(), ['ordered', 'overtaken']);
      const removed = async () => (await settlements.inputs(gameUuid))?.removed as [number, number][];
      const [first] = await removed();
      assert.equal((await removed()).length, 1);
      assert.equal(await remove(3, await removed()), 'ordered');
      assert.deepEqual(await removed(), [first, [3, 3]]);
      const { rows } = await sql.query(`select from audit where subject = $1 and action = 'games remove-rows'`, [
        gameUuid,
      ]);
      assert.equal(rows.length, 2);
    });

    it('follow evidence for 30 days after the landing, and orders for ever', async () => {
      const gameUuid = await closedGame();
      await settlements.land(gameUuid, [landing('closing-lines', 1)], await inputsOf(gameUuid));
      await publishStream(gameUuid, 'game-state', 1);
      assert.equal(await isDue(gameUuid), true);
      await sql.query(`update settlements set landed_at = now() - interval '30 days 1 second' where game_uuid = $1`, [
        gameUuid,
      ]);
      assert.equal(await isDue(gameUuid), false);
      await settlements.orderAgain({ uuid: gameUuid, gameId: gameUuid }, 'ops');
      assert.equal(await isDue(gameUuid), true);
    });

    it('have their evidence looked at often while the landing is recent', async () => {
      const gameUuid = await closedGame();
      const isDueAtOnce = async () => (await settlements.due(null, 1_000, 'recent')).includes(gameUuid);
      assert.equal(await isDueAtOnce(), true, 'never built');
      await settlements.land(gameUuid, [landing('closing-lines', 1)], await inputsOf(gameUuid));
      await publishStream(gameUuid, 'game-state', 1);
      assert.equal(await isDueAtOnce(), true);
      await sql.query(`update settlements set landed_at = now() - interval '11 minutes' where game_uuid = $1`, [
        gameUuid,
      ]);
      assert.equal(await isDueAtOnce(), false);
      assert.equal(await isDue(gameUuid), true);
      await settlements.orderAgain({ uuid: gameUuid, gameId: gameUuid }, 'ops');
      assert.equal(await isDueAtOnce(), true, 'an order');
    });

    it('keep a score by hand that came before the close, with its audit row, until it is taken back', async () => {
      const gameUuid = await newGame();
      const game = { uuid: gameUuid, gameId: gameUuid, partition: stream.partition };
      const score = { away: 17, home: 24, awayPeriods: [7, 10], homePeriods: [14, 10] };
      await settlements.orderScore(game, score, 'ops');
      assert.equal((await settlements.state(gameUuid))?.closedAt, null);
      await commit({ gameUuid, ticked: false, closed: closedFacts(gameUuid) });
      const manual = (await settlements.inputs(gameUuid))?.manual;
      const { rows } = await sql.query(`select id, actor, action, at from audit where subject = $1`, [gameUuid]);
      assert.equal(rows.length, 1);
      assert.deepEqual(manual, { ...score, auditId: rows[0]?.id, at: rows[0]?.at });
      await settlements.orderScore(game, null, 'ops');
      assert.equal((await settlements.inputs(gameUuid))?.manual, null);
    });

    it('name the players of teams that MSF tells of, and others by their ids', async () => {
      const teams = [randomUUID(), randomUUID()];
      await sql.query(
        `insert into teams (id, league, name, abbreviation, city, nickname) select id, 'NFL', id::text, left(id::text, 8), 'c', 'n'
         from unnest($1::uuid[]) id`,
        [teams],
      );
      const ids = Array.from({ length: 5 }, () => randomUUID()).sort();
      const [ofTeam, elsewhere, free, unasked, ofAnother] = ids as [string, string, string, string, string];
      await sql.query(
        `insert into players (id, league, first_name, last_name, current_team_id, is_active)
         select id, 'NFL', 'F', 'L', team, true from unnest($1::uuid[], $2::uuid[]) p (id, team)`,
        [
          [ofTeam, elsewhere, free, unasked, ofAnother],
          [teams[0], teams[1], null, null, teams[0]],
        ],
      );
      await sql.query(
        `insert into source_ids (kind, source, league, source_id, id)
         select 'player', source, 'NFL', id::text, id from unnest($1::text[], $2::uuid[]) i (source, id)`,
        [
          ['msf', 'another', 'another'],
          [ofTeam, ofTeam, ofAnother],
        ],
      );
      const named = await settlements.players([teams[0] as string], [elsewhere, free, randomUUID()]);
      assert.deepEqual(
        named.map(({ id, currentTeamId }) => [id, currentTeamId]),
        [
          [ofTeam, teams[0]],
          [elsewhere, teams[1]],
          [free, null],
        ],
      );
    });

    it('land each version once, whichever of 16 workers is first, with one audit row', async () => {
      const gameUuid = await closedGame();
      const built = await inputsOf(gameUuid);
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => settlements.land(gameUuid, [landing('market-results', 1)], built)),
      );
      assert.deepEqual(answers.filter((answer) => answer === 'landed').length, 1);
      assert.equal((await openArtifactsCatalog(sql).versions(gameUuid, 'market-results')).length, 1);
      const audits = await sql.query(`select detail from audit where subject = $1`, [gameUuid]);
      assert.deepEqual(
        audits.rows.map(({ detail }) => detail),
        [{ dataset: 'market-results', version: 1, reason: 'reason 1' }],
      );
    });

    it('land nothing on what another worker has left meanwhile, were it without a file', async () => {
      const gameUuid = await closedGame();
      await settlements.land(gameUuid, [landing('market-results', 1)], await inputsOf(gameUuid));
      await publishStream(gameUuid, 'game-state', 1);
      const frozen = await inputsOf(gameUuid);
      await publishStream(gameUuid, 'game-state', 2);
      assert.equal(await settlements.land(gameUuid, [], await inputsOf(gameUuid)), 'landed');
      assert.equal(await settlements.land(gameUuid, [landing('market-results', 2)], frozen), 'overtaken');
      assert.equal(await isDue(gameUuid), false);
    });

    it('land all or nothing: where one version is overtaken the others wait too', async () => {
      const gameUuid = await closedGame();
      const built = await inputsOf(gameUuid);
      await settlements.land(gameUuid, [landing('market-results', 1)], built);
      await publishStream(gameUuid, 'game-state', 1);
      const both = [landing('market-results', 1), landing('game-state-timeline', 1)];
      assert.equal(await settlements.land(gameUuid, both, await inputsOf(gameUuid)), 'overtaken');
      assert.equal(await openArtifactsCatalog(sql).artifact(gameUuid, 'game-state-timeline', null), null);
      assert.equal(await isDue(gameUuid), true, 'nothing was noted as built');
    });
  });
}
