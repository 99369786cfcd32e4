// The MSF routes give the same answers over the catalog on PostgreSQL as over the catalog in memory that their other tests use: for the
// same streams, after every commit, on every path, on an instance that learns of commits by notices.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { MsfCatalog, StreamPublication } from '../../../core/ports/catalog/msf.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openMsfCatalog } from '../../../platform/postgres/msf-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import type { ArchivesDocument } from '../../../schemas/http/msf.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const topic = { projector: 'revisions', topic: 'sds.observations.v1', partition: 0 };

/** Commits to the catalog what was published of the streams in memory since the last time. */
class Mirror {
  readonly #msf: MsfCatalog;
  readonly #from: TestApi;
  readonly #known = new Set<unknown>();
  readonly #epochs = new Map<string, string>();
  readonly #ownerEpoch: number;
  #offset = 0;

  constructor(msf: MsfCatalog, from: TestApi, ownerEpoch: number) {
    this.#msf = msf;
    this.#from = from;
    this.#ownerEpoch = ownerEpoch;
  }

  async commit(stream: FakeStream): Promise<void> {
    const name = `${stream.scope.uuid}/${stream.dataset}`;
    const held = this.#from.msf.held.get(name)!;
    const before = this.#epochs.get(name) ?? null;
    this.#epochs.set(name, stream.epoch);
    const isNew = (item: unknown) => !this.#known.has(item) && this.#known.add(item) !== undefined;
    const publication: StreamPublication = {
      ...stream.name,
      scopeId: stream.scope.id,
      league: stream.scope.league,
      epoch: stream.epoch,
      replaces: before === stream.epoch ? null : before,
      head: held.stream.head?.revision ?? null,
      freshness: held.stream.freshness,
      revisions: held.revisions.filter((each) => each.epoch === stream.epoch && isNew(each)),
      archives: this.#from.msf.archives.filter(
        (each) => each.scopeUuid === stream.scope.uuid && each.dataset === stream.dataset && isNew(each),
      ),
      listedFrom: held.stream.listedFrom,
      deletedBelow: held.deletedBelow,
      ticksFrom: null,
    };
    const answer = await this.#msf.commit({
      stream: topic,
      ownerEpoch: this.#ownerEpoch,
      from: this.#offset,
      to: this.#offset + 1,
      foldDigest: '00',
      snapshot: null,
      logVersion: null,
      objects: [],
      released: [],
      deadLetters: [],
      receipts: [],
      streams: [publication],
      moves: [],
      lineups: [],
    });
    assert.equal(answer, 'committed');
    this.#offset += 1;
  }
}

