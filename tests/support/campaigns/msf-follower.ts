// A client of the MSF datasets that uses only the documented interface. It begins each stream with the state after its
// first revision, follows `changes` by cursors in pages of any size, and proves after each revision that it holds the
// published state. It has an account of its own and adds up the rows it received. It records answers that a client
// should never get, and repeats requests without an answer.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RebuiltState } from '../../../core/msf/published/rebuild.ts';
import type { MsfDataset } from '../../../core/msf/types.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import {
  type ArchiveDescriptor,
  type ChangeListing,
  msfDatasetNames,
  type RevisionDocument,
  type SnapshotManifest,
} from '../../../schemas/http/msf.ts';
import { seededRandom } from '../../oracle/random.ts';
import type { Edition } from '../editions/edition.ts';

/** A stream from its first revision on. `name`: `<game or league>/<dataset>`. */
export type FollowedStream = {
  name: string;
  dataset: MsfDataset;
  epoch: string;
  cursor: string;
  /** The mark at which the pages of this walk end. */
  until: number | null;
  state: RebuiltState;
  /** The record of each revision, in the order of arrival. */
  records: RevisionDocument[];
};

export type MsfFollower = {
  streams: Map<string, FollowedStream>;
  polls: number;
  unanswered: number;
  /** Rows of all files received. */
  rows: number;
  account: string;
  violations: string[];
  /** The document at a free path; null if there is none. */
  json<T>(path: string): Promise<T | null>;
  /** The rows of the files of a record, each proven by its hash. */
  rowsOf(files: RevisionDocument['files'], dataset: string): Promise<ParquetRow[] | null>;
  /** Stops its rounds and reads every stream until nothing is new. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

type Api = Pick<Edition, 'apiUrl' | 'drivers'>;
const leagues = ['NBA', 'NFL', 'MLB', 'NHL', 'NCAAM'];

/** `listGames`: the public ids of the games to follow (default: the first thousand). */
export async function startMsfFollower(
  api: Api,
  seed: number,
  pauseMs = 30,
  listGames: (() => Promise<readonly string[]>) | null = null,
): Promise<MsfFollower> {
  const { catalogs, peppers } = api.drivers;
  const account = randomUUID();
  await catalogs.keys.createAccount({ id: account, name: 'follower', tier: 'PRO', entitled: true, monthlyRows: null });
  const minted = await mintApiKey(catalogs.keys, peppers, account);
  assert.equal(minted.kind, 'minted');
  const authorization = `Bearer ${minted.kind === 'minted' ? minted.plaintext : ''}`;
  const random = seededRandom(seed);
  const stopped = new AbortController();
  const follower: MsfFollower = {
    streams: new Map(),
    polls: 0,
    unanswered: 0,
    rows: 0,
    account,
    violations: [],
    json,
    rowsOf,
    async catchUp() {
      await follower.stop();
      let quietRounds = 0;
      while (quietRounds < 2) quietRounds = (await round(0)) ? 0 : quietRounds + 1;
    },
    async stop() {
      stopped.abort();
      await done;
    },
  };
  const wrong = (what: string): unknown => follower.violations.push(what);

  async function get(path: string): Promise<Response | null> {
    follower.polls += 1;
    const response = await fetch(api.apiUrl + path, {
      headers: { authorization },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    if (response === null || response.status >= 500) {
      await response?.arrayBuffer().catch(() => {});
      follower.unanswered += 1;
      return null;
    }
    return response;
  }

  async function json<T>(path: string): Promise<T | null> {
    const response = await get(path);
    if (response === null) return null;
    if (response.status === 200) return (await response.json()) as T;
    const problem = await response.text();
    if (response.status !== 404 || !problem.includes('not-yet-available'))
      wrong(`${path}: ${response.status} ${problem}`);
    return null;
  }

  async function rowsOf(files: RevisionDocument['files'], dataset: string): Promise<ParquetRow[] | null> {
    const rows: ParquetRow[] = [];
    for (const { url, sha256, rows: count } of files) {
      const response = await get(url);
      const bytes = new Uint8Array((await response?.arrayBuffer().catch(() => null)) ?? []);
      if (response === null) return null;
      if (response.status !== 200) {
        wrong(`${url}: ${response.status} ${Buffer.from(bytes).toString()}`);
        return null;
      }
      follower.rows += count;
      const read = parquetWriter.decode(dataset, bytes);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong(`${url}: other bytes than were named`);
      const said = [count, read.length, Number(response.headers.get('x-service-rowcount'))];
      if (new Set(said).size > 1) wrong(`${url}: named, held and said are ${said.join(', ')} rows`);
      rows.push(...read);
    }
    return rows;
  }

  /** The stream with the state after its first revision; null while there is none. */
  async function begin(name: string, dataset: MsfDataset): Promise<FollowedStream | null> {
    const head = await json<SnapshotManifest>(`/v1/${name}/snapshot`);
    if (head === null) return null;
    const epoch = head.stream_epoch;
    const first = await json<SnapshotManifest>(`/v1/${name}/snapshot?at_revision=1&epoch=${epoch}`);
    const rows = first === null ? null : await rowsOf(first.files, dataset);
    if (first === null || rows === null) return null;
    const state = new RebuiltState(datasetNamed(dataset), rows);
    const stream = { name, dataset, epoch, cursor: first.cursor, until: null, state, records: [first] };
    prove(stream, first);
    return stream;
  }

  function prove({ name, state, records }: FollowedStream, record: RevisionDocument): void {
    const { revision, row_count: rows, files, snapshot_digest: digest, snapshot_row_count: count } = record;
    if (revision !== records.length) wrong(`${name}: revision ${revision} came as number ${records.length}`);
    const listed = files.reduce((sum, file) => sum + file.rows, 0);
    if (listed !== rows) wrong(`${name} ${revision}: ${rows} rows, and ${listed} in its files`);
    if (state.rowCount !== count) wrong(`${name} ${revision}: ${state.rowCount} rows, and ${count} were published`);
    if (state.digest !== digest)
      wrong(`${name} ${revision}: its digest is ${state.digest}, and ${digest} was published`);
  }

  /** Reads one more page. Answers whether anything was new. */
  async function follow(name: string, dataset: MsfDataset): Promise<boolean> {
    const stream = follower.streams.get(name);
    if (stream === undefined) {
      const begun = await begin(name, dataset);
      if (begun !== null) follower.streams.set(name, begun);
      return begun !== null;
    }
    const { cursor, until } = stream;
    const mark = until === null ? '' : `&until_revision=${until}`;
    const limit = 1 + random.integer(random.pick([2, 8, 100]));
    const page = await json<ChangeListing>(`/v1/${name}/changes?cursor=${cursor}&limit=${limit}${mark}`);
    if (page === null) return true;
    if (page.stream_epoch !== stream.epoch) wrong(`${name}: epoch ${page.stream_epoch} after ${stream.epoch}`);
    if (until !== null && page.high_water_revision !== until) wrong(`${name}: the mark ${until} has moved`);
    for (const record of page.revisions) {
      const rows = await rowsOf(record.files, changeFileName(dataset));
      if (rows === null) return true;
      for (const fault of stream.state.apply(record.revision_kind, rows)) wrong(`${name} ${record.revision}: ${fault}`);
      stream.records.push(record);
      stream.cursor = record.cursor;
      prove(stream, record);
    }
    if (page.cursor !== stream.cursor)
      wrong(`${name}: a page ends at ${page.cursor}, its last record at ${stream.cursor}`);
    const isThrough = stream.records.length >= page.high_water_revision;
    stream.until = isThrough || random.chance(0.2) ? null : page.high_water_revision;
    return page.revisions.length > 0;
  }

  async function listed(): Promise<readonly string[] | null> {
    const list = await get('/v1/games?limit=1000');
    if (list?.status !== 200) return null;
    const { data } = (await list.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  async function round(pause: number): Promise<boolean> {
    const ids = await (listGames ?? listed)();
    if (ids === null) return true;
    const ofGames = ids.flatMap((id) => msfDatasetNames.map((dataset) => [`games/${id}/${dataset}`, dataset] as const));
    const ofLeagues = leagues.map((league) => [`leagues/${league}/injuries`, 'injuries'] as const);
    let moved = false;
    for (const [name, dataset] of [...ofLeagues, ...ofGames]) {
      moved = (await follow(name, dataset)) || moved;
      if (pause > 0 && stopped.signal.aborted) break;
      if (pause > 0) await delay(pause, undefined, { signal: stopped.signal }).catch(() => {});
    }
    return moved;
  }

  const done = (async () => {
    while (!stopped.signal.aborted) {
      await round(pauseMs).catch((error: unknown) => wrong(`follower: ${String(error)}`));
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return follower;
}

/** All archives of a dataset that a league's catalog lists. */
export async function archivesOf(follower: MsfFollower, league: string, dataset: string): Promise<ArchiveDescriptor[]> {
  const found: ArchiveDescriptor[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${cursor}`;
    type Page = { archives: ArchiveDescriptor[]; next_cursor: string | null };
    const page: Page | null = await follower.json<Page>(`/v1/leagues/${league}/${dataset}/archives${query}`);
    found.push(...(page?.archives ?? []));
    cursor = page?.next_cursor ?? null;
  } while (cursor !== null);
  return found;
}
