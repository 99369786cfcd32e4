// Final artifacts in the catalog: each version lands once, all of a landing as one, with their notice and the use of their objects
// (docs/settlement.md#when-a-game-closes; docs/settlement.md#versions-and-corrections; I7, I16). One statement reads what is served of a
// game, so at every instant it shows the log or the file that replaced it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import type { ArtifactsCatalog, LandedArtifact } from '../../../core/ports/catalog/artifacts.ts';
import type { StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import { UnknownCommit } from '../../../core/ports/catalog/errors.ts';
import type { GamePublication, LiveCatalog } from '../../../core/ports/catalog/live.ts';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { openArtifactsCatalog } from '../../../platform/postgres/artifacts-catalog.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openObjectsCatalog } from '../../../platform/postgres/objects-catalog.ts';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { collectOrphans, collectSuperseded } from '../../../projectors/jobs/collector.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const sha256 = 'ab'.repeat(32);
const stream: StreamKey = { projector: 'live', topic: 'sds.quotes.v1', partition: 7 };

function landing(dataset: string, key: string, offset = 0, rows = 12): LandedArtifact {
  return { dataset, version: 1, rows, file: { key: key as ObjectKey, offset, size: 100, sha256 }, reason: 'settled' };
}

/** A version after the first, with a file of its own. */
function version(number: number, dataset: string, key: string, rows = 12): LandedArtifact {
  return { ...landing(dataset, key, 0, rows), version: number, reason: `player-stats/E/${number}` };
}

for (const server of await allTestServers()) {
  describe(`final artifacts on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let artifacts: ArtifactsCatalog;
    let live: LiveCatalog;
    let ownerEpoch: number;
    let offset = 0;

    beforeAll(async () => {
      sql = (await openDatabase(server, { maxConnections: 34 })).sql;
      artifacts = openArtifactsCatalog(sql);
      live = openLiveCatalog(sql);
      ownerEpoch = (await openCheckpointsCatalog(sql).claim(stream, 'tests')).ownerEpoch;
    });

    async function commit(gameUuid: string, rows: number): Promise<void> {
      const file = { key: `flushes/${gameUuid}` as ObjectKey, offset: 0, size: 100, sha256 };
      const game: GamePublication = {
        gameUuid,
        generation: 1,
        logVersion: 'v',
        firstSeq: 1,
        rows,
        appliedThrough: 5,
        logTime: 5,
        tail: { seq: 1, rows, min_timestamp: 1, max_timestamp: 5, file },
        closed: [],
        boards: [{ operator: 'DRAFTKINGS', rows: 1, file }],
        operators: { DRAFTKINGS: { last_row_at: 5, observed_through: 5, source: 'feed' } },
        openOffer: true,
        receiveTimed: true,
        scheduledStart: null,
        superseded: null,
        restarted: false,
      };
      const fence = {
        stream,
        ownerEpoch,
        from: offset,
        to: offset + 1,
        foldDigest: sha256,
        snapshot: null,
        logVersion: null,
      };
      const nothing = { objects: [], released: [], settlements: [], deadLetters: [], receipts: [] };
      assert.equal(await live.commit({ ...fence, ...nothing, games: [game] }), 'committed');
      offset += 1;
    }

    async function usesOf(key: string): Promise<number | undefined> {
      return (await sql.query('select files from objects where key = $1', [key])).rows[0]?.files as number | undefined;
    }

    it('land together, and are what was landed', async () => {
      const game = randomUUID();
      assert.equal(await artifacts.artifact(game, 'closing-lines', null), null);
      const files = [landing('sportsbook-lines', `finals/${game}`), landing('closing-lines', `finals/${game}`, 100, 0)];
      await artifacts.land(game, files);
      for (const file of files) {
        const { landedAt, ...found } = (await artifacts.artifact(game, file.dataset, null))!;
        assert.deepEqual(found, { gameUuid: game, ...file });
        assert.ok(Math.abs(landedAt - (await live.now())) < 60_000_000);
      }
      assert.equal(await artifacts.artifact(game, 'market-results', null), null);
      assert.equal(await artifacts.artifact(randomUUID(), 'closing-lines', null), null);
      const { log, artifacts: all } = await artifacts.served(game);
      assert.equal(log, null);
      assert.deepEqual(all[0], await artifacts.artifact(game, 'closing-lines', null));
      assert.deepEqual(all[1], await artifacts.artifact(game, 'sportsbook-lines', null));
      assert.equal(all.length, 2);
    });

    it('hold sizes and counts beyond 32 bits', async () => {
      const game = randomUUID();
      const file = { key: `finals/${game}` as ObjectKey, offset: 5_000_000_000, size: 6_000_000_000, sha256 };
      await artifacts.land(game, [{ ...landing('sportsbook-lines', file.key), rows: 7_000_000_000, file }]);
      const found = await artifacts.artifact(game, 'sportsbook-lines', null);
      assert.deepEqual([found?.file, found?.rows], [file, 7_000_000_000]);
      assert.deepEqual((await artifacts.served(game)).artifacts, [found]);
    });

    it('have versions: the newest is what is served, each can be read for ever', async () => {
      const game = randomUUID();
      const lines = landing('sportsbook-lines', `finals/${game}/1`);
      const results = [
        landing('market-results', `finals/${game}/1`, 100, 3),
        ...[2, 3].map((number) => version(number, 'market-results', `finals/${game}/${number}`, 3 + number)),
      ];
      assert.deepEqual(await artifacts.versions(game, 'market-results'), []);
      for (const file of [lines, ...results])
        assert.deepEqual(await artifacts.land(game, [file]), { landed: [file.dataset], left: [] });
      const all = await artifacts.versions(game, 'market-results');
      assert.deepEqual(
        all.map(({ landedAt: _, ...found }) => found),
        results.toReversed().map((file) => ({ gameUuid: game, ...file })),
      );
      for (const found of all) assert.deepEqual(await artifacts.artifact(game, 'market-results', found.version), found);
      assert.deepEqual(await artifacts.artifact(game, 'market-results', null), all[0]);
      assert.equal(await artifacts.artifact(game, 'market-results', 4), null);
      assert.equal(await artifacts.artifact(game, 'closing-lines', 1), null);
      const [first] = await artifacts.versions(game, 'sportsbook-lines');
      assert.deepEqual((await artifacts.served(game)).artifacts, [all[0], first]);
      assert.deepEqual(
        [await usesOf(`finals/${game}/1`), await usesOf(`finals/${game}/2`), await usesOf(`finals/${game}/3`)],
        [2, 1, 1],
      );
    });

    it('a landing says which versions were there already, and lands the others', async () => {
      const game = randomUUID();
      const key = (name: string) => `finals/${game}/${name}`;
      await artifacts.land(game, [landing('closing-lines', key('a')), landing('market-results', key('a'), 100)]);
      await artifacts.land(game, [version(2, 'closing-lines', key('b'))]);
      const result = await artifacts.land(game, [
        version(2, 'market-results', key('c'), 5),
        landing('game-state-timeline', key('d')),
        version(2, 'closing-lines', key('c'), 99),
      ]);
      assert.deepEqual(result, { landed: ['game-state-timeline', 'market-results'], left: ['closing-lines'] });
      assert.deepEqual(
        (await artifacts.served(game)).artifacts.map((found) => [found.dataset, found.version, found.file.key]),
        [
          ['closing-lines', 2, key('b')],
          ['game-state-timeline', 1, key('d')],
          ['market-results', 2, key('c')],
        ],
      );
      assert.equal(await usesOf(key('c')), 1);
      assert.deepEqual(await artifacts.land(game, [landing('closing-lines', key('e'))]), {
        landed: [],
        left: ['closing-lines'],
      });
      assert.equal((await artifacts.artifact(game, 'closing-lines', 1))?.file.key, key('a'));
    });

    it('a version that is not the next is refused, and nothing lands with it', async () => {
      const game = randomUUID();
      const key = `finals/${game}`;
      const refused = /closing-lines version 3 after 1/;
      await assert.rejects(artifacts.land(game, [version(2, 'market-results', key)]), /version 2 after 0/);
      await artifacts.land(game, [landing('closing-lines', key)]);
      const files = [landing('sportsbook-lines', key), version(3, 'closing-lines', key)];
      await assert.rejects(artifacts.land(game, files), refused);
      await assert.rejects(artifacts.land(game, [version(0, 'market-results', key)]), /artifacts_version_check/);
      assert.equal((await artifacts.served(game)).artifacts.length, 1);
      assert.equal(await usesOf(key), 1);
    });

    it('a dataset that has a file already is left as it is, and the object that came too late is no use of it', async () => {
      const game = randomUUID();
      await artifacts.land(game, [landing('sportsbook-lines', `finals/${game}/a`)]);
      const first = await artifacts.artifact(game, 'sportsbook-lines', null);
      await artifacts.land(game, [landing('sportsbook-lines', `finals/${game}/a`)]);
      await artifacts.land(game, [
        landing('market-results', `finals/${game}/b`, 0, 3),
        landing('sportsbook-lines', `finals/${game}/b`, 100),
      ]);
      await artifacts.land(game, [landing('sportsbook-lines', `finals/${game}/c`)]);
      assert.deepEqual(await artifacts.artifact(game, 'sportsbook-lines', null), first);
      assert.equal((await artifacts.artifact(game, 'market-results', null))?.rows, 3);
      assert.deepEqual(
        [await usesOf(`finals/${game}/a`), await usesOf(`finals/${game}/b`), await usesOf(`finals/${game}/c`)],
        [1, 1, undefined],
      );
    });

    it('a landing whose answer was lost is landed again, and is there once', async () => {
      const game = randomUUID();
      const losing = openArtifactsCatalog({
        ...sql,
        async transaction(work) {
          await sql.transaction(work);
          throw new UnknownCommit('the answer was lost');
        },
      });
      const files = [landing('sportsbook-lines', `finals/${game}`)];
      await assert.rejects(losing.land(game, files), UnknownCommit);
      const first = await artifacts.served(game);
      await artifacts.land(game, files);
      assert.deepEqual(await artifacts.served(game), first);
      assert.deepEqual([first.artifacts.length, await usesOf(`finals/${game}`)], [1, 1]);
    });

    it('of 32 concurrent landings exactly one lands, whole', async () => {
      const game = randomUUID();
      const datasets = ['sportsbook-lines', 'closing-lines', 'market-results', 'game-state-timeline'];
      await Promise.all(
        Array.from({ length: 32 }, (_, attempt) => {
          const turned = [...datasets.slice(attempt % 4), ...datasets.slice(0, attempt % 4)];
          return artifacts.land(
            game,
            turned.map((dataset) =>
              landing(dataset, `finals/${game}/${attempt}`, datasets.indexOf(dataset) * 100, attempt),
            ),
          );
        }),
      );
      const { artifacts: landed } = await artifacts.served(game);
      assert.equal(landed.length, 4);
      assert.equal(new Set(landed.map(({ rows }) => rows)).size, 1, 'all of one attempt');
      assert.equal(await usesOf(landed[0]!.file.key), 4);
      const { rows } = await sql.query('select count(*) as n from objects where key like $1', [`finals/${game}/%`]);
      assert.equal(rows[0]?.n, 1);
    });

    it('of 32 concurrent landings of one version exactly one lands, and each of the others gets to know it', async () => {
      const game = randomUUID();
      await artifacts.land(game, [landing('market-results', `finals/${game}/first`)]);
      for (const number of [2, 3]) {
        const results = await Promise.all(
          Array.from({ length: 32 }, (_, attempt) =>
            artifacts.land(game, [version(number, 'market-results', `finals/${game}/${number}/${attempt}`, attempt)]),
          ),
        );
        const winner = results.findIndex(({ landed }) => landed.length > 0);
        assert.deepEqual(results[winner], { landed: ['market-results'], left: [] });
        for (const [attempt, each] of results.entries())
          if (attempt !== winner) assert.deepEqual(each, { landed: [], left: ['market-results'] });
        const newest = await artifacts.artifact(game, 'market-results', null);
        assert.deepEqual([newest?.version, newest?.rows], [number, winner]);
      }
      const { rows } = await sql.query('select count(*) as n from objects where key like $1', [`finals/${game}/%`]);
      assert.equal(rows[0]?.n, 3);
    });

    it('an object that was given up for collection is not taken up again: nothing lands', async () => {
      const game = randomUUID();
      const key = `finals/${game}/given-up`;
      await sql.query('insert into objects (key, size, files, released_at) values ($1, 1, 0, now())', [key]);
      const other = `finals/${game}/other`;
      await assert.rejects(
        artifacts.land(game, [landing('closing-lines', other), landing('sportsbook-lines', key)]),
        /given up/,
      );
      assert.deepEqual((await artifacts.served(game)).artifacts, []);
      assert.deepEqual([await usesOf(key), await usesOf(other)], [0, undefined]);
    });

    it('an object in use already may hold them: its uses add up', async () => {
      const game = randomUUID();
      const key = `segments/${game}`;
      await sql.query('insert into objects (key, size, files) values ($1, 100, 1)', [key]);
      await artifacts.land(game, [landing('sportsbook-lines', key)]);
      assert.equal(await usesOf(key), 2);
    });

    it('are announced at the commit, a landing that changed nothing is not', async () => {
      const games = [randomUUID(), randomUUID(), randomUUID()];
      const notices: string[] = [];
      const arrived = Promise.withResolvers<void>();
      const stop = await live.watchServing({
        moved: ({ gameUuid, version }) => notices.push(`moved ${gameUuid} ${version}`),
        landed(gameUuid) {
          notices.push(`landed ${gameUuid}`);
          if (gameUuid === games[2]) arrived.resolve();
        },
        lost() {},
      });
      const at = (game: number) => games[game] as string;
      await commit(at(0), 3);
      await artifacts.land(at(0), [landing('sportsbook-lines', `finals/${at(0)}`)]);
      await artifacts.land(at(0), [landing('sportsbook-lines', `finals/${at(0)}`)]);
      await artifacts.land(at(1), [landing('closing-lines', `finals/${at(1)}`)]);
      await artifacts.land(at(2), [landing('sportsbook-lines', `finals/${at(2)}`)]);
      await arrived.promise;
      await stop();
      assert.deepEqual(notices, [`moved ${at(0)} 1`, `landed ${at(0)}`, `landed ${at(1)}`, `landed ${at(2)}`]);
    });

    it('are announced on the topic of publications, once each', async () => {
      const game = randomUUID();
      const files = [
        landing('sportsbook-lines', `finals/${game}`, 0, 7),
        landing('closing-lines', `finals/${game}`, 100, 3),
      ];
      await artifacts.land(game, files);
      await artifacts.land(game, files);
      await artifacts.land(game, [version(2, 'closing-lines', `finals/${game}/2`, 4)]);
      const outgoing = await openOutboxCatalog(sql).publications(1_000);
      const none = { seq: null, epoch: null, revision: null };
      const common = { game_uuid: game, kind: 'final', generation: 0, version: 1, ...none };
      assert.deepEqual(
        outgoing.map(({ value }) => value).filter(({ game_uuid }) => game_uuid === game),
        [
          { ...common, rows: 3, dataset: 'closing-lines' },
          { ...common, rows: 7, dataset: 'sportsbook-lines' },
          { ...common, version: 2, rows: 4, dataset: 'closing-lines' },
        ],
      );
    });

    it('the log is what is served until the final lines land; other files and later commits change nothing of it', async () => {
      const game = randomUUID();
      assert.deepEqual(await artifacts.served(game), { log: null, closedFrom: null, artifacts: [] });
      await commit(game, 3);
      const { log } = await artifacts.served(game);
      assert.deepEqual(log, await live.servedLog(game));
      await artifacts.land(game, [landing('closing-lines', `finals/${game}/1`)]);
      assert.deepEqual((await artifacts.served(game)).log, log);
      assert.equal((await artifacts.served(game)).closedFrom, null);
      const closed = JSON.stringify({ generation: log?.generation });
      await sql.query('insert into settlements (game_uuid, partition, ticked, closed) values ($1, 0, false, $2)', [
        game,
        closed,
      ]);
      await artifacts.land(game, [landing('sportsbook-lines', `finals/${game}/2`)]);
      const final = await artifacts.served(game);
      assert.deepEqual([final.log, final.closedFrom], [null, log?.firstSeq]);
      await commit(game, 4);
      const after = await artifacts.served(game);
      assert.deepEqual([after.log, after.artifacts.length], [null, 2]);
    });

    // I16 at its root: if log and files were read in two statements, a landing between them would show neither.
    it('no read that races a landing shows neither the log nor the final lines, and none goes back', async () => {
      for (let round = 0; round < 15; round += 1) {
        const game = randomUUID();
        await commit(game, 1);
        let landed = false;
        const readers = Array.from({ length: 6 }, async () => {
          let final = false;
          for (let after = 0; after < 3; ) {
            const { log, artifacts: files } = await artifacts.served(game);
            assert.equal(files.length === 1, log === null, 'exactly one of both');
            assert.ok(!final || log === null, 'never back');
            final ||= log === null;
            if (landed) after += 1;
          }
          assert.ok(final);
        });
        await artifacts.land(game, [landing('sportsbook-lines', `finals/${game}`)]);
        landed = true;
        await Promise.all(readers);
      }
    });

    it('end the use of the boards of their games, once, and of nothing else', async () => {
      const objects = openObjectsCatalog(sql);
      await objects.releaseSettledBoards();
      const [settled, open] = [randomUUID(), randomUUID()];
      for (const game of [settled, open]) {
        await commit(game, 4);
        await sql.query('insert into objects (key, size, files) values ($1, 100, 2)', [`flushes/${game}`]);
      }
      await artifacts.land(settled, [landing('sportsbook-lines', `finals/${settled}`)]);
      await artifacts.land(open, [landing('game-state-timeline', `finals/${open}`)]);
      assert.equal(await objects.releaseSettledBoards(), 1);
      assert.equal(await objects.releaseSettledBoards(), 0);
      assert.deepEqual([await usesOf(`flushes/${settled}`), await usesOf(`flushes/${open}`)], [1, 2]);
      const [ofSettled, ofOpen] = [await live.servedLog(settled), await live.servedLog(open)];
      assert.deepEqual([ofSettled?.boards.length, ofOpen?.boards.length], [0, 1]);
      assert.equal(ofSettled?.tail?.file.key, `flushes/${settled}`, 'its segments stay');
    });

    it('the collector takes no object that holds one, and takes what landed too late', async () => {
      const game = randomUUID();
      const objects = openMemoryStore(() => 0);
      const keys = ['landed', 'late'].map((name) => `finals/${game}/${name}`);
      for (const key of keys) await objects.put(key, Buffer.alloc(100));
      for (const key of keys) await artifacts.land(game, [landing('sportsbook-lines', key)]);
      const tools = { catalog: openObjectsCatalog(sql), live, objects, crash: noCrashPoints };
      await collectOrphans(tools, 0);
      await collectSuperseded(tools, -60_000_000);
      assert.notEqual(await objects.head(keys[0] as string), null);
      assert.equal(await objects.head(keys[1] as string), null);
    });
  });
}
