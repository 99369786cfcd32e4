// Claim: partitions can be added to Kafka's topics while games are pushed and projectors are killed (docs/operations.md#adding-partitions).
// Every game stays in the partition it began in; games that are founded afterwards use the new ones too; each is served as the naive fold of
// its log; and a replay and a rebuild across the change give the same rows. A violation would need a process that divides keys by the number
// of partitions of now.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { partitionOfKey } from '../../../core/partition-of-key.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { seededRandom } from '../../oracle/random.ts';
import { eventOf, gameWords, type Load, startPushers } from '../../support/campaigns/load.ts';
import type { Program } from '../../support/campaigns/program.ts';
import { reported } from '../../support/campaigns/report.ts';
import { openStage, type Stage } from '../../support/campaigns/stage.ts';
import { readLog, untilReceiptsApplied } from '../../support/campaigns/verdict.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

const [before, after] = [2, 5];
/** Games of each kind: founded before the partitions are added, and after. */
const games = 8;

describe('partitions that are added under load', () => {
  it(`move no game, and take new ones (seed ${seed})`, skipFor(outOfTurn()), async (t) => {
    const stage = await openStage('distributed', seed, { projectors: 2, partitions: before, games, pauseMs: 150 });
    if (typeof stage === 'string') return t.skip(stage);
    try {
      const [first, second] = stage.projectors as [Program, Program];
      for (const projector of [first, second]) {
        projector.start();
        await projector.untilReady();
      }
      const old = await founded(stage, false);
      await grow(stage, second);
      const later = startLater(stage);
      const young = await founded(stage, true);
      await first.kill();
      await delay(1_000);
      await first.startToServe();
      await delay(2_000);
      await later.stop();
      assert.deepEqual(later.surprises, []);
      await untilReceiptsApplied(stage.world.gatewayUrl, stage.feedKey, later.acknowledged);
      const verdict = await stage.conclude();
      t.annotate(JSON.stringify(verdict));
      await judgePlaces(stage, old, young);
      for (const projector of [first, second]) await projector.startToServe();
      const open = await notClosed(stage, old);
      await foldAgain(stage, [open[0] as string, inNewPartition(await notClosed(stage, young))]);
      await refuseMisplaced(stage, open);
    } catch (error) {
      throw await reported(error, stage);
    } finally {
      await stage.close();
    }
  });
});

/** The games that the later source founded, or all others, once there are enough. */
async function founded({ world }: Stage, later: boolean): Promise<string[]> {
  let found: string[] = [];
  await until(`${games} games, later: ${later}`, async () => {
    const text = `select id from games where (founder_source = 'later') = $1 order by id`;
    found = (await world.sql.query(text, [later])).rows.map(({ id }) => String(id));
    return found.length >= games;
  });
  return found;
}

const sdsOf = (stage: Stage, ...args: string[]) => runSds(stage.world.environmentOf('admin'), args);

/** Adds partitions as an administrator whose work is interrupted by the end of a projector. */
async function grow(stage: Stage, victim: Program): Promise<void> {
  const asked = ['log', 'grow', '--partitions', String(after)];
  const plan = await sdsOf(stage, ...asked);
  assert.equal(plan.code, 3, plan.err);
  assert.match(plan.err, /sds\.quotes\.v1 has 2 partitions, of which games use 2;.*both are to have 5.*add --yes/);
  const running = sdsOf(stage, ...asked, '--yes', '--json');
  const { broker } = stage.world.api.drivers;
  await until('the partitions are there', async () => (await broker.partitions(topics.quotes)) === after, {
    everyMs: 20,
  });
  await victim.kill();
  const grown = await running;
  assert.equal(grown.code, 0, grown.err);
  await victim.startToServe();
  const counts = (partitions: number) => ({ [topics.quotes]: partitions, [topics.observations]: partitions });
  assert.deepEqual(JSON.parse(grown.out), {
    layout: 1,
    before: counts(before),
    partitions: counts(after),
    grown: true,
  });
  const again = await sdsOf(stage, ...asked, '--yes');
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /nothing was done/);
  assert.equal((await sdsOf(stage, 'log', 'grow', '--partitions', '3', '--yes')).code, 3);
  const { rows } = await stage.world.sql.query(`select subject from audit where action = 'log grow'`);
  assert.deepEqual(rows, [{ subject: 'layout 1' }]);
}

