// Judges a drill after the last push: every acknowledged push must be in the log, both APIs must serve its naive fold, `sds verify` must
// find nothing. The reader of quotes must have been billed for the rows that it holds. The follower of MSF must have had each
// revision and archive as the log gives it, new epochs only where one was ordered, and a bill of what it received. The event
// streams must say what is served.
import assert from 'node:assert/strict';
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { SnapshotManifest } from '../../../schemas/http/msf.ts';
import type { TopicRecord } from '../../oracle/records.ts';
import { foldPlayed } from '../campaigns/finals-verdict.ts';
import type { Acknowledged } from '../campaigns/load.ts';
import type { MsfFollower } from '../campaigns/msf-follower.ts';
import { foldedLog, judgeLetters, type Partitioned } from '../campaigns/msf-log.ts';
import { judgeArchives, judgeMsfBill, judgeStream } from '../campaigns/msf-verdict.ts';
import { judgeAcknowledged, judgeGame, readLog, readQuotesLog, untilAllIsFolded } from '../campaigns/verdict.ts';
import { type Api, getJson, manifestOf, rowsOf } from '../editions/published-game.ts';
import { furtherValue } from '../processes/further-column.ts';
import { runSds } from '../processes/sds.ts';
import { until } from '../services/until.ts';
import type { BilledReader } from './billed-reader.ts';
import type { DrillPlace } from './drill-place.ts';
import { type EventListener, judgeEvents } from './event-listener.ts';
import type { Fleet } from './fleet.ts';

export type DrillVerdict = {
  pushes: number;
  records: number;
  games: number;
  rows: number;
  streams: number;
  revisions: number;
  /** How many dead letters the log of observations has. */
  letters: number;
  /** How many records of the log of quotes are none, and so dead letters. */
  strange: number;
  billed: number;
  resets: number;
  followed: FollowedVerdict;
  heard: HeardVerdict;
};

/** `heads`: how many newest heads are what is served. */
type HeardVerdict = { streams: number; events: number; heads: number };

/** `received`: rows of the files that the follower received; `epochs`: how many ended while they were followed. */
type FollowedVerdict = { revisions: number; archives: number; epochs: number; billed: number; received: number };

type Judged = {
  place: DrillPlace;
  fleet: Fleet;
  apiKey: string;
  acknowledged: readonly Acknowledged[];
  reader: BilledReader;
  follower: MsfFollower;
  listener: EventListener;
  seed: number;
};

export async function judgeDrill(judged: Judged): Promise<DrillVerdict> {
  const { place, fleet } = judged;
  const { drivers } = place;
  for (const member of fleet.of('gateway')) await member.stop();
  const sql = openPool({ connection: place.plain.DATABASE_URL ?? '', maxConnections: 2, applicationName: 'drill' });
  try {
    await untilAllIsFolded({ api: { drivers }, sql });
    return await judgeStill(judged, sql);
  } finally {
    await sql.close();
  }
}

