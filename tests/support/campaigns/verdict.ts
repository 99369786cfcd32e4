// Judges a campaign: reads the log, folds it by the naive oracle, and compares everything served over HTTP: rows,
// segments, boards with their states, watermarks. Also checks receipts, the journal of claims and commits, and the
// remaining objects.
import assert from 'node:assert/strict';
import type { Broker, DeliveredRecord } from '../../../core/ports/broker.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { columnsOf, type FoldedGame, publishedOf, type TopicRecord, type TopicValue } from '../../oracle/records.ts';
import { writeTime } from '../../oracle/times.ts';
import { type Api, getRows, manifestOf, rowsOf } from '../editions/published-game.ts';
import { rowOfProduct } from '../folds/fold-beside-oracle.ts';
import { until } from '../services/until.ts';
import { type FinalsVerdict, foldPlayed, judgeFinals, type ScoresByHand } from './finals-verdict.ts';
import type { Follower } from './follower.ts';
import type { Acknowledged } from './load.ts';
import type { World } from './world.ts';

export type Verdict = FinalsVerdict & {
  records: number;
  games: number;
  rows: number;
  boards: number;
  receipts: number;
};

/** A world whose progress can be queried. */
type FoldingWorld = { api: Pick<World['api'], 'drivers'>; sql: Pick<World['sql'], 'query'> };

/**
 * Waits until everything is folded, including MSF statuses, which reach the quotes' log through the outbox. Nothing may
 * be pushed meanwhile.
 */
export async function untilAllIsFolded(world: FoldingWorld): Promise<void> {
  await untilCaughtUp(world, topics.observations);
  await until(
    'the outbox is empty',
    async () =>
      (await world.sql.query('select 1 from outbox where topic = $1 limit 1', [topics.quotes])).rows.length === 0,
  );
  await untilCaughtUp(world, topics.quotes);
}

/** Waits until every partition is committed to the end of the log, while nothing is written to it. */
async function untilCaughtUp(world: FoldingWorld, topic: string): Promise<void> {
  const { broker } = world.api.drivers;
  await until(
    `every partition of ${topic} is committed to its end`,
    async () => {
      const ends = await broker.watermarks(topic);
      const { rows } = await world.sql.query(`select partition, next_offset from stream_state where topic = $1`, [
        topic,
      ]);
      const reached = new Map(rows.map((row) => [Number(row.partition), Number(row.next_offset)]));
      const behind = ends.filter(({ partition, high }) => (reached.get(partition) ?? 0) < high);
      if (behind.length > 0) throw new Error(`behind: ${JSON.stringify(behind)}, at ${JSON.stringify([...reached])}`);
      return true;
    },
    { everyMs: 200 },
  );
}

/** All records of a topic's log, by partition. */
export async function readLog(broker: Broker, topic: string): Promise<DeliveredRecord[][]> {
  const log: DeliveredRecord[][] = [];
  for (const { partition, low, high } of await broker.watermarks(topic)) {
    const records: DeliveredRecord[] = [];
    if (high > low) {
      for await (const batch of broker.read(topic, partition, low, high)) records.push(...batch.records);
    }
    assert.equal(records.length, high - low, `partition ${partition} gives every record it has`);
    log.push(records);
  }
  return log;
}

/** The log of quotes by partition, as the oracle reads it. */
export async function readQuotesLog(broker: Broker): Promise<TopicRecord[][]> {
  return (await readLog(broker, topics.quotes)).map((records) =>
    records.map(({ offset, timestamp, key, value }): TopicRecord => {
      return { offset, timestamp, ...(key === null ? {} : { key }), value: value as TopicValue };
    }),
  );
}

/** Compares everything served with the naive fold of the log, and with the follower's rows. `scores`: the current manual scores. */
export async function judge(
  world: World,
  follower: Follower,
  acknowledged: readonly Acknowledged[],
  scores: ScoresByHand,
): Promise<Verdict> {
  await judgeJournal(world);
  const log = await readQuotesLog(world.api.drivers.broker);
  const played = log.map(foldPlayed);
  const finals = await judgeFinals(world, played.flat(), scores, expectedRows);
  const verdict: Verdict = { records: 0, games: 0, rows: 0, boards: 0, receipts: acknowledged.length, ...finals };
  verdict.records = log.flat().length;
  for (const games of played) {
    for (const { game } of games) {
      if (game.closed) continue;
      const served = await judgeGame(world.api, game);
      verdict.games += 1;
      verdict.rows += served.rows;
      verdict.boards += served.boards;
    }
  }
  await follower.catchUp();
  assert.deepEqual(follower.violations, [], 'what the follower met');
  for (const games of played) for (const { game } of games) judgeFollowed(follower, game);
  judgeAcknowledged(log, acknowledged);
  return verdict;
}

const text = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));

function expectedRows(game: FoldedGame) {
  return publishedOf(game).rows.map((row, index) => columnsOf(row, index + 1, game.league));
}

