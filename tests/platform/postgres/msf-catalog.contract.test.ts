// Claim: the catalog of MSF streams is exactly what fenced commits wrote (I12, I19): revisions and archives continue their epochs, full
// pages of archives never change, and nothing that an archive holds is ever deleted.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import { heldElementKey } from '../../../core/msf/bodies/held-element.ts';
import type { StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import type {
  FilePart,
  GameMove,
  MsfCatalog,
  MsfCommit,
  MsfNotice,
  MsfRetention,
  PublishedRevision,
  StoredArchive,
  StreamPublication,
} from '../../../core/ports/catalog/msf.ts';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openMsfCatalog } from '../../../platform/postgres/msf-catalog.ts';
import { openMsfHistoryCatalog } from '../../../platform/postgres/msf-history.ts';
import { openObjectsCatalog } from '../../../platform/postgres/objects-catalog.ts';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { collectOrphans, collectSuperseded } from '../../../projectors/jobs/collector.ts';
import { contextOf } from '../../support/fakes/kept-spans.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const hex = 'ab'.repeat(32);
const at = 1_786_000_000_123_456;
const epochA = '01K00000000000000000000000';
const epochB = '01K00000000000000000000001';

let streams = 0;
function newStream(): StreamKey {
  streams += 1;
  return { projector: 'revisions', topic: 'sds.observations.v1', partition: streams };
}

const move = (gameUuid: string, change: Partial<GameMove>): GameMove => ({
  gameUuid,
  gameId: gameUuid,
  league: 'NBA',
  status: null,
  statusAt: at,
  scheduledStart: null,
  ...change,
});

const part = (key: string, rows = 1, offset = 0): FilePart => ({
  rows,
  file: { key: key as ObjectKey, offset, size: 100, sha256: hex },
});

function revision(number: number, epoch = epochA): PublishedRevision {
  return {
    dataset: 'plays',
    epoch,
    revision: number,
    kind: number === 1 ? 'replace' : 'patch',
    historyOrigin: 'captured',
    sourceObservation: {
      source_revision: `sha256:${hex}`,
      source_updated_at: at + number,
      request_started_at: at,
      timestamp_basis: 'source',
      source_played_status: 'LIVE',
      source_schedule_status: null,
    },
    materializedAt: at + number,
    status: 'provisional',
    coverage: { state: 'complete', coverage_start: at, coverage_end: at + number, gaps: [] },
    pendingSourceRevision: null,
    liveCaptureStartedAt: at,
    changeRows: 2,
    snapshotRows: 10 + number,
    snapshotDigest: hex,
    changeFiles: [part(`kept/${epoch}/${number}`, 2)],
    snapshotFiles: [part(`shared/${epoch}/${number}`, 10 + number, 100)],
  };
}

const revisions = (from: number, through: number, epoch = epochA) =>
  Array.from({ length: through - from + 1 }, (_, index) => revision(from + index, epoch));

function archive(scopeUuid: string, first: number, last: number, epoch = epochA): Omit<StoredArchive, 'committedAt'> {
  return {
    id: `${epoch}-${first}-${last}-${scopeUuid.slice(0, 8)}`,
    scopeUuid,
    scopeId: 'NBA_BOS_CLE_20260110',
    league: 'NBA',
    dataset: 'plays',
    epoch,
    first,
    last,
    sourceStart: at + first,
    sourceEnd: at + last,
    rows: 7,
    bytes: 700,
    document: `{"text":"${first} \\u0000 …"}`,
    documentSha256: hex,
    baseline: [part(`kept/${epoch}/${first}`, 3, 200)],
    changes: revisions(first, last, epoch).map(({ revision: number, changeFiles: files }) => ({
      revision: number,
      files,
    })),
  };
}

const freshness = {
  newest_applied_source_updated_at: at,
  last_changed_at: at + 1,
  latest_request_started_at: null,
  last_pull_success_observed_at: at + 2,
  last_normalized_at: at + 3,
  health_observed_at: null,
};

function publication(scopeUuid: string, change: Partial<StreamPublication> = {}): StreamPublication {
  return {
    scopeUuid,
    dataset: 'plays',
    scopeId: 'NBA_BOS_CLE_20260110',
    league: 'NBA',
    epoch: epochA,
    replaces: null,
    head: change.revisions?.at(-1)?.revision ?? 1,
    freshness,
    revisions: [],
    archives: [],
    listedFrom: 1,
    deletedBelow: 1,
    ticksFrom: 0,
    ...change,
  };
}

