// Claim: a settlement worker that was frozen between its build and its landing until its lease was over, and that comes back after another one
// has settled the game from newer evidence, lands nothing — neither where the other landed the same version number nor where the other found
// nothing to change, so that the frozen one's version would be a new one (I16, I32). A violation would need a landing that does not ask what the
// newest landing was built from.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { editions } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import { openWorld, type World } from '../../support/campaigns/world.ts';
import { event } from '../../support/http/gateway-http.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const beforeLanding = 'settlement:before-landing:1:freeze';
const overtaken = 'game settled by another worker meanwhile';
type Game = { uuid: string; id: string; league: string };

for (const edition of editions) {
  describe(
    `a settlement worker of the ${edition} edition that was frozen`,
    skipFor(outOfTurn() || leftOut(edition, editions)),
    () => {
      it('lands nothing stale', async (t) => {
        const world = await openWorld(edition, { partitions: 2 });
        if (typeof world === 'string') return t.skip(world);
        const program = (name: string, role: 'ingest' | 'projectors') =>
          new Program(name, world.environmentOf(name), { roles: [role] });
        const gateway = program('gateway', 'ingest');
        const [frozen, other] = [program('frozen', 'projectors'), program('other', 'projectors')];
        try {
          gateway.start();
          await gateway.untilReady();
          frozen.start(beforeLanding);
          const game = await quotedGame(world);
          const { settlement, artifacts } = world.api.drivers.catalogs;
          const isBuilt = async () => (await settlement.state(game.uuid))?.built === true;

          await orderScore(world, game, 1, 9);
          await close(world, game);
          await until('the worker stands before its landing', () => frozen.isFrozen());
          assert.equal((await artifacts.served(game.uuid)).artifacts.length, 0);
          await orderScore(world, game, 9, 1);
          other.start();
          await until('the other worker has settled the game', isBuilt);
          const landed = await versionsOf(world, game);
          await comesBack(frozen, 1);
          assert.deepEqual(await versionsOf(world, game), landed);
          assert.equal(await homeResult(world, game), 'loss', 'the result follows the newer score');

          for (const each of [frozen, other]) await each.kill();
          frozen.start(beforeLanding);
          await orderScore(world, game, 1, 9);
          await until('the worker stands before a second version', () => frozen.isFrozen());
          await orderScore(world, game, 9, 1);
          other.start();
          await until('the other worker has nothing to change', isBuilt);
          assert.deepEqual(await versionsOf(world, game), landed);
          await comesBack(frozen, 2);
          assert.deepEqual(await versionsOf(world, game), landed);
          const verified = await runSds(world.environmentOf('verify'), ['verify']);
          assert.equal(verified.code, 0, verified.out + verified.err);
        } finally {
          for (const each of [frozen, other, gateway]) await each.retire();
          await world.close();
        }
      });
    },
  );
}

/** Continues the frozen worker and waits until it has tried for the `nth` time to land what it held. */
async function comesBack(frozen: Program, nth: number): Promise<void> {
  frozen.thaw();
  const tries = () => frozen.said.filter(({ msg }) => msg === overtaken).length;
  await until('the frozen worker was refused its landing', () => tries() === nth);
}

async function quotedGame({ api, gatewayUrl }: World): Promise<Game> {
  const quotes = ['home', 'away'].map((selection) => ({ market: 'moneyline', selection, price: { american: -110 } }));
  const response = await fetch(`${gatewayUrl}/v1/sources/feed/quotes`, {
    method: 'POST',
    body: JSON.stringify({ events: [event({ quotes })] }),
    headers: {
      authorization: `Bearer ${await api.feedKey(['push'])}`,
      'content-type': 'application/json',
    },
  });
  assert.equal(response.status, 202, await response.text());
  const [game] = await api.drivers.catalogs.games.list({ ...anyGame, limit: 1 });
  assert.ok(game !== undefined);
  return { uuid: game.uuid, id: game.gameId, league: game.league };
}

async function orderScore({ api }: World, { uuid, id }: Game, away: number, home: number): Promise<void> {
  const partition = await api.drivers.broker.partitionOf(topics.quotes, uuid);
  const score = { away, home, awayPeriods: [], homePeriods: [] };
  await api.drivers.catalogs.settlement.orderScore({ uuid, gameId: id, partition }, score, 'tests');
}

async function close({ api }: World, { uuid, id, league }: Game): Promise<void> {
  const blank = blankRecord({ uuid, gameId: id, league }, 'service', Date.now() * 1_000);
  await api.drivers.broker.produce(topics.quotes, [{ key: uuid, value: { ...blank, settle: { actor: 'tests' } } }]);
}

/** What has landed for the game: each version of each dataset with the hash of its bytes. */
async function versionsOf({ api }: World, { uuid }: Game): Promise<string[]> {
  const { artifacts } = api.drivers.catalogs;
  const datasets = (await artifacts.served(uuid)).artifacts.map(({ dataset }) => dataset);
  const all = await Promise.all(datasets.map((dataset) => artifacts.versions(uuid, dataset)));
  return all.flat().map(({ dataset, version, file }) => `${dataset} ${version} ${file.sha256}`);
}

async function homeResult({ api }: World, { uuid }: Game): Promise<unknown> {
  const artifact = await api.drivers.catalogs.artifacts.artifact(uuid, 'market-results', null);
  assert.ok(artifact !== null);
  const bytes = (await api.drivers.objects.get(artifact.file.key)) ?? assert.fail('the file is there');
  const rows = parquetWriter.decode('market-results', bytes) as readonly Record<string, unknown>[];
  return rows.find(({ selection }) => selection === 'home')?.result;
}