/** Asserts that the API serves the naive fold of an open game. */
export async function judgeGame(api: Api, game: FoldedGame): Promise<{ rows: number; boards: number }> {
  const expected = publishedOf(game);
  const rows = expectedRows(game);
  if (rows.length === 0) return { rows: 0, boards: 0 };
  const time = (micros: bigint | null | undefined): string | null => (micros == null ? null : writeTime(micros));
  const boards = expected.boards.map((board) => [
    board.operator,
    board.entries.map(({ row, state }) => ({
      ...columnsOf(row, game.fold.rows.indexOf(row) + 1, game.league),
      last_changed_at: time(row.timestamp),
      operator_observed_through: time(board.observedThrough),
      quote_state: state,
    })),
  ]);
  const operators = expected.boards.map((board) => [
    board.operator,
    time(expected.rows.findLast((row) => row.operator === board.operator)?.timestamp),
    time(board.watermark),
  ]);
  // A listing may be five seconds old.
  await until(
    `game ${game.id} is served as the oracle folds it`,
    async () => {
      const manifest = await manifestOf(api, game.id);
      assert.deepEqual(
        manifest.segments.map((segment) => segment.rows),
        expected.segments,
        'cuts',
      );
      const served = (await rowsOf(api, manifest)).map((row) => rowOfProduct(row as never));
      const at = rows.findIndex((row, index) => text(row) !== text(served[index]));
      assert.equal(at, -1, `row ${at + 1}: ${text(served[at])}, and not ${text(rows[at])}`);
      assert.equal(served.length, rows.length, 'number of rows');
      const files = [];
      for (const file of manifest.board.files) {
        const read = await getRows(api, file.url, 'board');
        assert.equal(read.length, file.rows, 'rows of a board');
        files.push([file.operator, read.map(boardRow)]);
      }
      assert.equal(text(files), text(boards), 'boards');
      const facts = Object.entries(manifest.operators).map(([code, one]) => [
        code,
        one.last_row_at,
        one.observed_through,
      ]);
      assert.equal(text(facts.sort()), text(operators.sort()), 'watermarks');
      return true;
    },
    { everyMs: 500 },
  );
  return { rows: rows.length, boards: boards.length };
}

export function boardRow(row: Readonly<Record<string, unknown>>) {
  const time = (value: unknown): string | null => (value === null ? null : writeTime(BigInt(value as number)));
  return {
    ...rowOfProduct(row as never),
    last_changed_at: time(row.last_changed_at),
    operator_observed_through: time(row.operator_observed_through),
    quote_state: row.quote_state,
  };
}

/**
 * Asserts that a client that followed the cursor saw each row once, in order, and no other; for a game that closed
 * meanwhile, those up to the switch.
 */
function judgeFollowed(follower: Follower, game: FoldedGame): void {
  const rows = expectedRows(game);
  const followed = (follower.rows.get(game.id) ?? []).map((row) => rowOfProduct(row as never));
  if (game.closed) rows.length = Math.min(rows.length, followed.length);
  const at = rows.findIndex((row, index) => text(row) !== text(followed[index]));
  assert.equal(at, -1, `${game.id}: the follower's row ${at + 1} is ${text(followed[at])}, and not ${text(rows[at])}`);
  assert.equal(followed.length, rows.length, `${game.id}: rows that the follower saw`);
}

/** Asserts that every record of an acknowledged push is in the log (I17). */
export function judgeAcknowledged(log: readonly TopicRecord[][], acknowledged: readonly Acknowledged[]): void {
  const logged = new Map<string, Set<number>>();
  for (const { value } of log.flat()) {
    if (value.push === null) continue;
    const indexes = logged.get(value.push) ?? new Set();
    indexes.add(value.push_index ?? 0);
    logged.set(value.push, indexes);
  }
  for (const { receipt, accepted } of acknowledged) {
    const found = logged.get(receipt)?.size ?? 0;
    assert.ok(found >= accepted, `receipt ${receipt}: ${accepted} records acknowledged, ${found} in the log`);
  }
}

type Noted = {
  id: number;
  program: string;
  kind: string;
  projector: string;
  partition: number;
  epoch: number;
  owner: string;
  from: number;
  to: number;
};

/**
 * Asserts that epochs rise by one, that every commit is by the owner of its epoch, and that offsets continue without a
 * gap (I18, I19).
 */
export async function judgeJournal(world: World): Promise<Noted[]> {
  const { rows } = await world.sql.query('select * from campaign_journal order by id');
  const noted = rows.map((row) => ({
    id: Number(row.id),
    program: String(row.program),
    kind: String(row.kind),
    projector: String(row.projector),
    partition: Number(row.partition),
    epoch: Number(row.epoch),
    owner: String(row.owner),
    from: Number(row.from_offset),
    to: Number(row.to_offset),
  }));
  const now = new Map<string, Noted>();
  for (const each of noted) {
    if (each.kind === 'refused') continue;
    const partition = `${each.projector} ${each.partition}`;
    const before = now.get(partition);
    const place = `journal ${each.id}, partition ${partition}`;
    assert.equal(each.from, before?.to ?? 0, `${place}: continues at the checkpoint`);
    if (each.kind === 'claim')
      assert.equal(each.epoch, (before?.epoch ?? 0) + 1, `${place}: a claim raises the epoch by one`);
    else {
      assert.equal(each.epoch, before?.epoch, `${place}: a commit has the newest epoch`);
      assert.equal(each.program, before?.program, `${place}: the owner of the epoch commits`);
    }
    now.set(partition, each);
  }
  return noted;
}

/** Asserts that every acknowledged push is applied, a duplicate or a dead letter, according to its receipt. */
export async function untilReceiptsApplied(
  gatewayUrl: string,
  feedKey: string,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const headers = { authorization: `Bearer ${feedKey}` };
  const waiting = acknowledged.map(({ receipt }) => receipt);
  const waiters = Array.from({ length: 8 }, async () => {
    for (let receipt = waiting.shift(); receipt !== undefined; receipt = waiting.shift()) {
      const url = `${gatewayUrl}/v1/receipts/${receipt}`;
      const isApplied = async (): Promise<boolean> => {
        const answer = (await (await fetch(url, { headers })).json()) as { state: string };
        if (answer.state !== 'applied') throw new Error(JSON.stringify(answer));
        return true;
      };
      await until(`receipt ${receipt} is applied`, isApplied, { everyMs: 100 });
    }
  });
  await Promise.all(waiters);
}