for (const server of await allTestServers()) {
  describe(`the MSF routes on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let memory: TestApi;
    let served: TestApi;
    let mirror: Mirror;
    const streams: FakeStream[] = [];

    beforeAll(async () => {
      const database = await openDatabase(server);
      sql = database.sql;
      const msf = openMsfCatalog(sql);
      memory = await startApi();
      const { catalog, clock, objects } = memory;
      served = await startApi({ catalog, clock, objects, streams: openMsfCatalog(database.api) });
      const { ownerEpoch } = await openCheckpointsCatalog(sql).claim(topic, 'tests');
      mirror = new Mirror(msf, memory, ownerEpoch);
    });
    afterAll(async () => {
      await served?.close();
      await memory?.close();
    });

    function open(of: string, dataset: 'plays' | 'injuries', letter: string): FakeStream {
      const stream = memory.stream(of, dataset);
      stream.epoch = epochNamed(letter);
      streams.push(stream);
      return stream;
    }

    /** Every path below which a stream can be requested. */
    function paths(): string[] {
      return streams.flatMap(({ scope, dataset, epoch }) => {
        const league = `/v1/leagues/${scope.league}/${dataset}`;
        const below = scope.kind === 'game' ? `/v1/games/${scope.id}/${dataset}` : league;
        const epochs = [epoch, epochNamed('A'), epochNamed('B'), epochNamed('Z')];
        const cursor = (revision: number, at: string) =>
          formatCursor({ dataset, scopeUuid: scope.uuid, epoch: at, revision });
        const archives = memory.msf.archives.map(({ id }) => id);
        return [
          `${below}/snapshot`,
          `${league}/archives`,
          `${league}/archives?cursor=p1`,
          ...epochs.flatMap((at) =>
            [1, 2, 3, 5, 9].flatMap((revision) => [
              `${below}/snapshot?at_revision=${revision}&epoch=${at}`,
              `${below}/changes?cursor=${cursor(revision, at)}&limit=2`,
              `${below}/changes?cursor=${cursor(revision, at)}&until_revision=4`,
              `${below}/revisions/${at}/${revision}/snapshot/0`,
              `${below}/revisions/${at}/${revision}/change/1`,
            ]),
          ),
          ...archives.flatMap((id) => [`${below}/archives/${id}`, `${league}/archives/${id}/changes/2/0`]),
        ];
      });
    }

    function shown({ status, headers, body }: Reply) {
      // Each catalog has a clock of its own.
      const text = body.toString('utf8').replaceAll(/"(published_at|committed_at)":"[^"]+"/g, '"$1":null');
      const isList = text.includes('"archives":[');
      return { status, body: text, etag: isList ? null : (headers.etag ?? null), rows: headers['x-service-rowcount'] };
    }

    async function assertAlike(): Promise<void> {
      for (const stream of streams) {
        const key = `${stream.scope.uuid}/${stream.dataset}`;
        const below = stream.scope.kind === 'game' ? `games/${stream.scope.id}` : `leagues/${stream.scope.league}`;
        const expected = memory.msf.held.get(key)?.stream.head?.snapshotDigest;
        // The notice may arrive after the commit is done.
        await until('the notice is there', async () => {
          const reply = await served.get(`/v1/${below}/${stream.dataset}/snapshot`);
          return expected === undefined || reply.body.includes(expected);
        });
      }
      for (const path of new Set(paths())) {
        assert.deepEqual(shown(await served.get(path)), shown(await memory.get(path)), path);
      }
    }

    const game = 'NBA_BOS_LAL_20260805';

    it('of a stream of which nothing is published, and from its first revision on', async () => {
      const plays = open(game, 'plays', 'A');
      open('NBA', 'injuries', 'A');
      await assertAlike();
      await plays.publish(['a=1', 'b=1', 'c=1', 'd=1']);
      await mirror.commit(plays);
      await assertAlike();
      for (const row of ['e=1', 'f=1']) await plays.publish([row]);
      await plays.publish([], { status: 'verified', kind: 'patch' });
      await plays.publish([], { kind: 'replace' });
      await mirror.commit(plays);
      await assertAlike();
    });

    it('of freshness that moves alone', async () => {
      const [plays] = streams as [FakeStream];
      plays.touch({ health_observed_at: 1_786_000_000_000_000 });
      await mirror.commit(plays);
      await until('freshness is served', async () =>
        (await served.get(`/v1/games/${game}/plays/snapshot`)).body.includes('"health_observed_at":"2026'),
      );
      await assertAlike();
    });

    it('of archives, of revisions that are listed no longer, and of deleted files', async () => {
      const [plays, injuries] = streams as [FakeStream, FakeStream];
      plays.archive(1, 3);
      await mirror.commit(plays);
      await assertAlike();
      plays.retain({ listedFrom: 4, deletedBelow: 1 });
      await mirror.commit(plays);
      const first = formatCursor({ dataset: 'plays', scopeUuid: plays.scope.uuid, epoch: plays.epoch, revision: 1 });
      await until('it is listed no longer', async () => {
        return (await served.get(`/v1/games/${game}/plays/changes?cursor=${first}`)).status === 410;
      });
      await assertAlike();
      plays.retain({ listedFrom: 4, deletedBelow: 3 });
      await injuries.publish(['p=out']);
      await mirror.commit(plays);
      await mirror.commit(injuries);
      await assertAlike();
    });

    it('of an epoch that is replaced', async () => {
      const [plays] = streams as [FakeStream];
      plays.archive(4, 5);
      await mirror.commit(plays);
      plays.reset(epochNamed('B'));
      await plays.publish(['a=1']);
      await mirror.commit(plays);
      await assertAlike();
      await plays.publish(['b=1']);
      plays.archive(1, 2);
      await mirror.commit(plays);
      await assertAlike();
    });

    it('of archives over pages, games of a league side by side', async () => {
      const other = open('NBA_NYK_MIA_20260805', 'plays', 'C');
      for (let revision = 1; revision <= 66; revision += 1) {
        await other.publish([], { kind: revision === 1 ? 'replace' : 'patch' });
        other.archive(revision, revision);
      }
      await mirror.commit(other);
      const read = async (cursor: string) =>
        (await served.get(`/v1/leagues/NBA/plays/archives${cursor}`)).json() as ArchivesDocument;
      const first = await read('');
      assert.deepEqual([first.archives.length, first.next_cursor], [64, 'p1']);
      const second = await read('?cursor=p1');
      assert.deepEqual([second.archives.length, second.next_cursor], [5, null]);
      const both = await Promise.all(
        ['', '?cursor=p1', '?cursor=p2']
          .map((cursor) => `/v1/leagues/NBA/plays/archives${cursor}`)
          .map(async (path) => [shown(await served.get(path)), shown(await memory.get(path))]),
      );
      for (const [one, two] of both) assert.deepEqual(one, two);
    });
  });
}
