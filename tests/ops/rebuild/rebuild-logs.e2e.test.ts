// Logs that are rebuilt while they are served, in both editions: what is served then is the naive fold of the log, above every `seq` used
// before; a client with an old cursor gets a 409 and continues; and no row is paid for twice (docs/operations.md#rebuilding-logs).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { planRebuild } from '../../../ops/rebuild/plan-rebuild.ts';
import { type Outcome, rebuildLogs } from '../../../ops/rebuild/rebuild-logs.ts';
import { openCatalogs } from '../../../ops/service/catalogs.ts';
import { CommandFailure } from '../../../ops/session/command.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { columnsOf, foldRecords, publishedOf } from '../../oracle/records.ts';
import { boardRow, readQuotesLog } from '../../support/campaigns/verdict.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { longGames, pushMinutes } from '../../support/editions/games-with-long-logs.ts';
import { getRows, type Manifest, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { rowOfProduct } from '../../support/folds/fold-beside-oracle.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [game, other, settled] = longGames as [string, string, string];

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`rebuilding logs, ${name}`, skipFor(skip), () => {
    let edition: Edition;
    let feedKey: string;
    let drop: () => Promise<void>;

    beforeAll(async () => {
      const setting = await prepare();
      drop = setting.drop;
      edition = await startEdition(setting);
      feedKey = await edition.feedKey(['push', 'backfill']);
      await pushMinutes(edition, feedKey, 0, 25);
    });
    afterAll(async () => {
      await edition?.stop();
      await drop?.();
    });

    const tools = (interrupted = new AbortController().signal) => {
      const { broker, catalogs } = edition.drivers;
      return { broker, catalogs, clock: systemClock, actor: 'a test', interrupted };
    };

    async function rebuilt(asked: Parameters<typeof planRebuild>[1]): Promise<Outcome[]> {
      const { planned } = await planRebuild(tools(), asked);
      const outcomes: Outcome[] = [];
      for await (const { outcome } of rebuildLogs(tools(), planned)) outcomes.push(outcome);
      return outcomes;
    }

    async function uuidOf(id: string): Promise<string> {
      const found = await edition.drivers.catalogs.games.find(id);
      assert.ok(found !== null);
      return found.uuid;
    }

    async function servedLog(id: string) {
      const log = await edition.drivers.catalogs.live.servedLog(await uuidOf(id));
      assert.ok(log !== null);
      return log;
    }

    /** The manifest of the log of this generation; an API may be a moment behind the commit. */
    async function manifestFrom(id: string, firstSeq: number): Promise<Manifest> {
      let manifest: Manifest | undefined;
      await until(`${id} is served from ${firstSeq}`, async () => {
        manifest = await manifestOf(edition, id);
        return manifest.segments[0]?.seq === firstSeq;
      });
      return manifest as Manifest;
    }

    async function boardsOf(manifest: Manifest) {
      const files = manifest.board.files.map(async ({ operator, url }) => {
        return [operator, (await getRows(edition, url, 'board')).map(boardRow)];
      });
      return Promise.all(files);
    }

    const get = (path: string) =>
      fetch(edition.apiUrl + path, { headers: { authorization: `Bearer ${edition.apiKey}` } });
    const typeOf = async (response: Response) => [
      response.status,
      ((await response.json()) as { type: string }).type.split('/').at(-1),
    ];

    /** Reads every row of the log as a client does; answers what that cost. */
    async function cost(manifest: Manifest): Promise<number> {
      let debited = 0;
      for (const { url } of manifest.segments) {
        const response = await get(url);
        assert.equal(response.status, 200);
        await response.arrayBuffer();
        debited += Number(response.headers.get('x-service-debited'));
      }
      return debited;
    }

    async function assertNaiveFold(id: string, manifest: Manifest): Promise<void> {
      const folded = (await readQuotesLog(edition.drivers.broker)).flatMap(foldRecords);
      const oracle = folded.find((each) => each.id === id);
      assert.ok(oracle !== undefined);
      const expected = publishedOf(oracle);
      assert.deepEqual(
        (await rowsOf(edition, manifest)).map((row) => rowOfProduct(row as never)),
        expected.rows.map((row, index) => columnsOf(row, index + 1, oracle.league)),
      );
      assert.deepEqual(
        manifest.segments.map(({ rows }) => rows),
        expected.segments,
      );
      assert.deepEqual(
        (await boardsOf(manifest)).map(([operator, rows]) => [operator, rows?.length]),
        expected.boards.map(({ operator, entries }) => [operator, entries.length]),
      );
    }

    it('replaces a log whose files are lost, and no reader loses or pays for a row', async () => {
      const before = await manifestOf(edition, game);
      assert.ok(before.segments.length > 1, 'a segment is closed');
      const [rows, boards] = [await rowsOf(edition, before), await boardsOf(before)];
      assert.equal(await cost(before), 0, 'all is paid for: it was read just now');
      const log = await servedLog(game);
      const lost = log.closed[0]?.key ?? '';
      await edition.drivers.objects.delete([lost]);

      const [outcome] = await rebuilt({ game });
      assert.deepEqual(outcome, { kind: 'rebuilt', generation: 2, rows: log.rows });
      const last = before.segments.at(-1)?.seq ?? 0;
      const after = await manifestFrom(game, last + 1);
      assert.deepEqual(await rowsOf(edition, after), rows, 'the rows are the same, their numbers included');
      assert.deepEqual(await boardsOf(after), boards);
      await assertNaiveFold(game, after);
      assert.equal(await cost(after), 0, 'rows that were paid for are not paid for again');

      const old = `/v1/games/${game}/sportsbook-lines/segments`;
      assert.deepEqual(await typeOf(await get(`${old}?cursor=${before.cursor}`)), [409, 'live-cursor-reset']);
      for (const { url } of before.segments)
        assert.deepEqual(await typeOf(await get(url)), [409, 'live-segment-behind'], url);

      await pushMinutes(edition, feedKey, 25, 27);
      const next = await manifestOf(edition, game, after.cursor);
      assert.equal((await rowsOf(edition, next)).length, 160, 'a client that listed again goes on');
      assert.equal(await cost(next), 0, 'it has paid for them by reading them');
      await assertNaiveFold(game, await manifestOf(edition, game));
    });

    it('does nothing for a repeated order, and rebuilds again for a new one', async () => {
      const { planned } = await planRebuild(tools(), { game });
      const [plan] = planned;
      assert.ok(plan !== undefined);
      assert.deepEqual([plan.generation, plan.rows], [3, (await servedLog(game)).rows]);
      const twice = [plan, plan];
      const { broker } = edition.drivers;
      const { uuid, gameId, league } = plan.game;
      const order = { ...blankRecord({ uuid, gameId, league }, 'service', 0), rebuild: { generation: 3 } };
      await broker.produce(
        topics.quotes,
        twice.map(() => ({ key: uuid, value: order })),
      );
      await everythingFolded(edition);
      assert.equal((await servedLog(game)).generation, 3);
      const outcomes: Outcome[] = [];
      for await (const { outcome } of rebuildLogs(tools(), [{ ...plan, generation: 9 }])) outcomes.push(outcome);
      assert.deepEqual(outcomes, [{ kind: 'void' }]);
      assert.equal((await servedLog(game)).generation, 3);
      await assertNaiveFold(game, await manifestFrom(game, (await servedLog(game)).firstSeq));
    });

    it('rebuilds a league and a partition, refuses a second command, and leaves settled games', async () => {
      const uuid = await uuidOf(settled);
      const frame = blankRecord({ uuid, gameId: settled, league: 'NBA' }, 'service', 0);
      await edition.drivers.broker.produce(topics.quotes, [{ key: uuid, value: { ...frame, settle: { actor: 'x' } } }]);
      await everythingFolded(edition);
      await assert.rejects(planRebuild(tools(), { game: settled }), (error: unknown) => {
        assert.ok(error instanceof CommandFailure && error.exitCode === 3);
        assert.match(error.message, /is settled.*sds games settle NBA_CHI_IND_20260109 --again/);
        return true;
      });
      await assert.rejects(planRebuild(tools(), { game: 'NBA_NO_SUCH_20260101' }), /no game/);

      const elsewhere = openCatalogs(edition.drivers.sql).leases;
      assert.ok(await elsewhere.hold('log-rebuild'));
      assert.deepEqual(await rebuilt({ game: other }), [{ kind: 'held-by-another' }]);
      await elsewhere.release('log-rebuild');

      const generations = async () => [(await servedLog(game)).generation, (await servedLog(other)).generation];
      assert.deepEqual(await generations(), [3, 1]);
      assert.deepEqual(
        (await rebuilt({ league: 'NBA' })).map(({ kind }) => kind),
        ['rebuilt', 'rebuilt'],
      );
      assert.deepEqual(await generations(), [4, 2]);
      const partition = await edition.drivers.broker.partitionOf(topics.quotes, await uuidOf(other));
      const outcomes = await rebuilt({ partition });
      assert.ok(outcomes.length >= 1 && outcomes.every(({ kind }) => kind === 'rebuilt'));
      assert.equal((await servedLog(other)).generation, 3);
      await assertNaiveFold(other, await manifestFrom(other, (await servedLog(other)).firstSeq));
    });

    it('refuses where records of the game may be deleted, and says what is missing', async () => {
      const { broker } = edition.drivers;
      const deleted = {
        ...tools(),
        broker: {
          partitions: (topic: string) => broker.partitions(topic),
          partitionOf: (topic: string, key: string) => broker.partitionOf(topic, key),
          watermarks: async (topic: string) => (await broker.watermarks(topic)).map((each) => ({ ...each, low: 1 })),
          offsetAt: async () => 1,
        },
      };
      await assert.rejects(
        planRebuild(deleted, { game }),
        /begins at offset 1, and older records of it may be deleted/,
      );
    });
  });
}