/** Pushes new games from a source of its own. */
function startLater({ world, feedKey }: Stage): Load {
  const startsAt = new Date(Date.now() + 6 * 86_400_000).toISOString();
  const options = { gatewayUrl: world.gatewayUrl, feedKey, seed, pushers: 1, pauseMs: 100 };
  return startPushers(options, async (_number, push, pause) => {
    const random = seededRandom(seed + 1);
    for (let count = 0; await pause(random); count += 1) {
      const game = { ...gameWords(count % (games + 4), startsAt), event_id: `later-${count % (games + 4)}` };
      const events = [{ ...eventOf(random, games, startsAt), game }];
      await push({ path: 'later/quotes', body: JSON.stringify({ events }), key: null });
    }
  });
}

/** Asserts that each game has all of its records in one partition: old games in the old partitions, new ones in any. */
async function judgePlaces({ world }: Stage, old: readonly string[], young: readonly string[]): Promise<void> {
  for (const topic of [topics.quotes, topics.observations]) {
    const places = new Map<string, Set<number>>();
    for (const [partition, records] of (await readLog(world.api.drivers.broker, topic)).entries())
      for (const { key } of records)
        if (key !== null && key !== nilUuid) places.set(key, (places.get(key) ?? new Set()).add(partition));
    for (const [key, partitions] of places) assert.equal(partitions.size, 1, `${key} is in ${[...partitions]}`);
    for (const uuid of old)
      assert.deepEqual([...(places.get(uuid) ?? [partitionOfKey(uuid, before)])], [partitionOfKey(uuid, before)]);
    for (const uuid of young)
      assert.deepEqual([...(places.get(uuid) ?? [partitionOfKey(uuid, after)])], [partitionOfKey(uuid, after)]);
  }
}

/** Those of the games whose live logs are served: some are settled by now. */
async function notClosed({ world }: Stage, uuids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await world.sql.query('select game_uuid from settlements where closed is not null');
  return uuids.filter((uuid) => rows.every(({ game_uuid }) => game_uuid !== uuid));
}

function inNewPartition(young: readonly string[]): string {
  const found = young.find((uuid) => partitionOfKey(uuid, after) >= before);
  assert.ok(found !== undefined, 'a game is in a new partition');
  return found;
}

/** Asserts that a replay finds nothing, and that a rebuild makes the same rows. */
async function foldAgain(stage: Stage, uuids: readonly string[]): Promise<void> {
  const { api, sql } = stage.world;
  const replayed = await sdsOf(stage, 'replay', '--json');
  assert.equal(replayed.code, 0, replayed.err + replayed.out);
  const result = JSON.parse(replayed.out) as { partitions: unknown[]; games: number; differences: unknown[] };
  assert.deepEqual([result.partitions.length, result.differences], [after, []]);
  for (const uuid of uuids) {
    const served = async () => rowsOf(api, await manifestOf(api, uuid));
    const rows = await served();
    assert.ok(rows.length > 0);
    const rebuilt = await sdsOf(stage, 'log', 'rebuild', uuid, '--yes', '--json');
    assert.equal(rebuilt.code, 0, rebuilt.err);
    await until('the rebuilt log is served', async () => {
      const { rows: logs } = await sql.query('select max(generation) as now from live_logs where game_uuid = $1', [
        uuid,
      ]);
      return logs[0]?.now === 2 && (await served()).length === rows.length;
    });
    assert.deepEqual(await served(), rows);
  }
  const verified = await sdsOf(stage, 'verify');
  assert.equal(verified.code, 0, verified.out + verified.err);
}

/**
 * A producer that divides keys by today's number of partitions puts an old game's record into a partition that is not
 * the game's.
 */
async function refuseMisplaced({ world }: Stage, old: readonly string[]): Promise<void> {
  const uuid = old.find((each) => partitionOfKey(each, before) !== partitionOfKey(each, after)) as string;
  const game = await world.api.drivers.catalogs.games.find(uuid);
  assert.ok(game !== null);
  const rowsOfGame = async () => rowsOf(world.api, await manifestOf(world.api, uuid));
  const rows = await rowsOfGame();
  const value = {
    ...blankRecord({ uuid, gameId: game.gameId, league: game.league }, 'stranger', Date.now() * 1_000),
    start: { scheduled_start: game.scheduledStart },
  };
  const partition = partitionOfKey(uuid, after);
  await world.api.drivers.broker.produce(topics.quotes, [{ key: uuid, partition, value }]);
  await until('the record is a dead letter', async () => {
    const text = `select game_uuid, partition from dead_letters where code = 'misplaced'`;
    const letters = (await world.sql.query(text)).rows;
    if (letters.length === 0) return false;
    assert.deepEqual(letters, [{ game_uuid: uuid, partition }]);
    return true;
  });
  assert.deepEqual(await rowsOfGame(), rows);
}