/** Judges once nothing is written any more. */
async function judgeStill(judged: Judged, sql: Sql): Promise<DrillVerdict> {
  const { place, fleet, acknowledged, reader, follower, seed } = judged;
  const { drivers } = place;
  const build = fleet.members[0]?.build.of;
  for (const member of fleet.of('projector')) await member.stop();
  judgeWhatWasSaid(fleet);
  const quotes = await readQuotesLog(drivers.broker);
  const folded = await foldedLog({ api: { drivers } }, seed);
  const observations = (await readLog(drivers.broker, topics.observations)) as unknown as TopicRecord[][];
  const decoded = (log: readonly TopicRecord[][]) =>
    log.map((records) => records.filter(({ value }) => value !== null));
  judgeAcknowledged([...decoded(quotes), ...decoded(observations)], acknowledged);
  const verdict: DrillVerdict = {
    pushes: acknowledged.length,
    records: quotes.flat().length + observations.flat().length,
    games: 0,
    rows: 0,
    ...(await judgeStreams(judged, folded)),
    letters: await judgeLetters({ sql }, folded),
    strange: await judgeStrangeQuotes(sql, quotes),
    billed: 0,
    resets: 0,
    followed: await judgeFollower(follower, folded, drivers),
    heard: { streams: 0, events: 0, heads: 0 },
  };
  const quoted = new Set<string>();
  for (const { game } of decoded(quotes).flatMap(foldPlayed)) {
    assert.ok(!game.closed, `${game.id} is open: nothing has closed it`);
    for (const apiUrl of fleet.urls('api')) {
      const api = { apiUrl, apiKey: judged.apiKey, furtherColumns: build !== undefined };
      const { rows } = await judgeGame(api, game);
      verdict.rows += rows;
      if (rows > 0) quoted.add(game.id);
      if (rows > 0 && build !== undefined) await judgeColumns(api, game.id);
    }
    verdict.games += 1;
  }
  verdict.rows /= fleet.urls('api').length;
  verdict.heard = await judgeListener(judged, [...quoted]);
  const { held, billed } = await reader.conclude();
  assert.deepEqual(reader.violations, [], 'what the reader met');
  assert.equal(held, verdict.rows, 'rows that the reader holds');
  assert.equal(billed, held, 'rows that the reader was billed for');
  assert.deepEqual(await drivers.catalogs.ledger.reconcile(), [], 'the books');
  const verified = await runSds(
    { ...place.plain, LOG_LEVEL: 'error' },
    ['verify', '--json'],
    build === undefined ? {} : { of: build },
  );
  assert.equal(verified.code, 0, `sds verify: ${verified.err} ${verified.out.slice(0, 2_000)}`);
  return { ...verdict, billed, resets: reader.resets };
}

/** Asserts that whatever in the log of quotes is no record is a dead letter, once. */
async function judgeStrangeQuotes(sql: Sql, log: readonly TopicRecord[][]): Promise<number> {
  const { rows } = await sql.query(
    `select partition, "offset" from dead_letters where topic = $1 and partition is not null and code = 'bad-record'`,
    [topics.quotes],
  );
  const kept = rows.map(({ partition, offset }) => `${partition} ${offset}`);
  const strange = log.flatMap((records, partition) =>
    records.filter(({ value }) => value === null).map(({ offset }) => `${partition} ${offset}`),
  );
  assert.deepEqual(kept.sort(), strange.sort(), 'dead letters of quotes');
  return strange.length;
}

/** Checks what the follower of MSF met and holds, and its bill. */
async function judgeFollower(
  follower: MsfFollower,
  log: readonly Partitioned[],
  { catalogs }: DrillPlace['drivers'],
): Promise<FollowedVerdict> {
  await follower.catchUp();
  assert.deepEqual(follower.violations, [], 'what the follower of MSF met');
  const verdict: FollowedVerdict = { revisions: 0, archives: 0, epochs: follower.ended.length, billed: 0, received: 0 };
  const served = new Set<string>();
  const restarted: string[] = [];
  for (const { records, folded } of log) {
    const values = records.map(({ value }) => value as ObservationsRecord | null);
    const ordered = new Set(values.flatMap((value) => (value?.reset == null ? [] : value.scope_uuid)));
    for (const [key, cuts] of folded.revisions) {
      const [, uuid = ''] = key.split(' ');
      const { name } = await judgeStream(follower, folded, key, cuts);
      served.add(name);
      const epochs = new Set(cuts.map(({ epoch }) => epoch)).size;
      if (epochs > 1) assert.ok(ordered.has(uuid), `${name} has ${epochs} epochs, and no order to reset it`);
      restarted.push(...Array.from({ length: epochs - 1 }, () => name));
    }
  }
  assert.deepEqual(follower.ended.map(({ name }) => name).sort(), restarted.sort(), 'epochs that ended');
  assert.deepEqual([...follower.streams.keys()].sort(), [...served].sort(), 'streams that the follower found');
  const all = [...follower.ended, ...follower.streams.values()];
  verdict.revisions = all.reduce((sum, { records }) => sum + records.length, 0);
  verdict.archives = await judgeArchives(follower, log);
  assert.deepEqual(follower.violations, [], 'what the follower of MSF met in the end');
  verdict.billed = await judgeMsfBill(catalogs.ledger, follower);
  verdict.received = follower.rows;
  return verdict;
}

