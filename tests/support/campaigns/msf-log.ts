// Reads a campaign's log of observations and compares it with the catalog, streams excepted: statuses of games,
// receipts of acknowledged bodies, dead letters.
import assert from 'node:assert/strict';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { heldText } from '../builders/held-element.ts';
import { assertAsNaive, type FoldedLog, foldOnce, type LoggedObservation } from '../folds/msf-folded-log.ts';
import type { Acknowledged } from './load.ts';
import { readLog } from './verdict.ts';
import type { World } from './world.ts';

/** The records of a partition, and their fold. */
export type Partitioned = { partition: number; records: LoggedObservation[]; folded: FoldedLog };

/** The log of observations by partition, with the objects that it refers to, as the oracle folds it. */
export async function foldedLog({ api }: { api: Pick<World['api'], 'drivers'> }, seed: number): Promise<Partitioned[]> {
  const { broker, objects } = api.drivers;
  const log: Partitioned[] = [];
  for (const [partition, delivered] of (await readLog(broker, topics.observations)).entries()) {
    const records: LoggedObservation[] = [];
    for (const record of delivered) {
      const held = (record.value as ObservationsRecord | null)?.observation?.held ?? null;
      records.push({ ...record, object: await heldText(objects, held) });
    }
    const folded = foldOnce(records, partition);
    assertAsNaive(`seed ${seed}, partition ${partition}`, records, folded);
    judgeStrangers(partition, records, folded);
    log.push({ partition, records, folded });
  }
  return log;
}

/** Asserts that the records of the hostile producer are in the log and changed nothing. */
function judgeStrangers(partition: number, records: readonly LoggedObservation[], { letters }: FoldedLog): void {
  for (const { offset, value } of records) {
    const source = (value as ObservationsRecord | null)?.source ?? '';
    if (!source.startsWith('stranger-')) continue;
    const codes = letters.filter(([at]) => at === offset).map(([, code]) => code);
    assert.deepEqual(codes, [source.slice('stranger-'.length)], `partition ${partition}, offset ${offset}`);
  }
}

/** Asserts that each game has the status of its last legal move, and that the quotes' partitions have a record of every move. */
export async function judgeMoves({ sql, api }: World, log: readonly Partitioned[]): Promise<number> {
  const moves = log.flatMap(({ folded }) => folded.moves);
  const { rows } = await sql.query('select id, status, scheduled_start from games');
  const games = new Map(rows.map((row) => [String(row.id), row]));
  const logged = new Map<string, number>();
  for (const record of (await readLog(api.drivers.broker, topics.quotes)).flat()) {
    const value = record.value as QuotesRecord;
    if (value.source !== 'msf') continue;
    for (const fact of [
      value.status?.status,
      value.start?.from_schedule === true ? value.start.scheduled_start : null,
    ]) {
      if (fact != null) logged.set(`${value.game_uuid} ${fact}`, (logged.get(`${value.game_uuid} ${fact}`) ?? 0) + 1);
    }
  }
  const needed = new Map<string, number>();
  for (const { gameUuid, status, scheduledStart } of moves) {
    const game = games.get(gameUuid);
    assert.ok(game !== undefined, `game ${gameUuid} is in the catalog`);
    const newest = moves.findLast((move) => move.gameUuid === gameUuid && move.status !== null)?.status ?? null;
    if (newest !== null) assert.equal(game.status, newest, `status of ${gameUuid}`);
    for (const fact of [status, scheduledStart])
      if (fact !== null) needed.set(`${gameUuid} ${fact}`, (needed.get(`${gameUuid} ${fact}`) ?? 0) + 1);
  }
  for (const [fact, count] of needed) assert.ok((logged.get(fact) ?? 0) >= count, `${fact} reached the quotes' log`);
  return moves.length;
}

/** Asserts that every refusal of the fold is one dead letter, and that there are no others. */
export async function judgeLetters(
  { sql }: { sql: Pick<World['sql'], 'query'> },
  log: readonly Partitioned[],
): Promise<number> {
  const { rows } = await sql.query(
    `select partition, "offset", code from dead_letters where topic = $1 and partition is not null`,
    [topics.observations],
  );
  const kept = rows.map((row) => `${row.partition} ${row.offset} ${row.code}`).sort();
  const expected = log.flatMap(({ partition, folded }) =>
    folded.letters.map(([offset, code]) => `${partition} ${offset} ${code}`),
  );
  assert.deepEqual(kept, expected.sort(), 'dead letters of observations');
  return kept.length;
}

