import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import type { CheckpointsCatalog, ProgressCatalog, StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import { CatalogUnavailable, UnknownCommit } from '../../../core/ports/catalog/errors.ts';
import type { GamePublication, LiveCatalog, LiveCommit, ServingNotice } from '../../../core/ports/catalog/live.ts';
import type { ObjectsCatalog } from '../../../core/ports/catalog/objects.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import type { ClosedGame } from '../../../core/settlement/closed-game.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openDeadLettersCatalog } from '../../../platform/postgres/dead-letters-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openObjectsCatalog } from '../../../platform/postgres/objects-catalog.ts';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import { openRetentionCatalog } from '../../../platform/postgres/retention-catalog.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { contextOf } from '../../support/fakes/kept-spans.ts';
import { allTestServers, openDatabase, type TestDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const hex = 'ab'.repeat(32);
const start = 1_786_000_000_123_456;

let streams = 0;
function newStream(): StreamKey {
  streams += 1;
  return { projector: 'live', topic: 'sds.quotes.v1', partition: streams };
}

function file(key: string, offset = 0) {
  return { key: key as ObjectKey, offset, size: 100, sha256: hex };
}

function publication(gameUuid: string, change: Partial<GamePublication> = {}): GamePublication {
  return {
    gameUuid,
    generation: 1,
    logVersion: 'v',
    firstSeq: 1,
    rows: 3,
    appliedThrough: start + 5,
    logTime: start + 6,
    tail: { seq: 1, rows: 3, min_timestamp: start, max_timestamp: start + 5, file: file('flush/1') },
    closed: [],
    boards: [{ operator: 'DRAFTKINGS', rows: 2, file: file('flush/1', 100) }],
    operators: { DRAFTKINGS: { last_row_at: start + 5, observed_through: start + 5, source: 'feed' } },
    openOffer: true,
    receiveTimed: true,
    scheduledStart: null,
    superseded: null,
    restarted: false,
    ...change,
  };
}

function closedFacts(gameUuid: string): ClosedGame {
  const course = { status: { status: 'COMPLETED', at: 1 }, startedAt: null, inPlayAt: null, starts: [] };
  return { gameUuid, gameId: gameUuid, league: 'NBA', generation: 1, rows: 3, logTime: 2, course };
}

function commitOf(stream: StreamKey, change: Partial<LiveCommit>): LiveCommit {
  return {
    stream,
    ownerEpoch: 1,
    from: 0,
    to: 10,
    foldDigest: hex,
    snapshot: null,
    logVersion: null,
    games: [],
    objects: [],
    released: [],
    settlements: [],
    deadLetters: [],
    receipts: [],
    ...change,
  };
}

const letter = {
  topic: 'sds.quotes.v1',
  partition: 1,
  offset: 5,
  code: 'bad-price',
  detail: 'no price',
  pointer: '/quotes/0',
  source: 'feed',
  gameUuid: null,
  gameId: null,
  receipt: null,
  pushIndex: null,
  payload: Buffer.from([0, 1, 255]),
};

for (const server of await allTestServers()) {
  describe(`live catalog on ${server.name}`, skipFor(server.skip), () => {
    let database: TestDatabase;
    let sql: Sql;
    let live: LiveCatalog;
    let checkpoints: CheckpointsCatalog & ProgressCatalog;
    let used: ObjectsCatalog;
    beforeAll(async () => {
      database = await openDatabase(server, { maxConnections: 34 });
      sql = database.sql;
      live = openLiveCatalog(sql);
      checkpoints = openCheckpointsCatalog(sql);
      used = openObjectsCatalog(sql);
    });

    async function count(table: string, where = 'true', values: unknown[] = []): Promise<number> {
      return (await sql.query(`select count(*) as n from ${table} where ${where}`, values)).rows[0]?.n as number;
    }

    async function addGame(id: string, league = 'MLB'): Promise<void> {
      await sql.query(
        `insert into games (id, league, home_name, away_name, founder_source, first_start, scheduled_start)
         values ($1, $2, 'h', 'a', 'feed', now(), now())`,
        [id, league],
      );
    }

    describe('the fence', () => {
      it('starts a stream at offset 0 with epoch 1, and hands it on with the next', async () => {
        const stream = newStream();
        assert.equal(await checkpoints.position(stream), null);
        assert.deepEqual(await checkpoints.claim(stream, 'a'), {
          ownerEpoch: 1,
          nextOffset: 0,
          foldDigest: null,
          snapshot: null,
          logVersion: null,
        });
        const snapshot = { key: 'states/1', offset: 10, older: [{ key: 'states/0', offset: 4 }] };
        assert.equal(await live.commit(commitOf(stream, { snapshot, logVersion: 'v2' })), 'committed');
        assert.equal(await live.commit(commitOf(stream, { from: 10, to: 25 })), 'committed');
        assert.deepEqual(await checkpoints.claim(stream, 'b'), {
          ownerEpoch: 2,
          nextOffset: 25,
          foldDigest: hex,
          snapshot,
          logVersion: 'v2',
        });
        assert.deepEqual(await checkpoints.position(stream), { ownerEpoch: 2, nextOffset: 25, foldDigest: hex });
        const { projector, topic, partition } = stream;
        const [other, beside] = [{ ...stream, projector: 'revisions' }, newStream()];
        await checkpoints.claim(other, 'c');
        await checkpoints.claim(beside, 'c');
        const offsets = await checkpoints.nextOffsets(projector, topic);
        assert.deepEqual([offsets.get(partition), offsets.get(beside.partition)], [25, 0]);
        assert.deepEqual(await checkpoints.nextOffsets('revisions', topic), new Map([[partition, 0]]));
        assert.deepEqual(await checkpoints.nextOffsets(projector, 'another topic'), new Map());
      });

      it('keeps the snapshots behind the newest until a commit names others, and the log behind the oldest of them', async () => {
        const stream = { ...newStream(), topic: 'with snapshots' };
        await checkpoints.claim(stream, 'a');
        const foldedFrom = async () => (await openRetentionCatalog(sql).foldedFrom(stream.topic)).get(stream.partition);
        assert.equal(await foldedFrom(), 0);
        await live.commit(commitOf(stream, { snapshot: { key: 'states/1', offset: 10, older: [] } }));
        assert.equal(await foldedFrom(), 0, 'there is no other to fall back to');
        const older = [
          { key: 'states/2', offset: 15 },
          { key: 'states/1', offset: 10 },
        ];
        const snapshot = { key: 'states/3', offset: 20, older };
        await live.commit(commitOf(stream, { from: 10, to: 20, snapshot }));
        await live.commit(commitOf(stream, { from: 20, to: 30 }));
        assert.deepEqual((await checkpoints.claim(stream, 'b')).snapshot, snapshot);
        assert.equal(await foldedFrom(), 10);
      });

      it('gives 32 concurrent claims 32 different epochs', async () => {
        const stream = newStream();
        const claims = await Promise.all(
          Array.from({ length: 32 }, (_, index) => checkpoints.claim(stream, `owner ${index}`)),
        );
        assert.equal(new Set(claims.map((claim) => claim.ownerEpoch)).size, 32);
      });

      it('commits exactly one of 32 concurrent commits from the same offset', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const games = Array.from({ length: 32 }, () => randomUUID());
        const answers = await Promise.all(
          games.map((game, index) => live.commit(commitOf(stream, { to: 10 + index, games: [publication(game)] }))),
        );
        assert.equal(answers.filter((answer) => answer === 'committed').length, 1);
        const winner = answers.indexOf('committed');
        assert.equal((await checkpoints.position(stream))?.nextOffset, 10 + winner);
        assert.equal(await count('live_logs', 'game_uuid = any ($1)', [games]), 1);
        assert.notEqual(await live.servedLog(games[winner] as string), null);
      });

      it('lets no commit of an old owner through, however claims and commits meet', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        for (let round = 0; round < 20; round += 1) {
          const { ownerEpoch, nextOffset } = (await checkpoints.position(stream))!;
          const commit = () =>
            live.commit(
              commitOf(stream, {
                ownerEpoch,
                from: nextOffset,
                to: nextOffset + 1,
                deadLetters: [{ ...letter, code: `round ${round}` }],
              }),
            );
          const [answer, claim] = await Promise.all([commit(), checkpoints.claim(stream, `owner ${round}`)]);
          assert.equal(
            claim.nextOffset,
            nextOffset + (answer === 'committed' ? 1 : 0),
            'the claim sees the commit that went before it',
          );
          assert.equal(await commit(), 'fenced');
          assert.equal(await count('dead_letters', 'code = $1', [`round ${round}`]), answer === 'committed' ? 1 : 0);
        }
      });

      it('changes nothing when it refuses', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        await addGame(game);
        const full = {
          games: [
            publication(game, {
              scheduledStart: start,
              closed: [
                {
                  seq: 1,
                  rows: 1,
                  min_timestamp: start,
                  max_timestamp: start,
                  key: 'k' as ObjectKey,
                  size: 1,
                  sha256: hex,
                },
              ],
              superseded: { seq: 1, rows: 1, file: file('x') },
            }),
          ],
          objects: [{ key: 'refused/object', size: 1, files: 1 }],
          deadLetters: [{ ...letter, code: 'refused' }],
          receipts: [{ receipt: 'refused', source: 's', applied: [0], duplicates: [], refused: [], records: [] }],
        };
        for (const wrong of [{ ownerEpoch: 2 }, { ownerEpoch: 0 }, { from: 1 }, { stream: newStream() }]) {
          assert.equal(await live.commit(commitOf(stream, { ...full, ...wrong })), 'fenced');
        }
        assert.deepEqual(await checkpoints.position(stream), { ownerEpoch: 1, nextOffset: 0, foldDigest: null });
        assert.equal(await live.servedLog(game), null);
        assert.equal(await count('live_segments', 'game_uuid = $1', [game]), 0);
        assert.equal(await count('live_tail_versions', 'game_uuid = $1', [game]), 0);
        assert.equal(await count('objects', `key = 'refused/object'`), 0);
        assert.equal(await count('dead_letters', `code = 'refused'`), 0);
        assert.equal(await count('receipt_folds', `receipt = 'refused'`), 0);
        assert.equal(await count('outbox', 'key = $1', [game]), 0);
        assert.equal(await count('games', 'id = $1 and scheduled_start = $2', [game, new Date(start / 1000)]), 0);
      });

      it('happens whole or not at all', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        const closed = {
          seq: 1,
          rows: 1,
          min_timestamp: start,
          max_timestamp: start,
          key: 'k' as ObjectKey,
          size: 1,
          sha256: hex,
        };
        const twice = publication(game, { closed: [closed, closed] });
        await assert.rejects(
          live.commit(commitOf(stream, { games: [twice], objects: [{ key: 'half/object', size: 1, files: 1 }] })),
          /duplicate key/,
        );
        assert.equal((await checkpoints.position(stream))?.nextOffset, 0);
        assert.equal(await live.servedLog(game), null);
        assert.equal(await count('objects', `key = 'half/object'`), 0);
      });
    });

    it('finds what a commit changes by its keys, also with plans from when there was little', async () => {
      const small = await openDatabase(server, { maxConnections: 1 });
      const own = openLiveCatalog(small.sql);
      const stream = newStream();
      await openCheckpointsCatalog(small.sql).claim(stream, 'a');
      const game = randomUUID();
      const commit = (from: number) => {
        const games = [publication(game, { scheduledStart: start + from, boards: [], tail: null, rows: 0 })];
        const objects = [{ key: `flush/${from + 1}`, size: 1, files: 1 }];
        return own.commit(
          commitOf(stream, { from, to: from + 1, games, objects, released: [{ key: `flush/${from}`, files: 1 }] }),
        );
      };
      // More often than the server checks the values before it uses a generic plan.
      for (let from = 0; from < 10; from += 1) await commit(from);
      await small.sql.query(`insert into games (id, league, home_name, away_name, founder_source, first_start, scheduled_start)
        select gen_random_uuid(), 'MLB', 'h', 'a', 'feed', now(), now() from generate_series(1, 5000)`);
      await small.sql.query(
        `insert into objects (key, size, files) select 'other/' || n, 1, 1 from generate_series(1, 5000) n`,
      );
      const rowsRead = async (): Promise<unknown> => {
        await small.sql.query('select pg_stat_force_next_flush()');
        return (await small.sql.query(`select sum(seq_tup_read) from pg_stat_user_tables`)).rows;
      };
      const before = await rowsRead();
      assert.equal(await commit(10), 'committed');
      assert.deepEqual(await rowsRead(), before);
    });

    describe('an unknown commit', () => {
      it('is distinguished from a failed one, by reading the checkpoint', async (test) => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const own = openPool({ ...database.config, maxConnections: 1, applicationName: 'doomed' });
        test.onTestFinished(() => own.close());
        const doomed = openLiveCatalog(own);
        // Another transaction holds the stream's row: the commit waits in the server, where its backend is then ended.
        const held = Promise.withResolvers<void>();
        const release = Promise.withResolvers<void>();
        const holder = sql.transaction(async (tx) => {
          await tx.query(
            'select * from stream_state where projector = $1 and topic = $2 and partition = $3 for update',
            [stream.projector, stream.topic, stream.partition],
          );
          held.resolve();
          await release.promise;
        });
        await held.promise;
        const unknown = assert.rejects(doomed.commit(commitOf(stream, {})), UnknownCommit);
        const waiting = `application_name = 'doomed' and wait_event_type = 'Lock'`;
        while ((await count('pg_stat_activity', waiting)) === 0);
        await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`);
        await unknown;
        release.resolve();
        await holder;
        assert.equal((await checkpoints.position(stream))?.nextOffset, 0, 'this one did not happen');
        assert.equal(await doomed.commit(commitOf(stream, {})), 'committed', 'the pool connects anew');
        assert.equal(await doomed.commit(commitOf(stream, {})), 'fenced', 'and a second time it is not done twice');
      });

      it('is also a transaction whose COMMIT was not answered', async (test) => {
        const own = openPool({ ...database.config, maxConnections: 1, applicationName: 'doomed at commit' });
        test.onTestFinished(() => own.close());
        await sql.query('create table if not exists slow_commits (n integer)');
        await sql.query(
          `create or replace function wait_at_commit() returns trigger language plpgsql as 'begin perform pg_sleep(5); return null; end'`,
        );
        await sql.query(
          `create constraint trigger slow after insert on slow_commits deferrable initially deferred for each row execute function wait_at_commit()`,
        );
        test.onTestFinished(async () => {
          await sql.query('drop table slow_commits; drop function wait_at_commit');
        });
        const transaction = own.transaction((tx) => tx.query('insert into slow_commits values (1)'));
        const unknown = assert.rejects(transaction, UnknownCommit);
        const committing = `application_name = 'doomed at commit' and wait_event = 'PgSleep'`;
        while ((await count('pg_stat_activity', committing)) === 0);
        await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${committing}`);
        await unknown;
      });

      it('is no outage before anything was sent', async (test) => {
        const nowhere = openPool({ connection: 'postgres://nobody@127.0.0.1:1/none' });
        test.onTestFinished(() => nowhere.close());
        await assert.rejects(openLiveCatalog(nowhere).commit(commitOf(newStream(), {})), CatalogUnavailable);
      });
    });

    describe('what is served', () => {
      it('is what was published, to the microsecond', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        const first = publication(game);
        await live.commit(commitOf(stream, { games: [first] }));
        const served = (await live.servedLog(game))!;
        const { gameUuid, generation, firstSeq, rows, appliedThrough, tail, boards, operators } = first;
        const { updatedAt, ...rest } = served;
        assert.deepEqual(rest, {
          gameUuid,
          generation,
          version: 1,
          firstSeq,
          rows,
          appliedThrough,
          tail,
          boards,
          operators,
          closed: [],
        });
        assert.ok(Math.abs(updatedAt - (await live.now())) < 60_000_000);

        const closed = {
          seq: 1,
          rows: 512,
          min_timestamp: start,
          max_timestamp: start + 7,
          key: 'seg/1' as ObjectKey,
          size: 5,
          sha256: hex,
        };
        const tailless = publication(game, {
          rows: 512,
          tail: null,
          closed: [closed],
          boards: [],
          operators: {},
          appliedThrough: null,
        });
        await live.commit(commitOf(stream, { from: 10, to: 20, games: [tailless] }));
        const second = (await live.servedLog(game))!;
        assert.equal(second.version, 2);
        assert.equal(second.tail, null);
        assert.equal(second.appliedThrough, null);
        assert.deepEqual(second.closed, [closed]);
        assert.deepEqual(second.boards, boards);
      });

      it('keeps the boards that a commit leaves alone, in whatever changes beside them', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [game, other] = [randomUUID(), randomUUID()];
        const first = [game, other].map((id) => publication(id));
        await live.commit(commitOf(stream, { games: first }));
        const boards = ['BETMGM', 'FANDUEL'].map((operator) => ({ operator, rows: 7, file: file('flush/2') }));
        const operators = {
          FANDUEL: { last_row_at: start + 9, observed_through: null, source: 'feed' },
          ...first[0]?.operators,
          CAESARS: { last_row_at: start + 9, observed_through: null, source: 'feed' },
          BETMGM: { last_row_at: start + 9, observed_through: start + 9, source: 'feed' },
        };
        const games = [publication(game, { boards: [], operators }), publication(other, { boards })];
        await live.commit(commitOf(stream, { from: 10, to: 20, games }));
        const [left, changed] = [await live.servedLog(game), await live.servedLog(other)];
        assert.deepEqual([left?.version, left?.boards, left?.operators], [2, first[0]?.boards, operators]);
        assert.deepEqual(Object.keys(left?.operators ?? {}), ['BETMGM', 'CAESARS', 'DRAFTKINGS', 'FANDUEL']);
        const [betmgm, fanduel] = boards;
        assert.deepEqual([changed?.version, changed?.boards], [2, [betmgm, ...(first[1]?.boards ?? []), fanduel]]);
        const again = [{ operator: 'DRAFTKINGS', rows: 8, file: file('flush/3') }];
        await live.commit(commitOf(stream, { from: 20, to: 30, games: [publication(other, { boards: again })] }));
        assert.deepEqual((await live.servedLog(other))?.boards, [betmgm, ...again, fanduel]);
        const published = (await live.publishedIn(stream.partition)).find(({ gameUuid }) => gameUuid === other);
        assert.deepEqual(published?.boards, [betmgm, ...again, fanduel]);
      });

      it('is the newest generation', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        await live.commit(commitOf(stream, { games: [publication(game, { generation: 2, firstSeq: 9 })] }));
        await live.commit(commitOf(stream, { from: 10, to: 11, games: [publication(game, { generation: 1 })] }));
        assert.equal((await live.servedLog(game))?.firstSeq, 9);
        assert.deepEqual(
          (await live.publishedIn(stream.partition)).map((log) => log.generation),
          [2],
        );
      });

      it('forgets what it takes the place of, of its game alone', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [game, other] = [randomUUID(), randomUUID()];
        const closed = {
          seq: 1,
          rows: 3,
          min_timestamp: start,
          max_timestamp: start,
          key: 'k' as ObjectKey,
          size: 1,
          sha256: hex,
        };
        const tail = { seq: 2, rows: 2, min_timestamp: start, max_timestamp: start, file: file('tail') };
        const first = [game, other].map((id) => publication(id, { rows: 5, closed: [closed], tail }));
        await live.commit(commitOf(stream, { games: first }));
        const again = { generation: 2, firstSeq: 3, logVersion: 'v2', restarted: true } as const;
        const restarted = publication(game, { ...again, closed: [{ ...closed, seq: 3, key: 'l' as ObjectKey }] });
        await live.commit(commitOf(stream, { from: 10, to: 11, games: [restarted] }));
        const served = (await live.servedLog(game))!;
        assert.deepEqual([served.generation, served.version, served.firstSeq], [2, 1, 3]);
        assert.deepEqual(
          served.closed.map(({ seq, key }) => [seq, key]),
          [[3, 'l']],
        );
        const kept = async (table: string) => [
          await count(table, 'game_uuid = $1', [game]),
          await count(table, 'game_uuid = $1', [other]),
        ];
        assert.deepEqual(
          [await kept('live_logs'), await kept('live_boards'), await kept('live_segments')],
          [
            [1, 1],
            [1, 1],
            [1, 1],
          ],
        );
        const versions = (await live.publishedIn(stream.partition)).map((log) => [log.gameUuid, log.logVersion]);
        assert.deepEqual(Object.fromEntries(versions), { [game]: 'v2', [other]: 'v' });
        await live.commit(
          commitOf(stream, { from: 11, to: 12, games: [publication(game, { ...again, restarted: false })] }),
        );
        assert.equal((await live.servedLog(game))?.version, 2);
      });

      it('lists a partition, and nothing of another', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const games = [randomUUID(), randomUUID()].sort();
        await live.commit(commitOf(stream, { games: games.map((game) => publication(game)) }));
        assert.deepEqual(
          (await live.publishedIn(stream.partition)).map((log) => log.gameUuid),
          games,
        );
        assert.deepEqual(await live.publishedIn(9_999), []);
      });

      it('is of one commit, however many follow one another while it is read', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        let done = false;
        const writer = (async () => {
          for (let n = 1; n <= 120; n += 1) {
            const closed = {
              seq: n,
              rows: 1,
              min_timestamp: start,
              max_timestamp: start,
              key: `k${n}` as ObjectKey,
              size: n,
              sha256: hex,
            };
            const tail = { seq: n + 1, rows: n, min_timestamp: start, max_timestamp: start, file: file(`t${n}`) };
            await live.commit(
              commitOf(stream, { from: n - 1, to: n, games: [publication(game, { rows: n, closed: [closed], tail })] }),
            );
          }
          done = true;
        })();
        let reads = 0;
        while (!done) {
          const log = await live.servedLog(game);
          if (log === null) continue;
          reads += 1;
          assert.equal(log.closed.length, log.rows);
          assert.equal(log.tail?.seq, log.rows + 1);
          assert.equal(log.version, log.rows);
        }
        await writer;
        assert.ok(reads > 5);
      });

      it('finds the version of a segment with so many rows, or the next larger one', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        const tail = (rows: number) => ({
          seq: 1,
          rows,
          min_timestamp: start,
          max_timestamp: start,
          file: file(`tail/${rows}`, rows),
        });
        const versions = [3, 7, 12];
        let offset = 0;
        for (const [index, rows] of versions.entries()) {
          const before = versions[index - 1];
          const superseded = before === undefined ? null : { seq: 1, rows: before, file: tail(before).file };
          await live.commit(
            commitOf(stream, {
              from: offset,
              to: offset + 1,
              games: [publication(game, { rows, tail: tail(rows), superseded })],
            }),
          );
          offset += 1;
        }
        const keyAt = async (rows: number) => (await live.tailVersion(game, 1, 1, rows))?.file.key;
        assert.deepEqual(await Promise.all([1, 3, 4, 7, 8, 12].map(keyAt)), [
          'tail/3',
          'tail/3',
          'tail/7',
          'tail/7',
          'tail/12',
          'tail/12',
        ]);
        assert.equal(await live.tailVersion(game, 1, 1, 13), null);
        assert.deepEqual(await live.tailVersion(game, 1, 1, 7), { rows: 7, file: tail(7).file });
        const closed = {
          seq: 1,
          rows: 14,
          min_timestamp: start,
          max_timestamp: start,
          key: 'closed' as ObjectKey,
          size: 9,
          sha256: hex,
        };
        const next = { ...tail(1), seq: 2 };
        await live.commit(
          commitOf(stream, {
            from: offset,
            to: offset + 1,
            games: [
              publication(game, {
                rows: 15,
                tail: next,
                closed: [closed],
                superseded: { seq: 1, rows: 12, file: tail(12).file },
              }),
            ],
          }),
        );
        assert.deepEqual(await Promise.all([12, 13, 14].map(keyAt)), ['tail/12', 'closed', 'closed']);
        assert.equal((await live.tailVersion(game, 1, 2, 1))?.rows, 1);
        assert.equal(await live.tailVersion(game, 2, 1, 1), null, 'of another log');
      });

      it('is announced, every game of a large commit, and never one that was refused', async (test) => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const notices: ServingNotice[] = [];
        const last = randomUUID();
        const arrived = Promise.withResolvers<void>();
        const stop = await live.watchServing({
          moved(notice) {
            notices.push(notice);
            if (notice.gameUuid === last) arrived.resolve();
          },
          lost() {},
        });
        test.onTestFinished(stop);
        const games = Array.from({ length: 250 }, () => randomUUID());
        await live.commit(commitOf(stream, { ownerEpoch: 7, games: [publication(randomUUID())] }));
        await live.commit(commitOf(stream, { games: games.map((game) => publication(game)) }));
        await live.commit(commitOf(stream, { from: 10, to: 11, games: [publication(last)] }));
        await arrived.promise;
        assert.deepEqual(notices.map((notice) => notice.gameUuid).sort(), [...games, last].sort());
        assert.deepEqual(notices[0], { gameUuid: notices[0]?.gameUuid, generation: 1, version: 1 });
      });

      it('tells its watchers and the publications topic of the trace of each game, where it has one', async (test) => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const notices: ServingNotice[] = [];
        const last = randomUUID();
        const arrived = Promise.withResolvers<void>();
        const stop = await live.watchServing({
          moved(notice) {
            notices.push(notice);
            if (notice.gameUuid === last) arrived.resolve();
          },
          lost() {},
        });
        test.onTestFinished(stop);
        // The longest notices: a server accepts at most 8,000 bytes.
        const games = Array.from({ length: 250 }, () => randomUUID());
        const traces = new Map(games.slice(0, 200).map((game, push): [string, string] => [game, contextOf(push)]));
        await live.commit({ ...commitOf(stream, { games: games.map((game) => publication(game)) }), traces });
        await live.commit(commitOf(stream, { from: 10, to: 11, games: [publication(last)] }));
        await arrived.promise;
        const said = notices.filter(({ gameUuid }) => gameUuid !== last);
        assert.deepEqual(said.map(({ gameUuid }) => gameUuid).sort(), games.sort());
        for (const { gameUuid, traceparent } of notices) assert.equal(traceparent, traces.get(gameUuid));
        assert.ok(notices.every((notice) => notice.gameUuid !== last || !('traceparent' in notice)));
        const published = await openOutboxCatalog(sql).publications(10_000);
        const traced = new Map(published.map(({ value, traceparent }) => [value.game_uuid, traceparent]));
        for (const game of [...games, last]) assert.equal(traced.get(game), traces.get(game) ?? null);
      });

      it('tells its watchers when the connection was lost, and goes on by itself', async (test) => {
        const own = openPool({ ...database.config, maxConnections: 1, applicationName: 'watcher' });
        test.onTestFinished(() => own.close());
        const game = randomUUID();
        let losses = 0;
        const back = Promise.withResolvers<void>();
        const arrived = Promise.withResolvers<void>();
        await openLiveCatalog(own).watchServing({
          moved: (notice) => notice.gameUuid === game && arrived.resolve(),
          lost() {
            losses += 1;
            if (losses === 2) back.resolve();
          },
        });
        await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watcher'`);
        await back.promise;
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        await live.commit(commitOf(stream, { games: [publication(game)] }));
        await arrived.promise;
      });
    });

    describe('what else a commit moves', () => {
      it('moves the start of a game, unless the schedule has it', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [reported, scheduled] = [randomUUID(), randomUUID()];
        await addGame(reported);
        await addGame(scheduled);
        await sql.query(`update games set from_schedule = true, scheduled_start = '2026-01-01' where id = $1`, [
          scheduled,
        ]);
        await live.commit(
          commitOf(stream, {
            games: [reported, scheduled].map((game) => publication(game, { scheduledStart: start })),
          }),
        );
        const starts = await sql.query('select id, scheduled_start from games where id = any ($1) order by id = $2', [
          [reported, scheduled],
          scheduled,
        ]);
        assert.deepEqual(
          starts.rows.map((row) => row.scheduled_start),
          [start, Date.UTC(2026, 0, 1) * 1000],
        );
      });

      it('keeps dead letters and receipts, hostile texts included', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const detail = 'nul \0, half a pair \ud800, a backslash \\u0000 and "quotes"';
        const letters = [{ ...letter, detail, gameUuid: 'no uuid', code: 'hostile' }];
        const record = {
          index: 3,
          state: 'refused' as const,
          game_id: 'g\0',
          seq: null,
          rows: null,
          refusals: [{ pointer: '/\udfff', code: 'bad-key' }],
        };
        const receipts = [
          {
            receipt: 'hostile-1',
            source: 's',
            applied: [2, 0, 9, 1],
            duplicates: [4],
            refused: [3, 3],
            records: [record],
          },
          ...['x'.repeat(100_000), 'nul\0', 'nul\ufffd', ''].map((receipt) => ({
            receipt,
            source: 's',
            applied: [2 ** 31 - 1, 2 ** 31 - 1],
            duplicates: [],
            refused: [],
            records: [],
          })),
          { receipt: 'largest', source: 's', applied: [2 ** 31 - 1], duplicates: [], refused: [], records: [] },
        ];
        assert.equal(await live.commit(commitOf(stream, { deadLetters: letters, receipts })), 'committed');
        const kept = await sql.query(
          `select detail, game_uuid, payload, payload_sha256 from dead_letters where code = 'hostile'`,
        );
        assert.equal(kept.rows[0]?.detail, 'nul \ufffd, half a pair \ufffd, a backslash \\u0000 and "quotes"');
        assert.equal(kept.rows[0]?.game_uuid, null);
        assert.deepEqual([...(kept.rows[0]!.payload as Buffer)], [0, 1, 255]);
        const folds = await sql.query(
          'select receipt, applied::text, records from receipt_folds where topic = $1 and partition = $2 order by receipt',
          [stream.topic, stream.partition],
        );
        assert.deepEqual(folds.rows, [
          {
            receipt: 'hostile-1',
            applied: '{[0,3),[9,10)}',
            records: [{ ...record, game_id: 'g\ufffd', refusals: [{ pointer: '/\ufffd', code: 'bad-key' }] }],
          },
          { receipt: 'largest', applied: '{[2147483647,2147483648)}', records: [] },
        ]);
      });

      it('keeps the receipt of a dead letter where it is one', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const receipts = ['rcpt_1', 'x'.repeat(100), 'x'.repeat(101), 'of two words', 'nul\0', ''];
        const letters = receipts.map((receipt, offset) => ({ ...letter, receipt, offset, code: 'received' }));
        assert.equal(await live.commit(commitOf(stream, { deadLetters: letters })), 'committed');
        const kept = await sql.query(`select receipt from dead_letters where code = 'received' order by "offset"`);
        assert.deepEqual(
          kept.rows.map(({ receipt }) => receipt),
          ['rcpt_1', 'x'.repeat(100), null, null, null, null],
        );
      });

      it('keeps 200,000 dead letters of a source a UTC day, counts the others, and keeps no payload for them', async () => {
        const hadToday = (source: string, letters: number) =>
          sql.query(`insert into fold_letter_days values ($1, (now() at time zone 'utc')::date, $2)`, [
            source,
            letters,
          ]);
        await hadToday('flood', 199_997);
        await hadToday('full', 300_000);
        const of = (source: string | null, pushIndex: number, payload: Uint8Array) => {
          return { ...letter, source, pushIndex, payload, code: 'counted' };
        };
        const [shared, unkept, alone] = ['shared', 'unkept', 'alone'].map((text) => Buffer.from(text)) as [
          Buffer,
          Buffer,
          Buffer,
        ];
        const deadLetters = [
          of('flood', 0, shared),
          of('full', 1, unkept),
          of('flood', 2, shared),
          of('honest', 3, alone),
          of('flood', 4, alone),
          of('flood', 5, shared),
          of('full', 6, unkept),
          of('no name', 7, alone),
          of('x'.repeat(10_000), 8, shared),
          of(null, 9, alone),
        ];
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const commit = commitOf(stream, { deadLetters });
        assert.equal(await live.commit({ ...commit, ownerEpoch: commit.ownerEpoch + 1 }), 'fenced');
        assert.equal(await live.commit(commit), 'committed');
        const { rows } = await sql.query(
          `select push_index, convert_from(coalesce(payload, (select payload from letter_payloads where id = payload_id)), 'UTF8') as payload
           from dead_letters where code = 'counted' order by id`,
        );
        assert.deepEqual(
          rows.map((row) => [row.push_index, row.payload]),
          [
            [0, 'shared'],
            [2, 'shared'],
            [3, 'alone'],
            [4, 'alone'],
            [7, 'alone'],
            [8, 'shared'],
            [9, 'alone'],
          ],
        );
        const payloads = await sql.query(`select from letter_payloads where payload = 'unkept'`);
        assert.equal(payloads.rowCount, 0);
        const today = (await openDeadLettersCatalog(sql).ofFoldToday()).filter(({ source }) =>
          ['', 'flood', 'full', 'honest'].includes(source),
        );
        assert.deepEqual(today, [
          { source: '', letters: 3, kept: 3 },
          { source: 'flood', letters: 200_001, kept: 200_000 },
          { source: 'full', letters: 300_002, kept: 200_000 },
          { source: 'honest', letters: 1, kept: 1 },
        ]);
        await sql.query(`update fold_letter_days set day = day - 1 where source = 'full'`);
        const next = commitOf({ ...newStream() }, { deadLetters: [of('full', 10, alone)] });
        await checkpoints.claim(next.stream, 'a');
        assert.equal(await live.commit(next), 'committed');
        assert.equal(
          (await sql.query(`select from dead_letters where code = 'counted' and push_index = 10`)).rowCount,
          1,
        );
      });

      it('counts the dead letters that many partitions have of the same sources at once', async () => {
        const sources = ['a1', 'b1', 'c1', 'd1'];
        const partitions = Array.from({ length: 8 }, async (_, nth) => {
          const stream = newStream();
          await checkpoints.claim(stream, 'a');
          const ordered = nth % 2 === 0 ? sources : sources.toReversed();
          const deadLetters = ordered.flatMap((source) => [
            { ...letter, source, code: 'at once' },
            { ...letter, source, code: 'at once' },
          ]);
          return await live.commit(commitOf(stream, { deadLetters }));
        });
        assert.deepEqual(await Promise.all(partitions), Array(8).fill('committed'));
        const today = (await openDeadLettersCatalog(sql).ofFoldToday()).filter(({ source }) =>
          sources.includes(source),
        );
        assert.deepEqual(
          today,
          sources.map((source) => ({ source, letters: 16, kept: 16 })),
        );
        assert.equal((await sql.query(`select from dead_letters where code = 'at once'`)).rowCount, 64);
      });

      it('knows the partitions that get a tick, each once, in order', async () => {
        const publish = async (...games: GamePublication[]): Promise<number> => {
          const stream = newStream();
          await checkpoints.claim(stream, 'a');
          await live.commit(commitOf(stream, { games }));
          return stream.partition;
        };
        const rebuilt = randomUUID();
        const ticking = [
          await publish(publication(randomUUID()), publication(randomUUID())),
          await publish(publication(randomUUID()), publication(randomUUID(), { openOffer: false })),
        ];
        const silent = [
          await publish(publication(randomUUID(), { openOffer: false })),
          await publish(publication(randomUUID(), { receiveTimed: false })),
          await publish(publication(rebuilt), publication(rebuilt, { generation: 2, openOffer: false })),
        ];
        const all = [...silent, ...ticking];
        const mine = (await live.tickingPartitions()).filter((partition) => all.includes(partition));
        assert.deepEqual(mine, ticking);
      });

      it('knows the games of a source that a replay ticks', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [bound, fresh, owned, foreign, over] = [
          randomUUID(),
          randomUUID(),
          randomUUID(),
          randomUUID(),
          randomUUID(),
        ];
        for (const game of [bound, fresh, owned, foreign, over]) await addGame(game);
        for (const game of [bound, fresh, over]) {
          await sql.query(`insert into game_events values ('replayed', $1::text, $1::text::uuid, 'MLB', now())`, [
            game,
          ]);
        }
        const operators = { X: { last_row_at: start, observed_through: null, source: 'replayed' } };
        await live.commit(
          commitOf(stream, {
            games: [
              publication(bound),
              publication(owned, { operators }),
              publication(foreign),
              publication(over, { openOffer: false }),
            ],
          }),
        );
        const games = (await live.gamesOpenFor('replayed')).map((game) => game.gameUuid);
        assert.deepEqual(games, [bound, fresh, owned].sort());
      });

      it('knows of the games of events those that wait for time without ticks of their partition', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [open, over, ticked, waiting] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
        const [waitingTicked, closed, unnamed] = [randomUUID(), randomUUID(), randomUUID()];
        const named = [open, over, ticked, waiting, waitingTicked, closed];
        for (const game of [...named, unnamed]) {
          await addGame(game);
          await sql.query(`insert into game_events values ('lined', $1::text, $1::text::uuid, 'NBA', now())`, [game]);
        }
        const untimed = (game: string, openOffer: boolean) => publication(game, { openOffer, receiveTimed: false });
        await live.commit(
          commitOf(stream, {
            games: [
              ...[open, closed, unnamed].map((game) => untimed(game, true)),
              ...[over, waiting, waitingTicked].map((game) => untimed(game, false)),
              publication(ticked),
            ],
            settlements: [
              { gameUuid: waiting, ticked: false, closed: null },
              { gameUuid: waitingTicked, ticked: true, closed: null },
              { gameUuid: closed, ticked: false, closed: closedFacts(closed) },
            ],
          }),
        );
        const games = await live.gamesWithoutTicks('lined', named);
        assert.deepEqual(
          games.map((game) => game.gameUuid),
          [open, waiting].sort(),
        );
        assert.deepEqual(await live.gamesWithoutTicks('another', named), []);
      });
    });

    describe('objects', () => {
      it('become collectable when their last file is released and the grace is over', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const [shared, single, empty] = ['gc/shared', 'gc/single', 'gc/empty'];
        await live.commit(
          commitOf(stream, {
            to: 1,
            objects: [
              { key: shared, size: 9, files: 3 },
              { key: single, size: 1, files: 1 },
            ],
          }),
        );
        await live.commit(
          commitOf(stream, {
            from: 1,
            to: 2,
            released: [
              { key: shared, files: 1 },
              { key: shared, files: 1 },
              { key: single, files: 1 },
            ],
            objects: [{ key: empty, size: 1, files: 0 }],
          }),
        );
        const soon = (await live.now()) + 1_000_000;
        assert.deepEqual(await used.collectable((await live.now()) - 60_000_000, 10), [], 'not before the grace');
        assert.deepEqual((await used.collectable(soon, 10)).slice().sort(), [empty, single].sort());
        assert.equal((await used.collectable(soon, 1)).length, 1);
        await live.commit(commitOf(stream, { from: 2, to: 3, released: [{ key: shared, files: 1 }] }));
        assert.ok((await used.collectable(soon + 1_000_000, 10)).includes(shared));
        await used.forgetObjects([single, shared]);
        assert.deepEqual([...(await used.knownObjects([shared, single, empty, 'gc/orphan']))], [empty]);
      });

      it('are released in the order of their keys, so that no two who release wait for each other', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const keys = ['order/a', 'order/b'];
        await live.commit(commitOf(stream, { to: 1, objects: keys.map((key) => ({ key, size: 1, files: 1 })) }));
        let committing: Promise<unknown> | null = null;
        await sql.transaction(async (tx) => {
          await tx.query('select from objects where key = $1 for update', [keys[0]]);
          const released = keys.toReversed().map((key) => ({ key, files: 1 }));
          committing = live.commit(commitOf(stream, { from: 1, to: 2, released }));
          const waits = `select from pg_locks where not granted and pid in (
            select pid from pg_stat_activity where datname = current_database())`;
          while ((await sql.query(waits)).rowCount === 0);
          const free = await tx.query('select from objects where key = $1 for update skip locked', [keys[1]]);
          assert.equal(free.rowCount, 1, 'the commit waits for the first without holding the second');
        });
        assert.equal(await committing, 'committed');
      });

      it('that are current are not forgotten', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        await live.commit(commitOf(stream, { objects: [{ key: 'gc/current', size: 1, files: 1 }] }));
        await used.forgetObjects(['gc/current']);
        assert.deepEqual([...(await used.knownObjects(['gc/current']))], ['gc/current']);
      });

      it('that a commit begins and releases at once are counted right', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        await live.commit(
          commitOf(stream, {
            objects: [{ key: 'gc/brief', size: 1, files: 2 }],
            released: [{ key: 'gc/brief', files: 2 }],
          }),
        );
        assert.ok((await used.collectable((await live.now()) + 1_000_000, 10)).includes('gc/brief'));
      });

      it('take the superseded versions of tails with them', async () => {
        const stream = newStream();
        await checkpoints.claim(stream, 'a');
        const game = randomUUID();
        const superseded = { seq: 1, rows: 2, file: file('gc/tail') };
        await live.commit(commitOf(stream, { games: [publication(game, { superseded })] }));
        await used.collectable((await live.now()) - 60_000_000, 10);
        assert.equal((await live.tailVersion(game, 1, 1, 1))?.rows, 2);
        await used.collectable((await live.now()) + 1_000_000, 10);
        assert.equal((await live.tailVersion(game, 1, 1, 1))?.rows, 3, 'only the current one is left');
      });
    });
  });
}
