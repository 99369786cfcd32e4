// Judges the MSF half of a campaign: reads the log, folds it from its start and by the naive oracle, and compares
// everything served: each revision once, change files that rebuild the state of the digest, archives, freshness,
// statuses of games, receipts, dead letters. Also compares the follower's rows with its bill, and runs `sds verify`.
import assert from 'node:assert/strict';
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import { RebuiltState } from '../../../core/msf/published/rebuild.ts';
import { freshnessRecord, revisionRecord } from '../../../core/msf/published/record.ts';
import type { CutRevision, Scope } from '../../../core/msf/types.ts';
import type { Ledger } from '../../../core/ports/ledger.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyStreams } from '../../../ops/verify/verify-streams.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import type { ArchiveAnswer, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { readInPython } from '../editions/msf-client.ts';
import type { FoldedLog } from '../folds/msf-folded-log.ts';
import { runSds } from '../processes/sds.ts';
import { services } from '../services/services.ts';
import type { Acknowledged } from './load.ts';
import { archivesOf, type MsfFollower } from './msf-follower.ts';
import { foldedLog, judgeLetters, judgeMoves, judgeReceipts, type Partitioned } from './msf-log.ts';
import type { World } from './world.ts';

export type MsfVerdict = {
  observations: number;
  held: number;
  streams: number;
  revisions: number;
  archives: number;
  moves: number;
  msfLetters: number;
  msfPushes: number;
  msfUnanswered: number;
  billed: number;
  /** How many streams the Python reader followed at the end. */
  inPython: number;
};

type Judged = {
  world: World;
  follower: MsfFollower;
  acknowledged: readonly Acknowledged[];
  unanswered: number;
  seed: number;
  full: boolean;
};

/** How many streams the Python reader follows at the end. */
const readOutside = 2;

/** Compares all MSF data served with the log. Everything must be folded, and nothing may be pushed any more. */
export async function judgeMsf({ world, follower, acknowledged, unanswered, seed, full }: Judged): Promise<MsfVerdict> {
  const log = await foldedLog(world, seed);
  await follower.catchUp();
  const verdict: MsfVerdict = {
    observations: log.reduce((sum, { records }) => sum + records.length, 0),
    held: log.flatMap(({ records }) => records.filter(({ object }) => object !== null)).length,
    streams: 0,
    revisions: 0,
    archives: 0,
    moves: await judgeMoves(world, log),
    msfLetters: await judgeLetters(world, log),
    msfPushes: acknowledged.length,
    msfUnanswered: unanswered,
    billed: 0,
    inPython: 0,
  };
  const served = new Set<string>();
  for (const { folded } of log) {
    for (const [name, cuts] of folded.revisions) {
      const judged = await judgeStream(follower, folded, name, cuts);
      served.add(judged.name);
      verdict.streams += 1;
      verdict.revisions += judged.revisions;
    }
  }
  verdict.archives = await judgeArchives(follower, log);
  assert.deepEqual(follower.violations, [], 'what the follower of MSF met');
  assert.deepEqual([...follower.streams.keys()].sort(), [...served].sort(), 'streams that the follower found');
  assert.deepEqual(follower.ended, [], 'no epoch is replaced');
  await judgeReceipts(world, log, acknowledged);
  verdict.billed = await judgeMsfBill(world.api.drivers.catalogs.ledger, follower);
  await verifyAll(world);
  if (full) {
    verdict.inPython = await readInPythonToo(world, follower);
    await judgeByCommand(world);
  }
  return verdict;
}

/**
 * Compares one stream as the follower has it, from the first revision of its epoch to its head, and what it had of
 * replaced epochs.
 */
export async function judgeStream(
  follower: MsfFollower,
  folded: FoldedLog,
  key: string,
  cuts: readonly CutRevision[],
): Promise<{ name: string; revisions: number }> {
  const [dataset = '', uuid = ''] = key.split(' ');
  const state = folded.scopes.get(uuid);
  assert.ok(state !== undefined, key);
  const { scope } = state;
  const name = `${scope.kind === 'league' ? 'leagues' : 'games'}/${scope.id}/${dataset}`;
  const followed = follower.streams.get(name);
  assert.ok(followed !== undefined, `${name} was found by the follower`);
  assert.equal(followed.epoch, folded.current.get(key), `${name}: epoch`);
  const ofEpoch = Map.groupBy(cuts, ({ epoch }) => epoch);
  for (const { epoch, records } of [...follower.ended.filter((ended) => ended.name === name), followed]) {
    const ofThis = ofEpoch.get(epoch) ?? [];
    const where = `${name}, epoch ${epoch}`;
    for (const [index, record] of records.entries()) {
      const cut = ofThis[index];
      assert.ok(cut !== undefined, `${where}: revision ${record.revision} is of the log`);
      const { files: _, row_count: rows, ...expected } = expectedRecord(cut, scope);
      assert.deepEqual(pick(record, expected), expected, `${where}: revision ${cut.revision}`);
      if (index > 0) assert.equal(record.row_count, rows, `${where}: rows of change ${cut.revision}`);
    }
    if (epoch === followed.epoch) assert.equal(records.length, ofThis.length, `${where}: revisions`);
  }
  const head = await follower.json<SnapshotManifest>(`/v1/${name}/snapshot`);
  assert.ok(head !== null, `${name} has a head`);
  assert.deepEqual(
    head.freshness,
    freshnessRecord(state.streams.get(followed.dataset)!.freshness),
    `${name}: freshness`,
  );
  const last = cuts.at(-1) as CutRevision;
  const { columns } = datasetNamed(dataset as CutRevision['dataset']);
  const rows = (await follower.rowsOf(head.files, dataset)) ?? [];
  assert.deepEqual(
    rows.map((row) => canonicalLine(columns, row)),
    last.snapshot.map(({ line }) => line),
    `${name}: rows of the head`,
  );
  return { name, revisions: cuts.length };
}

const noFiles = { of: 'change', addressOf: () => '' } as const;

function expectedRecord(cut: CutRevision, scope: Scope) {
  return revisionRecord({ ...cut, changeFiles: [], snapshotFiles: [] }, scope, noFiles);
}

function pick(from: Readonly<Record<string, unknown>>, like: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]));
}