/** The most records that a receipt lists (docs/operations.md#receipts). */
const mostListed = 1_000;

/**
 * Asserts that every acknowledged body is in the log, and that its receipt has the outcome of each record and the revisions that it cut.
 */
export async function judgeReceipts(
  { api }: World,
  log: readonly Partitioned[],
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  type Copy = { index: number; receivedAt: number | null; isOfGame: boolean; result: string; cuts: string[] };
  /**
   * By push and place. The place is the index or, for a league's injuries, the game: between two attempts of a push,
   * other games may have come near.
   */
  const pushed = new Map<string, Map<string, Copy[]>>();
  for (const { records, folded } of log) {
    for (const { offset, value } of records) {
      const record = value as ObservationsRecord;
      const { push, push_index: index, received_at: receivedAt } = record;
      const known = folded.results.get(offset);
      if (push === null || index === null || known === undefined) continue;
      const isOfGame = record.observation?.feed === 'injuries';
      const place = isOfGame ? record.scope_uuid : String(index);
      const ofPush = pushed.get(push) ?? new Map<string, Copy[]>();
      pushed.set(push, ofPush);
      const cuts = known.cuts.map(({ dataset, epoch, revision }) => `${dataset} ${epoch} ${revision}`);
      const copy = { index, receivedAt, isOfGame, result: known.result, cuts };
      ofPush.set(place, [...(ofPush.get(place) ?? []), copy]);
    }
  }
  for (const { receipt, accepted } of acknowledged) {
    const state = await api.drivers.catalogs.pushes.receipt(receipt);
    assert.ok(state !== null, `receipt ${receipt} is kept`);
    // The last attempt is the acknowledged one: injuries that only an earlier attempt had belong to no receipt.
    const all = [...(pushed.get(receipt)?.values() ?? [])];
    const lastAt = Math.max(...all.flat().map(({ receivedAt }) => receivedAt ?? 0));
    const inLast = ({ receivedAt }: Copy): boolean => receivedAt === lastAt;
    const ofPush = all.filter((copies) => copies.some((copy) => !copy.isOfGame || inLast(copy)));
    const counts = { applied: 0, refused: 0, duplicates: 0 };
    for (const copies of ofPush) counts[becameOf(copies.map(({ result }) => result))] += 1;
    const { applied, refused, foldedDuplicates: duplicates } = state;
    assert.deepEqual({ applied, refused, duplicates }, counts, `counts of receipt ${receipt}`);
    assert.equal(applied + refused + duplicates, state.accepted, `records of receipt ${receipt}`);
    // A push repeated under its Idempotency-Key accepts nothing more.
    assert.ok(accepted === state.accepted || accepted === 0, `receipt ${receipt}: ${accepted} were acknowledged`);
    for (const { index, revisions = [] } of state.records) {
      const named = revisions.map(({ dataset, epoch, revision }) => `${dataset} ${epoch} ${revision}`);
      // The index is that of the copy that cut the revision: another attempt may have given the game another index.
      assert.ok(
        all.flat().some((copy) => copy.index === index && copy.cuts.join() === named.join()),
        `receipt ${receipt}, record ${index}: ${named.join()}`,
      );
    }
    // A receipt lists a limited number of records; hostile keys may found more games than that, each with injuries.
    if (state.records.length >= mostListed) continue;
    const listed = new Set(state.records.map(({ index }) => index));
    for (const copies of ofPush)
      assert.ok(
        copies.some(({ index }) => listed.has(index)) || copies.every(({ cuts }) => cuts.length === 0),
        `receipt ${receipt}, record ${copies[0]?.index} is not listed`,
      );
  }
}

/** A record counts once, however many copies the log has; it counts as applied if any copy was. */
function becameOf(results: readonly string[]): 'applied' | 'refused' | 'duplicates' {
  if (results.some((each) => each === 'applied' || each === 'same')) return 'applied';
  return results.some((each) => each !== 'duplicate') ? 'refused' : 'duplicates';
}