/** Checks what the event streams of both APIs say in the end. */
async function judgeListener(
  { fleet, apiKey, follower, listener }: Judged,
  games: readonly string[],
): Promise<HeardVerdict> {
  const ofGames = (names: Iterable<string>) =>
    [...names].filter((name) => name.startsWith('games/')).map((name) => name.slice('games/'.length));
  const heads = await judgeEvents(listener, {
    apis: fleet.urls('api').map((apiUrl) => ({ apiUrl, apiKey })),
    games,
    streams: ofGames(follower.streams.keys()),
    ended: ofGames(follower.ended.map(({ name }) => name)),
  });
  return { ...listener.counts, heads };
}

/** Checks that the log is that of the build with one more column: new and old rows have it. */
async function judgeColumns(api: Api, game: string): Promise<void> {
  const manifest = await manifestOf(api, game);
  const lacking = (await rowsOf(api, manifest)).filter(
    (row) => !Object.keys(furtherValue).every((name) => name in row),
  );
  assert.equal(lacking.length, 0, `rows of ${game} without the further column`);
}

/** A state that differs from the committed one, or a halted partition, is never the mere effect of a fault. */
function judgeWhatWasSaid({ members }: Fleet): void {
  const wrong = members.flatMap(({ name, programs }) =>
    programs.flatMap(({ said }) =>
      said
        .filter(({ msg }) => msg === 'state is not the committed one' || msg.startsWith('partition halted'))
        .map((line) => `${name}: ${JSON.stringify(line)}`),
    ),
  );
  assert.deepEqual(wrong, [], 'what nobody should say');
}

/** Checks that the head of each stream, in both APIs, is the one the log gives. */
async function judgeStreams(
  { fleet, apiKey }: Judged,
  log: readonly Partitioned[],
): Promise<{ streams: number; revisions: number }> {
  const counts = { streams: 0, revisions: 0 };
  for (const { folded } of log) {
    for (const [key, cuts] of folded.revisions) {
      const [dataset = '', uuid = ''] = key.split(' ');
      const scope = folded.scopes.get(uuid)?.scope;
      const last = cuts.at(-1);
      if (scope === undefined || last === undefined) throw new Error(`${key} has no scope or no revision`);
      const name = `${scope.kind === 'league' ? 'leagues' : 'games'}/${scope.id}/${dataset}`;
      for (const apiUrl of fleet.urls('api')) {
        await until(`${name} is served as the log says`, async () => {
          const head = (await getJson({ apiUrl, apiKey }, `/v1/${name}/snapshot`)) as SnapshotManifest;
          assert.deepEqual([head.stream_epoch, head.revision], [folded.current.get(key), last.revision], name);
          const { columns } = datasetNamed(last.dataset);
          const rows = [];
          for (const { url } of head.files) {
            const response = await fetch(apiUrl + url, { headers: { authorization: `Bearer ${apiKey}` } });
            assert.equal(response.status, 200, url);
            rows.push(...parquetWriter.decode(dataset, new Uint8Array(await response.arrayBuffer())));
          }
          assert.deepEqual(
            rows.map((row) => canonicalLine(columns, row)),
            last.snapshot.map(({ line }) => line),
            `${name}: rows of the head`,
          );
          return true;
        });
      }
      counts.streams += 1;
      counts.revisions += cuts.length;
    }
  }
  return counts;
}

export function describeVerdict(verdict: DrillVerdict): string {
  const { pushes, records, games, rows, streams, revisions, letters, strange, billed, resets, followed, heard } =
    verdict;
  return [
    `${pushes} pushes acknowledged, all in the log of ${records} records`,
    `${rows} rows of ${games} games and the heads of ${streams} streams with ${revisions} revisions are the naive fold, in both APIs`,
    `${letters} observations and ${strange} records of quotes are dead letters, each once`,
    `${billed} rows billed, as many as the reader holds, through ${resets} restarts of logs`,
    `${followed.revisions} revisions proven by a follower as they came, through ${followed.epochs} ends of epochs, and ${followed.archives} archives; ${followed.billed} rows of their files billed, ${followed.received} received`,
    `${heard.heads} heads of event streams are what is served, after ${heard.events} events of ${heard.streams} streams`,
    'sds verify is clean',
  ].join('\n');
}