/** Asserts that every archive that the fold cut is listed once, in its league, and replays from its baseline to its last digest. */
export async function judgeArchives(follower: MsfFollower, log: readonly Partitioned[]): Promise<number> {
  const expected = new Map<string, string[]>();
  for (const { folded } of log) {
    for (const [key, cuts] of folded.archives) {
      const [dataset = '', uuid = ''] = key.split(' ');
      const { league, id } = folded.scopes.get(uuid)!.scope;
      const lines = cuts.map(({ epoch, first, last }) => `${id} ${epoch} ${first} ${last}`);
      const catalog = `${league} ${dataset}`;
      expected.set(catalog, [...(expected.get(catalog) ?? []), ...lines]);
    }
  }
  let count = 0;
  for (const [catalog, lines] of expected) {
    const [league = '', dataset = ''] = catalog.split(' ');
    const listed = await archivesOf(follower, league, dataset);
    const archives = listed.map(
      (one) => `${one.game_id} ${one.stream_epoch} ${one.first_revision} ${one.last_revision}`,
    );
    assert.deepEqual(archives.sort(), lines.sort(), `archives of ${catalog}`);
    for (const { url } of listed) await replay(follower, url);
    count += listed.length;
  }
  return count;
}

async function replay(follower: MsfFollower, url: string): Promise<void> {
  const archive = await follower.json<ArchiveAnswer>(url);
  assert.ok(archive !== null, url);
  const { dataset, baseline, revisions } = archive;
  const state = new RebuiltState(datasetNamed(dataset), (await follower.rowsOf(baseline.files, dataset)) ?? []);
  for (const [index, record] of revisions.entries()) {
    const rows = (await follower.rowsOf(record.files, changeFileName(dataset))) ?? [];
    if (index > 0) assert.deepEqual(state.apply(record.revision_kind, rows), [], url);
    const recorded = [record.snapshot_digest, record.snapshot_row_count];
    assert.deepEqual([state.digest, state.rowCount], recorded, `${url}: revision ${record.revision}`);
  }
}

/**
 * Asserts that the follower's account is billed for each file that it received, and for no other but those whose answer
 * was lost: they may have been charged.
 */
export async function judgeMsfBill(
  ledger: Pick<Ledger, 'items' | 'reconcile'>,
  { account, rows, lostRows }: MsfFollower,
): Promise<number> {
  const { usedRows, items } = await ledger.items(account, null);
  assert.equal(
    items.reduce((sum, item) => sum + item.rows, 0),
    usedRows,
    'items of the follower',
  );
  const most = rows + lostRows;
  assert.ok(usedRows >= rows && usedRows <= most, `${usedRows} rows billed, ${rows} received, ${lostRows} lost`);
  assert.deepEqual(await ledger.reconcile(), []);
  return usedRows;
}

/** A program that shares no code with this one follows some of the longest streams from their first revision. */
async function readInPythonToo({ api }: World, { streams }: MsfFollower): Promise<number> {
  const python = await services.python();
  if (python.skip !== false) return 0;
  const longest = [...streams.values()].sort((a, b) => b.records.length - a.records.length).slice(0, readOutside);
  for (const { name, dataset, records } of longest) {
    const [, subject = ''] = name.split('/');
    const proven = await readInPython(python.path, api, subject, dataset, '--at', '1', '--limit', '9');
    assert.deepEqual(
      proven.map(({ revision, snapshot_digest }) => [revision, snapshot_digest]),
      records.map(({ revision, snapshot_digest }) => [revision, snapshot_digest]),
      `${name}, read in Python`,
    );
  }
  return longest.length;
}

/** Runs the verification of `sds verify`, in this process. */
async function verifyAll({ api }: World): Promise<void> {
  const { catalogs, objects } = api.drivers;
  const { msf, msfHistory: history } = catalogs;
  const report = new Report();
  await verifyStreams({ objects, parquet: parquetWriter, report, msf, history }, null);
  assert.deepEqual(report.violations, [], 'what a verification finds');
}

async function judgeByCommand({ environmentOf }: World): Promise<void> {
  const { code, out, err } = await runSds({ ...environmentOf('verify'), LOG_LEVEL: 'error' }, ['verify', '--json']);
  assert.equal(code, 0, `sds verify: ${err} ${out.slice(0, 2_000)}`);
}