function commitOf(stream: StreamKey, change: Partial<MsfCommit>): MsfCommit {
  return {
    stream,
    ownerEpoch: 1,
    from: 0,
    to: 1,
    foldDigest: hex,
    snapshot: null,
    logVersion: null,
    objects: [],
    released: [],
    deadLetters: [],
    receipts: [],
    streams: [],
    moves: [],
    lineups: [],
    ...change,
  };
}

for (const server of await allTestServers()) {
  describe(`MSF catalog on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let msf: MsfCatalog & MsfRetention;
    beforeAll(async () => {
      sql = (await openDatabase(server, { maxConnections: 34 })).sql;
      msf = openMsfCatalog(sql);
    });

    /** An owner of a new partition that makes one commit after another. */
    async function newOwner() {
      const stream = newStream();
      const checkpoints = openCheckpointsCatalog(sql);
      await checkpoints.claim(stream, 'a');
      let from = 0;
      return {
        stream,
        async commit(change: Partial<MsfCommit>): Promise<void> {
          assert.equal(await msf.commit(commitOf(stream, { from, to: from + 1, ...change })), 'committed');
          from += 1;
        },
        publish(...publications: StreamPublication[]): Promise<void> {
          return this.commit({ streams: publications });
        },
        position: async () => (await checkpoints.position(stream))?.nextOffset,
      };
    }

    async function count(table: string, where = 'true', values: unknown[] = []): Promise<number> {
      return (await sql.query(`select count(*) as n from ${table} where ${where}`, values)).rows[0]?.n as number;
    }

    async function addGame(id: string): Promise<void> {
      await sql.query(
        `insert into games (id, league, home_name, away_name, founder_source, first_start, scheduled_start)
         values ($1, 'NBA', 'h', 'a', 'feed', now(), now())`,
        [id],
      );
    }

    describe('a commit', () => {
      it('publishes streams, to the microsecond', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        assert.equal(await msf.stream(name), null);
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 3) }));
        const { publishedAt, ...served } = (await msf.stream(name))!;
        assert.deepEqual(served, {
          ...name,
          scopeId: 'NBA_BOS_CLE_20260110',
          league: 'NBA',
          epoch: epochA,
          head: revision(3),
          listedFrom: 1,
          freshness,
          version: 1,
        });
        const now = await openLiveCatalog(sql).now();
        assert.ok(publishedAt <= now && publishedAt > now - 60_000_000);
        assert.deepEqual(await msf.revision(name, epochA, 2), { ...revision(2), publishedAt });
        assert.equal(await msf.revision(name, epochA, 4), null);
        assert.equal(await msf.revision({ ...name, dataset: 'game-state' }, epochA, 2), null);
        assert.deepEqual(await msf.publishedIn(owner.stream.partition), [
          { ...name, epoch: epochA, head: 3, digest: hex, unarchived: revisions(1, 3) },
        ]);
        assert.deepEqual(await msf.publishedIn(9_999), []);
      });

      it('lets freshness move alone, and says when the head was published, not when anything else was', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        await owner.publish(publication(scopeUuid, { revisions: [revision(1)] }));
        const first = (await msf.stream(name))!;
        const later = { ...freshness, latest_request_started_at: at + 9 };
        await owner.publish(publication(scopeUuid, { freshness: later, head: 1, ticksFrom: null }));
        assert.deepEqual(await msf.stream(name), { ...first, freshness: later, version: 2 });
      });

      it('is refused whole unless its writer is the owner, and then changes nothing', async () => {
        const owner = await newOwner();
        const [scopeUuid, game] = [randomUUID(), randomUUID()];
        await addGame(game);
        const full: Partial<MsfCommit> = {
          streams: [publication(scopeUuid, { revisions: [revision(1)], archives: [archive(scopeUuid, 1, 1)] })],
          moves: [{ gameUuid: game, gameId: game, league: 'NBA', status: 'STARTED', statusAt: at, scheduledStart: at }],
          objects: [{ key: 'refused/object', size: 1, files: 1 }],
        };
        for (const wrong of [{ ownerEpoch: 2 }, { ownerEpoch: 0 }, { from: 1 }, { stream: newStream() }]) {
          assert.equal(await msf.commit(commitOf(owner.stream, { ...full, ...wrong })), 'fenced');
        }
        assert.equal(await msf.stream({ scopeUuid, dataset: 'plays' }), null);
        for (const table of ['msf_streams', 'msf_epochs', 'msf_revisions', 'msf_archives'])
          assert.equal(await count(table, 'scope_uuid = $1', [scopeUuid]), 0, table);
        assert.equal(await count('objects', `key = 'refused/object'`), 0);
        assert.equal(await count('outbox', 'key = any ($1)', [[game, scopeUuid]]), 0);
        assert.equal(await count('games', `id = $1 and (status <> 'SCHEDULED' or from_schedule)`, [game]), 0);
        assert.equal(await owner.position(), 0);
      });

      it('is one of 16 that start from the same offset', async () => {
        const owner = await newOwner();
        const scopes = Array.from({ length: 16 }, () => randomUUID());
        const answers = await Promise.all(
          scopes.map((scopeUuid) =>
            msf.commit(commitOf(owner.stream, { streams: [publication(scopeUuid, { revisions: [revision(1)] })] })),
          ),
        );
        assert.deepEqual(answers.filter((answer) => answer === 'committed').length, 1);
        assert.equal(await count('msf_revisions', 'scope_uuid = any ($1)', [scopes]), 1);
      });

      it('counts what it keeps of dead letters and receipts, as any projector does', async () => {
        const owner = await newOwner();
        const letter = {
          topic: 'sds.observations.v1',
          partition: owner.stream.partition,
          offset: 0,
          code: 'illegal-status-move',
          detail: 'CANCELLED after COMPLETED',
          pointer: '/game/playedStatus',
          source: 'msf',
          gameUuid: null,
          gameId: null,
          receipt: 'rcpt_1',
          pushIndex: 0,
          payload: Buffer.from('{}'),
        };
        const cut = [{ dataset: 'plays', epoch: epochA, revision: 1 }];
        const record = {
          index: 0,
          state: 'applied',
          game_id: 'g',
          seq: null,
          rows: null,
          revisions: cut,
          refusals: [],
        } as const;
        const receipts = [
          { receipt: 'rcpt_1', source: 'msf', applied: [0], duplicates: [], refused: [], records: [record] },
        ];
        await owner.commit({ deadLetters: [letter], receipts });
        assert.equal(await count('dead_letters', `code = 'illegal-status-move'`), 1);
        const { rows } = await sql.query(`select records from receipt_folds where receipt = 'rcpt_1'`);
        assert.deepEqual(rows[0]?.records, [record]);
      });
    });

    describe('revisions', () => {
      it('continue their epoch, or the commit fails whole', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const fails = (...cut: PublishedRevision[]) =>
          assert.rejects(
            msf.commit(commitOf(owner.stream, { streams: [publication(scopeUuid, { revisions: cut })] })),
            /null value in column "revision"|duplicate key/,
          );
        await fails(revision(2));
        await fails(revision(1), revision(3));
        await fails(revision(1), revision(1));
        assert.equal(await owner.position(), 0);
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 2) }));
        for (const cut of [[revision(2)], [revision(4)], [revision(3), revision(5)], [revision(2, epochB)]])
          await assert.rejects(
            msf.commit(
              commitOf(owner.stream, { from: 1, to: 2, streams: [publication(scopeUuid, { revisions: cut })] }),
            ),
            /null value in column "revision"|duplicate key/,
          );
        assert.equal((await msf.stream({ scopeUuid, dataset: 'plays' }))?.head?.revision, 2);
        assert.equal(await count('msf_revisions', 'scope_uuid = $1', [scopeUuid]), 2);
      });

      it('are listed in order, from where on they are listed, of the current epoch alone', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 12) }));
        const listed = async (after: number, through: number, limit = 500, epoch = epochA) =>
          (await msf.revisions({ ...name, epoch, after, through, limit })).map((each) => each.revision);
        assert.deepEqual(await listed(9, 12), [10, 11, 12]);
        assert.deepEqual(await listed(0, 12, 3), [1, 2, 3]);
        assert.deepEqual(await listed(3, 5), [4, 5]);
        assert.deepEqual(await listed(12, 12), []);
        assert.deepEqual(await listed(0, 12, 500, epochB), []);
        assert.deepEqual(await msf.revisions({ ...name, epoch: epochA, after: 11, through: 12, limit: 1 }), [
          revision(12),
        ]);
        await owner.publish(publication(scopeUuid, { head: 12, listedFrom: 11 }));
        assert.deepEqual(await listed(0, 12), [11, 12]);
        assert.notEqual(
          await msf.revision(name, epochA, 3),
          null,
          'a revision that is no longer listed is kept for a while',
        );
      });

      it('are read whole while others are committed', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        let done = false;
        const writer = (async () => {
          for (let number = 1; number <= 80; number += 1)
            await owner.publish(publication(scopeUuid, { revisions: [revision(number)] }));
          done = true;
        })();
        let reads = 0;
        while (!done) {
          const stream = await msf.stream(name);
          if (stream === null) continue;
          reads += 1;
          assert.equal(stream.head?.revision, stream.version);
          const through = stream.head?.revision ?? 0;
          assert.equal(
            (await msf.revisions({ ...name, epoch: epochA, after: 0, through, limit: 500 })).length,
            through,
          );
        }
        await writer;
        assert.ok(reads > 3);
      });

      it('are announced with each stream that moved, and not at all when refused', async (test) => {
        const owner = await newOwner();
        const scopes = Array.from({ length: 130 }, () => randomUUID());
        const last = randomUUID();
        const notices: MsfNotice[] = [];
        const arrived = Promise.withResolvers<void>();
        const stop = await msf.watch({
          moved(notice) {
            notices.push(notice);
            if (notice.scopeUuid === last) arrived.resolve();
          },
          lost() {},
        });
        test.onTestFinished(stop);
        await msf.commit(commitOf(owner.stream, { ownerEpoch: 9, streams: [publication(randomUUID())] }));
        await owner.publish(...scopes.map((scopeUuid) => publication(scopeUuid, { revisions: [revision(1)] })));
        await owner.publish(publication(last, { revisions: [revision(1)] }));
        await owner.publish(publication(last, { head: 1 }));
        await arrived.promise;
        const mine = notices.filter(({ scopeUuid }) => scopeUuid !== last).map(({ scopeUuid }) => scopeUuid);
        assert.deepEqual(mine.sort(), [...scopes].sort());
        const first = notices.find(({ scopeUuid }) => scopeUuid === last);
        assert.deepEqual(first, { scopeUuid: last, dataset: 'plays', version: 1 });
      });

      it('are announced with the trace of each scope, where it has one, and told with it', async (test) => {
        const owner = await newOwner();
        const scopes = Array.from({ length: 130 }, () => randomUUID());
        const [last = ''] = scopes;
        const games = scopes.slice(0, 2);
        for (const game of games) await addGame(game);
        const notices: MsfNotice[] = [];
        const arrived = Promise.withResolvers<void>();
        const stop = await msf.watch({
          moved(notice) {
            // The last news of the test before may still come.
            if (!scopes.some((scope) => scope === notice.scopeUuid)) return;
            notices.push(notice);
            if (notice.scopeUuid === last && notice.version === 2) arrived.resolve();
          },
          lost() {},
        });
        test.onTestFinished(stop);
        const traces = new Map(
          scopes.slice(1).map((scopeUuid, push): [string, string] => [scopeUuid, contextOf(push)]),
        );
        const streams = scopes.map((scopeUuid) => publication(scopeUuid, { revisions: [revision(1)] }));
        const moves = games.map((gameUuid) => move(gameUuid, { status: 'STARTED' }));
        await owner.commit({ streams, moves, traces });
        await owner.publish(publication(last, { head: 1 }));
        await arrived.promise;
        assert.deepEqual(notices.map(({ scopeUuid }) => scopeUuid).sort(), [...scopes, last].sort());
        for (const { scopeUuid, traceparent } of notices) assert.equal(traceparent, traces.get(scopeUuid));
        const outbox = openOutboxCatalog(sql);
        const waiting = [...(await outbox.publications(10_000)), ...(await outbox.quotes(10_000))].filter(({ value }) =>
          scopes.some((scopeUuid) => scopeUuid === value.game_uuid),
        );
        assert.equal(waiting.length, scopes.length + games.length);
        for (const { value, traceparent } of waiting) assert.equal(traceparent, traces.get(value.game_uuid) ?? null);
      });

      it('are announced on the publications topic, each in order', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 11) }));
        await owner.publish(publication(scopeUuid, { head: 11 }));
        const published = (await openOutboxCatalog(sql).publications(10_000)).filter(
          ({ value }) => value.game_uuid === scopeUuid,
        );
        assert.deepEqual(
          published.map(({ value }) => value),
          revisions(1, 11).map((each) => ({
            game_uuid: scopeUuid,
            kind: 'revision',
            generation: 0,
            version: 1,
            seq: null,
            rows: each.snapshotRows,
            dataset: 'plays',
            epoch: epochA,
            revision: each.revision,
          })),
        );
      });
    });

    describe('an epoch', () => {
      it('that is replaced is known, and listed no more', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        assert.equal(await msf.lastOfEpoch(name, epochA), null);
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 3) }));
        assert.deepEqual([await msf.lastOfEpoch(name, epochA), await msf.lastOfEpoch(name, epochB)], [3, null]);
        const begun = { epoch: epochB, replaces: epochA, revisions: [revision(1, epochB)] };
        await owner.publish(publication(scopeUuid, { ...begun, archives: [archive(scopeUuid, 1, 3)] }));
        assert.deepEqual([await msf.lastOfEpoch(name, epochA), await msf.lastOfEpoch(name, epochB)], [3, 1]);
        const stream = (await msf.stream(name))!;
        assert.deepEqual([stream.epoch, stream.head], [epochB, revision(1, epochB)]);
        assert.deepEqual(await msf.revisions({ ...name, epoch: epochA, after: 0, through: 9, limit: 9 }), []);
        assert.deepEqual(await msf.publishedIn(owner.stream.partition), [
          { ...name, epoch: epochB, head: 1, digest: hex, unarchived: [revision(1, epochB)] },
        ]);
        assert.equal(await msf.revision(name, epochA, 2), null);
        assert.equal((await msf.revision(name, epochA, 1))?.revision, 1, 'the first of an archive stays with it');
      });

      it('says where the history began, however many came after it and whatever is forgotten', async () => {
        const history = openMsfHistoryCatalog(sql);
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const later = revision(1, epochB);
        const rebuilt = { ...later, coverage: { ...later.coverage, coverage_start: at + 99 } };
        await owner.publish(publication(scopeUuid, { head: null }));
        assert.equal((await history.histories(scopeUuid))[0]?.knownSince, null);
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 3) }));
        const begun = { epoch: epochB, replaces: epochA, revisions: [rebuilt] };
        await owner.publish(publication(scopeUuid, { ...begun, archives: [archive(scopeUuid, 1, 3)] }));
        await msf.forgetRevisions();
        const [stream] = await history.histories(scopeUuid);
        assert.equal(stream?.knownSince, at);
        assert.deepEqual(
          stream?.epochs.map(({ epoch, current, head }) => [epoch, current, head]),
          [
            [epochA, false, 3],
            [epochB, true, 1],
          ],
        );
      });

      it('that began and ended within one commit is stored and not announced', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        await owner.publish(
          publication(scopeUuid, {
            epoch: epochB,
            head: 1,
            replaces: null,
            revisions: [...revisions(1, 2, epochA), revision(1, epochB)],
            archives: [archive(scopeUuid, 1, 2)],
          }),
        );
        assert.equal(await msf.lastOfEpoch({ scopeUuid, dataset: 'plays' }, epochA), 2);
        const published = await openOutboxCatalog(sql).publications(10_000);
        const mine = published.filter(({ value }) => value.game_uuid === scopeUuid).map(({ value }) => value.epoch);
        assert.deepEqual(mine, [epochB]);
      });
    });

    describe('archives', () => {
      it('are read as they were committed', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const filed = archive(scopeUuid, 1, 2);
        await owner.publish(publication(scopeUuid, { revisions: revisions(1, 3), archives: [filed] }));
        const { committedAt, ...read } = (await msf.archive(filed.id, 'plays'))!;
        assert.deepEqual(read, filed);
        assert.ok(Math.abs(committedAt - (await openLiveCatalog(sql).now())) < 60_000_000);
        assert.equal(await msf.archive(filed.id, 'game-state'), null);
        assert.equal(await msf.archive('none', 'plays'), null);
        assert.deepEqual(
          (await msf.publishedIn(owner.stream.partition))[0]?.unarchived.map((each) => each.revision),
          [3],
        );
      });

      it('continue their epoch, or the commit fails whole', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const commit = (...archives: Omit<StoredArchive, 'committedAt'>[]) =>
          msf.commit(
            commitOf(owner.stream, { streams: [publication(scopeUuid, { revisions: revisions(1, 9), archives })] }),
          );
        await assert.rejects(commit(archive(scopeUuid, 2, 3)), /null value in column "first"/);
        await assert.rejects(
          commit(archive(scopeUuid, 1, 3), archive(scopeUuid, 5, 6)),
          /null value in column "first"/,
        );
        await assert.rejects(commit(archive(scopeUuid, 1, 3), archive(scopeUuid, 1, 3)), /duplicate key|null value/);
        assert.equal(await count('msf_archives', 'scope_uuid = $1', [scopeUuid]), 0);
        assert.equal(await commit(archive(scopeUuid, 1, 3), archive(scopeUuid, 4, 6)), 'committed');
      });

      it('stand in pages of 64 in commit order; a full page never changes, the last grows', async () => {
        const owners = await Promise.all(Array.from({ length: 4 }, () => newOwner()));
        const league = 'NHL';
        assert.equal(await msf.archivesPage(league, 'plays', 0), null);
        const seen: string[][] = [];
        const look = async (): Promise<void> => {
          for (let page = 0; ; page += 1) {
            const read = await msf.archivesPage(league, 'plays', page);
            if (read === null) break;
            const ids = read.archives.map(({ id }) => id);
            const known = seen[page] ?? [];
            assert.deepEqual(ids.slice(0, known.length), known, 'listed revisions keep their places');
            assert.ok(ids.length <= 64 && (ids.length === 64) === read.next);
            seen[page] = ids;
            if (!read.next) break;
          }
        };
        let done = false;
        const writers = Promise.all(
          owners.map(async (owner, index) => {
            for (let round = 0; round < 10; round += 1) {
              const scopes = Array.from({ length: 1 + ((round + index) % 7) }, () => randomUUID());
              await owner.publish(
                ...scopes.map((scopeUuid) => {
                  const filed = { ...archive(scopeUuid, 1, 1), league } as const;
                  return publication(scopeUuid, { league, revisions: [revision(1)], archives: [filed] });
                }),
              );
            }
          }),
        ).then(() => {
          done = true;
        });
        while (!done) await look();
        await writers;
        await look();
        const total = await count('msf_archives', 'league = $1', [league]);
        assert.ok(total > 130);
        assert.equal(seen.flat().length, total);
        assert.equal(new Set(seen.flat()).size, total);
        assert.equal(seen.length, Math.floor(total / 64) + 1);
        assert.equal(await msf.archivesPage(league, 'plays', seen.length), null);
        assert.equal(await msf.archivesPage(league, 'injuries', 0), null);
        const { archives } = (await msf.archivesPage(league, 'plays', 0))!;
        const times = archives.map(({ committedAt }) => committedAt);
        assert.deepEqual(
          [...times].sort((a, b) => a - b),
          times,
        );
      });

      it('fill a page that names the next before there is anything in it, and stays as it is when there is', async () => {
        const owner = await newOwner();
        const league = 'NFL';
        const publish = (archives: number) =>
          owner.publish(
            ...Array.from({ length: archives }, () => {
              const scopeUuid = randomUUID();
              const filed = { ...archive(scopeUuid, 1, 1), league } as const;
              return publication(scopeUuid, { league, revisions: [revision(1)], archives: [filed] });
            }),
          );
        await publish(63);
        assert.equal((await msf.archivesPage(league, 'plays', 0))?.next, false);
        assert.equal(await msf.archivesPage(league, 'plays', 1), null);
        await publish(1);
        const full = await msf.archivesPage(league, 'plays', 0);
        assert.deepEqual([full?.archives.length, full?.next], [64, true]);
        assert.deepEqual(await msf.archivesPage(league, 'plays', 1), { archives: [], next: false });
        assert.equal(await msf.archivesPage(league, 'plays', 2), null);
        await publish(1);
        assert.deepEqual(await msf.archivesPage(league, 'plays', 0), full);
        assert.equal((await msf.archivesPage(league, 'plays', 1))?.archives.length, 1);
      });

      it('of one commit stand in its order', async () => {
        const owner = await newOwner();
        const [one, other] = [randomUUID(), randomUUID()];
        const league = 'MLB';
        const filed = (scopeUuid: string, first: number, last: number) => ({
          ...archive(scopeUuid, first, last),
          league: 'MLB' as const,
        });
        const of = (scopeUuid: string) =>
          publication(scopeUuid, {
            league,
            revisions: revisions(1, 4),
            archives: [filed(scopeUuid, 1, 2), filed(scopeUuid, 3, 4)],
          });
        await owner.publish(of(one), of(other));
        const ids = (await msf.archivesPage(league, 'plays', 0))?.archives.map(({ id }) => id);
        assert.deepEqual(
          ids,
          [one, other].flatMap((each) => [filed(each, 1, 2).id, filed(each, 3, 4).id]),
        );
      });
    });

    describe('what is given up', () => {
      beforeAll(() => msf.forgetRevisions());

      const objectsOf = (each: PublishedRevision[]) => [
        { key: each[0]!.changeFiles[0]!.file.key, size: 1, files: each.length },
        ...each.map(({ snapshotFiles }) => ({ key: snapshotFiles[0]!.file.key, size: 1, files: 1 })),
      ];
      const filesOf = async (key: string) =>
        (await sql.query('select files from objects where key = $1', [key])).rows[0]?.files;

      /** Revisions whose changes share one object; their snapshots have an object each. */
      const cutOf = (tag: string, through: number, epoch = epochA) =>
        revisions(1, through, epoch).map((each) => ({
          ...each,
          changeFiles: [part(`kept/${tag}`, 2, each.revision * 10)],
          snapshotFiles: [part(`shared/${tag}/${each.revision}`)],
        }));

      it('is deleted once an archive holds it; the first of an archive and every change stay', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const name = { scopeUuid, dataset: 'plays' } as const;
        const cut = cutOf(scopeUuid, 8);
        await owner.commit({ streams: [publication(scopeUuid, { revisions: cut })], objects: objectsOf(cut) });
        const archives = [archive(scopeUuid, 1, 3), archive(scopeUuid, 4, 5)];
        await owner.publish(publication(scopeUuid, { head: 8, archives }));
        assert.equal(await msf.forgetRevisions(), 0, 'nothing before it is deleted');
        await owner.publish(publication(scopeUuid, { head: 8, listedFrom: 8, deletedBelow: 8 }));
        const kept = async () => {
          const read = await Promise.all(cut.map((each) => msf.revision(name, epochA, each.revision)));
          return read.flatMap((each) => (each === null ? [] : [each.revision]));
        };
        assert.deepEqual(await kept(), [1, 4, 8], 'whether or not the rows are gone');
        assert.equal(await msf.forgetRevisions(), 3);
        assert.equal(await msf.forgetRevisions(), 0);
        assert.deepEqual(await kept(), [1, 4, 8]);
        const uses = await Promise.all(cut.map((each) => filesOf(each.snapshotFiles[0]!.file.key)));
        assert.deepEqual(uses, [1, 0, 0, 1, 0, 1, 1, 1], 'revisions outside an archive are still there');
        assert.equal(await filesOf(`kept/${scopeUuid}`), 8);
        const collectable = await openObjectsCatalog(sql).collectable(
          (await openLiveCatalog(sql).now()) + 1_000_000,
          100,
        );
        assert.ok(collectable.includes(`shared/${scopeUuid}/2`));
        await owner.publish(publication(scopeUuid, { revisions: [revision(9)], listedFrom: 8, deletedBelow: 8 }));
        assert.equal((await msf.stream(name))?.head?.revision, 9, 'and the epoch goes on');
      });

      it('is what no archive begins with of a replaced epoch', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const cut = cutOf(scopeUuid, 3);
        await owner.commit({ streams: [publication(scopeUuid, { revisions: cut })], objects: objectsOf(cut) });
        const next = revision(1, epochB);
        await owner.publish(
          publication(scopeUuid, {
            epoch: epochB,
            replaces: epochA,
            head: 1,
            revisions: [next],
            archives: [archive(scopeUuid, 1, 3)],
          }),
        );
        assert.equal(await msf.forgetRevisions(), 2);
        assert.equal(await msf.forgetRevisions(), 0);
        const uses = await Promise.all(cut.map((each) => filesOf(each.snapshotFiles[0]!.file.key)));
        assert.deepEqual(uses, [1, 0, 0]);
        assert.equal(await count('msf_revisions', 'scope_uuid = $1', [scopeUuid]), 2);
      });

      it('is collected then; what archives hold is not, nor what records refer to', async () => {
        const owner = await newOwner();
        const scopeUuid = randomUUID();
        const cut = cutOf(scopeUuid, 3);
        const objects = openMemoryStore(() => 0);
        const keys = [...objectsOf(cut).map(({ key }) => key), heldElementKey(hex)];
        for (const key of keys) await objects.put(key, Buffer.alloc(1));
        const publish = { revisions: cut, archives: [archive(scopeUuid, 1, 3)], listedFrom: 3, deletedBelow: 3 };
        await owner.commit({ streams: [publication(scopeUuid, publish)], objects: objectsOf(cut) });
        const tools = { catalog: openObjectsCatalog(sql), live: openLiveCatalog(sql), objects, crash: noCrashPoints };
        const collect = async () => {
          await collectSuperseded(tools, -60_000_000);
          await collectOrphans(tools, -60_000_000);
          return (await Promise.all(keys.map((key) => objects.head(key)))).map((held) => held !== null);
        };
        assert.deepEqual(
          await collect(),
          keys.map(() => true),
        );
        await msf.forgetRevisions();
        assert.deepEqual(await collect(), [true, true, false, true, true], 'the second of three snapshots is kept');
      });

      it('is given up once, however many ask at once and while commits go on', async () => {
        const owner = await newOwner();
        const scopes = Array.from({ length: 60 }, () => randomUUID());
        const cuts = scopes.map((each) => cutOf(each, 3));
        await owner.commit({
          streams: scopes.map((each, index) =>
            publication(each, {
              revisions: cuts[index]!,
              archives: [archive(each, 1, 3)],
              listedFrom: 3,
              deletedBelow: 3,
            }),
          ),
          objects: cuts.flatMap(objectsOf),
        });
        const asking = Array.from({ length: 6 }, () => openMsfCatalog(sql).forgetRevisions());
        const committing = owner.publish(
          ...scopes.map((each) => publication(each, { head: 3, listedFrom: 3, deletedBelow: 3 })),
        );
        const forgotten = await Promise.all(asking);
        await committing;
        forgotten.push(await msf.forgetRevisions());
        assert.equal(
          forgotten.reduce((sum, each) => sum + each, 0),
          60,
        );
        const uses = await Promise.all(scopes.map((each) => filesOf(`shared/${each}/2`)));
        assert.deepEqual(new Set(uses), new Set([0]));
      });
    });

    describe('ticks', () => {
      it('go to the scopes with a stream that waits for time, once each', async () => {
        const owner = await newOwner();
        const [ticking, done, both] = [randomUUID(), randomUUID(), randomUUID()];
        await owner.publish(
          publication(ticking),
          publication(done, { ticksFrom: null }),
          publication(both),
          publication(both, { dataset: 'game-state' }),
          publication(done, { dataset: 'game-state', ticksFrom: null }),
        );
        const mine = (await msf.tickingScopes()).filter(({ scopeUuid }) =>
          [ticking, done, both].includes(scopeUuid as never),
        );
        assert.deepEqual(
          mine,
          [ticking, both].sort().map((scopeUuid) => ({ scopeUuid, scopeId: 'NBA_BOS_CLE_20260110', league: 'NBA' })),
        );
        const later = (await openLiveCatalog(sql).now()) + 60_000_000;
        await owner.publish(publication(ticking, { ticksFrom: later }), publication(both, { ticksFrom: null }));
        const left = (await msf.tickingScopes()).map(({ scopeUuid }) => scopeUuid);
        assert.deepEqual([left.includes(ticking), left.includes(both)], [false, true]);
      });

      it('bring a game that was minted since its public id, whatever it waits for', async () => {
        const owner = await newOwner();
        const game = randomUUID();
        const mine = async () => (await msf.tickingScopes()).filter(({ scopeUuid }) => scopeUuid === game);
        await addGame(game);
        await owner.publish(publication(game, { scopeId: game, ticksFrom: null }));
        assert.deepEqual(await mine(), []);
        const publicId = `NBA_${game}`;
        await sql.query('update games set public_id = $2 where id = $1', [game, publicId]);
        assert.deepEqual(await mine(), [{ scopeUuid: game, scopeId: publicId, league: 'NBA' }]);
        await owner.publish(publication(game, { scopeId: publicId, ticksFrom: null }));
        assert.deepEqual(await mine(), []);
      });
    });

    describe('a game', () => {
      const factsOf = async (id: string) =>
        (await sql.query('select status, scheduled_start, from_schedule from games where id = $1', [id])).rows[0];

      it('takes status and start, and its quotes’ partition gets both, in order', async () => {
        const owner = await newOwner();
        const [game, unknownGame] = [randomUUID(), randomUUID()];
        await addGame(game);
        await owner.commit({
          moves: [
            move(game, { scheduledStart: at + 5, status: 'SCHEDULED' }),
            move(game, { status: 'STARTED', statusAt: at + 9 }),
            move(unknownGame, { status: 'STARTED' }),
          ],
        });
        assert.deepEqual(await factsOf(game), { status: 'STARTED', scheduled_start: at + 5, from_schedule: true });
        const waiting = (await openOutboxCatalog(sql).quotes(10_000)).map(({ value }) => value);
        assert.deepEqual(
          waiting
            .filter(({ game_uuid }) => game_uuid === game)
            .map(({ start, status, source }) => ({ start, status, source })),
          [
            { start: { scheduled_start: at + 5, from_schedule: true }, status: null, source: 'msf' },
            { start: null, status: { status: 'SCHEDULED', at }, source: 'msf' },
            { start: null, status: { status: 'STARTED', at: at + 9 }, source: 'msf' },
          ],
        );
        assert.ok(!waiting.some(({ game_uuid }) => game_uuid === unknownGame), 'nobody is told of a game that is none');
      });

      it('keeps what a move does not name', async () => {
        const owner = await newOwner();
        const game = randomUUID();
        await addGame(game);
        const before = (await factsOf(game))!;
        await owner.commit({ moves: [move(game, { status: 'DELAYED' })] });
        assert.deepEqual(await factsOf(game), { ...before, status: 'DELAYED' });
        await owner.commit({ moves: [move(game, { scheduledStart: at })] });
        assert.deepEqual(await factsOf(game), { status: 'DELAYED', scheduled_start: at, from_schedule: true });
      });
    });
  });
}
