// A client of the MSF datasets that uses only the documented interface. It begins each stream with the state after its
// first revision, follows `changes` by cursors in pages of any size, and proves after each revision that it holds the
// published state. When an epoch is replaced, it begins again with the new one. It has an account of its own and adds up
// the rows it received. It records answers that a client should never get, and repeats requests without an answer.
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
import { wasRefusedAtTheDoor } from '../http/refused-at-the-door.ts';

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
  /** Streams of replaced epochs, as far as they were followed. */
  ended: FollowedStream[];
  polls: number;
  unanswered: number;
  /** Rows of all files received. */
  rows: number;
  /** Rows of files whose answer broke off or never came: they may have been billed. */
  lostRows: number;
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

/** A request that a server failed: `status` 500 or above, or null for no answer. */
export type Failure = { of: 'list' | 'file'; status: number | null; text: string };

export type Following = {
  drivers: {
    catalogs: Pick<Edition['drivers']['catalogs'], 'keys'>;
    peppers: Edition['drivers']['peppers'];
  };
  /** The APIs, asked in turns. */
  apis: readonly string[];
  seed: number;
  pauseMs?: number;
  /** The public ids of the games to follow; by default the first thousand listed. */
  listGames?: () => Promise<readonly string[]>;
  /** Whether an outage explains the failure; by default it always does. */
  isOutage?: (failure: Failure) => boolean;
};

type Answer = { status: number; headers: Headers; bytes: Uint8Array };

const leagues = ['NBA', 'NFL', 'MLB', 'NHL', 'NCAAM'];

export async function startMsfFollower(following: Following): Promise<MsfFollower> {
  const { apis, seed, pauseMs = 30, listGames = listed, isOutage = () => true } = following;
  const { catalogs, peppers } = following.drivers;
  const account = randomUUID();
  await catalogs.keys.createAccount({ id: account, name: 'follower', tier: 'PRO', entitled: true, monthlyRows: null });
  const minted = await mintApiKey(catalogs.keys, peppers, account);
  assert.equal(minted.kind, 'minted');
  const authorization = `Bearer ${minted.kind === 'minted' ? minted.plaintext : ''}`;
  const random = seededRandom(seed);
  const stopped = new AbortController();
  const follower: MsfFollower = {
    streams: new Map(),
    ended: [],
    polls: 0,
    unanswered: 0,
    rows: 0,
    lostRows: 0,
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

  /** `rows`: of the file, which an answer that breaks off may have cost. */
  async function get(path: string, of: Failure['of'], rows = 0): Promise<Answer | null> {
    follower.polls += 1;
    const url = `${apis[follower.polls % apis.length]}${path}`;
    let failure: Failure;
    try {
      const response = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(20_000) });
      const { status, headers } = response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (status < 500) return { status, headers, bytes };
      failure = { of, status, text: textOf(bytes) };
    } catch (error) {
      if (!wasRefusedAtTheDoor(error)) follower.lostRows += rows;
      failure = { of, status: null, text: String(error) };
    }
    follower.unanswered += 1;
    if (!isOutage(failure)) wrong(`${url}: ${failure.status} ${failure.text}`);
    return null;
  }

  async function json<T>(path: string): Promise<T | null> {
    const answer = await get(path, 'list');
    return answer === null ? null : documentOf<T>(path, answer);
  }

  function documentOf<T>(path: string, { status, bytes }: Answer): T | null {
    const text = textOf(bytes);
    if (status === 200) return JSON.parse(text) as T;
    if (status !== 404 || !text.includes('not-yet-available')) wrong(`${path}: ${status} ${text}`);
    return null;
  }

  async function rowsOf(files: RevisionDocument['files'], dataset: string): Promise<ParquetRow[] | null> {
    const rows: ParquetRow[] = [];
    for (const { url, sha256, rows: count } of files) {
      const answer = await get(url, 'file', count);
      if (answer === null) return null;
      const { status, headers, bytes } = answer;
      if (status !== 200) {
        wrong(`${url}: ${status} ${textOf(bytes)}`);
        return null;
      }
      follower.rows += count;
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
        wrong(`${url}: other bytes than were named`);
        return null;
      }
      const read = parquetWriter.decode(dataset, bytes);
      const said = [count, read.length, Number(headers.get('x-service-rowcount'))];
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
    // An API may name the replaced epoch for some seconds more.
    if (follower.ended.some((stream) => stream.name === name && stream.epoch === epoch)) return null;
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

  /** Reads one more page. Answers whether anything was new, or unanswered. */
  async function follow(name: string, dataset: MsfDataset): Promise<boolean> {
    const stream = follower.streams.get(name);
    if (stream === undefined) {
      const { unanswered } = follower;
      const begun = await begin(name, dataset);
      if (begun !== null) follower.streams.set(name, begun);
      return begun !== null || follower.unanswered > unanswered;
    }
    const { cursor, until } = stream;
    const mark = until === null ? '' : `&until_revision=${until}`;
    const limit = 1 + random.integer(random.pick([2, 8, 100]));
    const path = `/v1/${name}/changes?cursor=${cursor}&limit=${limit}${mark}`;
    const answer = await get(path, 'list');
    if (answer === null) return true;
    if (answer.status === 410 && textOf(answer.bytes).includes('/stream-reset')) {
      follower.ended.push(stream);
      follower.streams.delete(name);
      return true;
    }
    const page = documentOf<ChangeListing>(path, answer);
    if (page === null) return true;
    if (page.stream_epoch !== stream.epoch) wrong(`${name}: epoch ${page.stream_epoch} after ${stream.epoch}`);
    // Of several APIs one may not have the mark yet; then its head is the mark.
    const hasMoved = until !== null && page.high_water_revision !== until;
    if (hasMoved && (apis.length === 1 || page.high_water_revision > until))
      wrong(`${name}: the mark ${until} has moved to ${page.high_water_revision}`);
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
    const list = await json<{ data: { id: string }[] }>('/v1/games?limit=1000');
    return list?.data.map(({ id }) => id) ?? null;
  }

  async function round(pause: number): Promise<boolean> {
    const ids = await listGames();
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

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
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
