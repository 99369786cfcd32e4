// The catalog's streams in memory, with the API's view of them. A test publishes to a stream revision by revision, as a
// projector would. A codec turns rows into files: lines of text for most tests, real Parquet for those that read it.
import { createHash } from 'node:crypto';
import type { ReadableMsf } from '../../../api/msf/reads.ts';
import { stateDigest } from '../../../core/msf/digest.ts';
import { leagueUuid } from '../../../core/msf/ids.ts';
import { archiveFileAddress, revisionFileAddress } from '../../../core/msf/published/addresses.ts';
import { pollAfter } from '../../../core/msf/published/poll-after.ts';
import { freshnessRecord, revisionRecord, scopeRecord, timeOrNull } from '../../../core/msf/published/record.ts';
import type { Freshness, MsfDataset, Revision, RevisionKind, Scope } from '../../../core/msf/types.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type {
  Archive,
  FilePart,
  KeptRevision,
  MsfNotice,
  RevisionsQuery,
  ServedStream,
  StoredArchive,
  StreamName,
} from '../../../core/ports/catalog/msf.ts';
import type { ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerSecond } from '../../../core/units.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { type FakeCatalog, someTime, uuidOf } from './api-fakes.ts';

type Held = {
  stream: ServedStream;
  epochs: Set<string>;
  revisions: KeptRevision[];
  deletedBelow: number;
};
type Watcher = Parameters<ReadableMsf['watch']>[0];

const archivesPerPage = 64;

/** Shares the state of a catalog: down when the catalog is. */
export class FakeMsf implements ReadableMsf {
  readonly calls = { stream: 0, lastOfEpoch: 0, revisions: 0, revision: 0, archivesPage: 0, archive: 0, watch: 0 };
  readonly held = new Map<string, Held>();
  /** In the order of their commits. */
  readonly archives: StoredArchive[] = [];
  readonly #world: Pick<FakeCatalog, 'state' | 'announcing'>;
  readonly #watchers = new Set<Watcher>();

  constructor(world: Pick<FakeCatalog, 'state' | 'announcing'>) {
    this.#world = world;
  }

  async #called(call: keyof FakeMsf['calls']): Promise<void> {
    this.calls[call] += 1;
    const { state } = this.#world;
    if (state === 'down') throw new CatalogUnavailable('the catalog is down');
    if (state === 'hanging') await new Promise(() => {});
    await state;
  }

  #of({ scopeUuid, dataset }: StreamName): Held | undefined {
    return this.held.get(`${scopeUuid}/${dataset}`);
  }

  async stream(name: StreamName): Promise<ServedStream | null> {
    await this.#called('stream');
    return this.#of(name)?.stream ?? null;
  }

  async lastOfEpoch(name: StreamName, epoch: string): Promise<number | null> {
    await this.#called('lastOfEpoch');
    const held = this.#of(name);
    if (held === undefined || !held.epochs.has(epoch)) return null;
    const published = [
      ...held.revisions.filter((each) => each.epoch === epoch).map(({ revision }) => revision),
      ...this.archives.filter((archive) => archive.epoch === epoch).map(({ last }) => last),
    ];
    return Math.max(0, ...published);
  }

  async revisions({ epoch, after, through, limit, ...name }: RevisionsQuery): Promise<readonly KeptRevision[]> {
    await this.#called('revisions');
    const held = this.#of(name);
    return (held?.revisions ?? [])
      .filter((each) => each.epoch === epoch && epoch === held?.stream.epoch && each.revision >= held.stream.listedFrom)
      .filter(({ revision }) => revision > after && revision <= through)
      .slice(0, limit);
  }

  async revision(name: StreamName, epoch: string, revision: number): Promise<KeptRevision | null> {
    await this.#called('revision');
    const held = this.#of(name);
    const found = held?.revisions.find((each) => each.epoch === epoch && each.revision === revision);
    if (held === undefined || found === undefined) return null;
    const isKept = epoch === held.stream.epoch && revision >= held.deletedBelow;
    const isBaseline = this.archives.some((archive) => archive.epoch === epoch && archive.first === revision);
    return isKept || isBaseline ? found : null;
  }

  async archivesPage(league: League, dataset: MsfDataset, page: number) {
    await this.#called('archivesPage');
    const all = this.archives.filter((archive) => archive.league === league && archive.dataset === dataset);
    const archives: Archive[] = all.slice(page * archivesPerPage, (page + 1) * archivesPerPage);
    const isThere = all.length > 0 && page * archivesPerPage <= all.length;
    return isThere ? { archives, next: archives.length === archivesPerPage } : null;
  }

  async archive(id: string, dataset: MsfDataset): Promise<StoredArchive | null> {
    await this.#called('archive');
    return this.archives.find((archive) => archive.id === id && archive.dataset === dataset) ?? null;
  }

  async watch(handlers: Watcher): Promise<() => Promise<void>> {
    await this.#called('watch');
    this.#watchers.add(handlers);
    return async () => {
      this.#watchers.delete(handlers);
    };
  }

  announce(notice: MsfNotice): void {
    if (!this.#world.announcing) return;
    for (const watcher of this.#watchers) watcher.moved(notice);
  }

  /** Tells the API that notices may have been missed. */
  loseNotices(): void {
    for (const watcher of this.#watchers) watcher.lost();
  }
}

export type Change<Row> = { op: 'upsert' | 'delete'; row: Row };
export type Codec<Row> = {
  keyOf(row: Row): string;
  /** The canonical line of a row. */
  lineOf(row: Row): string;
  encodeState(rows: readonly Row[]): Uint8Array;
  encodeChange(changes: readonly Change<Row>[]): Uint8Array;
};

/** Rows `<key>=<value>`; a file has a line for each. */
export const textCodec: Codec<string> = {
  keyOf: (row) => row.split('=')[0] as string,
  lineOf: (row) => row,
  encodeState: (rows) => Buffer.from(rows.map((row) => `${row}\n`).join('')),
  encodeChange: (changes) => Buffer.from(changes.map(({ op, row }) => `${op} ${row}\n`).join('')),
};

export function gameScope(gameId: string): Scope {
  return { kind: 'game', uuid: uuidOf(gameId), id: gameId, league: gameId.split('_')[0] as League };
}

export function leagueScope(league: League): Scope {
  return { kind: 'league', uuid: leagueUuid(league), id: league, league };
}

/** The epoch that a test names by a letter. */
export function epochNamed(letter: string): string {
  return `01K${letter.padStart(23, '0')}`;
}

const noFreshness: Freshness = {
  newest_applied_source_updated_at: null,
  last_changed_at: null,
  latest_request_started_at: null,
  last_pull_success_observed_at: null,
  last_normalized_at: null,
  health_observed_at: null,
};

export class FakeStream<Row = string> {
  epoch = epochNamed('A');
  freshness = noFreshness;
  readonly scope: Scope;
  readonly dataset: MsfDataset;
  readonly state = new Map<string, Row>();
  readonly #msf: FakeMsf;
  readonly #objects: Pick<ObjectStore, 'put'>;
  readonly #codec: Codec<Row>;
  readonly #fileRows: number;
  #head = 0;
  #version = 0;
  #files = 0;

  constructor(
    to: { msf: FakeMsf; objects: Pick<ObjectStore, 'put'> },
    scope: Scope,
    dataset: MsfDataset,
    codec: Codec<Row>,
    fileRows = 3,
  ) {
    this.#msf = to.msf;
    this.#objects = to.objects;
    this.scope = scope;
    this.dataset = dataset;
    this.#codec = codec;
    this.#fileRows = fileRows;
  }

  get name(): StreamName {
    return { scopeUuid: this.scope.uuid, dataset: this.dataset };
  }

  get head(): number {
    return this.#head;
  }

  get #held(): Held {
    const found = this.#msf.held.get(`${this.scope.uuid}/${this.dataset}`);
    if (found === undefined) throw new Error('nothing is published');
    return found;
  }

  revision(number: number, epoch = this.epoch): KeptRevision {
    const found = this.#held.revisions.find((each) => each.revision === number && each.epoch === epoch);
    if (found === undefined) throw new Error(`no revision ${number}`);
    return found;
  }

  /** Commits a revision that sets `rows` and removes those under `deleted`. */
  async publish(
    rows: readonly Row[],
    facts: Partial<Revision> & { deleted?: readonly Row[] } = {},
  ): Promise<KeptRevision> {
    const { deleted = [], ...others } = facts;
    const added = rows.every((row) => !this.state.has(this.#codec.keyOf(row)));
    const changes: Change<Row>[] = [
      ...rows.map((row) => ({ op: 'upsert' as const, row })),
      ...deleted.map((row) => ({ op: 'delete' as const, row })),
    ];
    const kind: RevisionKind =
      this.#head === 0 ? 'replace' : added && deleted.length === 0 && rows.length > 0 ? 'append' : 'patch';
    if ((others.kind ?? kind) === 'replace') this.state.clear();
    for (const { op, row } of changes) {
      if (op === 'upsert') this.state.set(this.#codec.keyOf(row), row);
      else this.state.delete(this.#codec.keyOf(row));
    }
    const byKey = (a: Row, b: Row) => (this.#codec.keyOf(a) < this.#codec.keyOf(b) ? -1 : 1);
    const state = [...this.state.values()].sort(byKey);
    const ordered = changes.sort((a, b) => byKey(a.row, b.row));
    this.#head += 1;
    this.#version += 1;
    const at = someTime + this.#version * 10 * microsPerSecond;
    const revision: KeptRevision = {
      dataset: this.dataset,
      epoch: this.epoch,
      revision: this.#head,
      kind,
      historyOrigin: 'captured',
      sourceObservation: {
        source_revision: `sha256:${sha256Of(`${this.epoch} ${this.#head}`)}`,
        source_updated_at: at,
        request_started_at: at + microsPerSecond,
        timestamp_basis: 'source',
        source_played_status: 'LIVE',
        source_schedule_status: 'NORMAL',
      },
      materializedAt: at + 2 * microsPerSecond,
      status: 'provisional',
      coverage: { state: 'complete', coverage_start: someTime, coverage_end: at, gaps: [] },
      pendingSourceRevision: null,
      liveCaptureStartedAt: someTime,
      changeRows: ordered.length,
      snapshotRows: state.length,
      snapshotDigest: stateDigest(state.map((row) => this.#codec.lineOf(row))),
      ...others,
      publishedAt: at + 3 * microsPerSecond,
      changeFiles: await this.#put(ordered, this.#codec.encodeChange),
      snapshotFiles: await this.#put(state, this.#codec.encodeState),
    };
    this.freshness = { ...this.freshness, last_changed_at: at, newest_applied_source_updated_at: at };
    this.#commit(revision);
    return revision;
  }

  /** Splits items into files; without items there are no files. */
  async #put<Item>(items: readonly Item[], encode: (items: readonly Item[]) => Uint8Array): Promise<FilePart[]> {
    const parts: FilePart[] = [];
    for (let from = 0; from < items.length; from += this.#fileRows) {
      const rows = items.slice(from, from + this.#fileRows);
      const bytes = encode(rows);
      // The files of a flush share an object, so some begin in the middle of one.
      const lead = Buffer.from('x'.repeat(this.#files % 3));
      const key = `msf/${this.scope.id}/${this.dataset}/${this.epoch}/${this.#files}` as ObjectKey;
      this.#files += 1;
      await this.#objects.put(key, Buffer.concat([lead, bytes]));
      const file = { key, offset: lead.length, size: bytes.length, sha256: sha256Of(bytes) };
      parts.push({ rows: rows.length, file });
    }
    return parts;
  }

  #commit(revision: KeptRevision | null): void {
    const key = `${this.scope.uuid}/${this.dataset}`;
    const before = this.#msf.held.get(key);
    const revisions = before?.revisions ?? [];
    if (revision !== null) revisions.push(revision);
    const head = revision ?? before?.stream.head ?? null;
    const stream: ServedStream = {
      ...this.name,
      scopeId: this.scope.id,
      league: this.scope.league,
      epoch: this.epoch,
      head,
      listedFrom: before?.stream.epoch === this.epoch ? before.stream.listedFrom : 1,
      freshness: this.freshness,
      publishedAt: revision?.publishedAt ?? before?.stream.publishedAt ?? someTime,
      version: this.#version,
    };
    const epochs = (before?.epochs ?? new Set<string>()).add(this.epoch);
    this.#msf.held.set(key, { stream, epochs, revisions, deletedBelow: before?.deletedBelow ?? 1 });
    this.#msf.announce({ ...this.name, version: this.#version });
  }

  /** Commits what changes when a pull brings no news. */
  touch(freshness: Partial<Freshness>): void {
    this.freshness = { ...this.freshness, ...freshness };
    this.#version += 1;
    this.#commit(null);
  }

  /** Begins another epoch; its first revision is the next `publish`. */
  reset(epoch: string): void {
    this.epoch = epoch;
    this.#head = 0;
    this.state.clear();
  }

  /** Revisions below the limits are no longer listed, or are deleted. */
  retain({ listedFrom, deletedBelow }: { listedFrom: number; deletedBelow: number }): void {
    const held = this.#held;
    this.#version += 1;
    held.stream = { ...held.stream, listedFrom, version: this.#version };
    held.deletedBelow = deletedBelow;
    this.#msf.announce({ ...this.name, version: this.#version });
  }

  /** Commits the archive of these revisions. */
  archive(first: number, last: number): StoredArchive {
    const { scope, dataset, epoch } = this;
    const id = `${epoch}-${first}-${last}`;
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const revisions = numbers.map((number) => this.revision(number));
    const [baseline] = revisions as [KeptRevision];
    const times = revisions.map(({ sourceObservation: { source_updated_at } }) => source_updated_at);
    const span = { sourceStart: Math.min(...times), sourceEnd: Math.max(...times) };
    const addressOf = (index: number) => revisionFileAddress(scope, dataset, epoch, first, 'snapshot', index);
    const document = JSON.stringify({
      archive_id: id,
      dataset,
      scope: scopeRecord(scope),
      schema_version: 'v1',
      stream_epoch: epoch,
      first_revision: first,
      last_revision: last,
      source_start: formatMicros(span.sourceStart),
      source_end: formatMicros(span.sourceEnd),
      baseline: {
        ...revisionRecord(baseline, scope, { of: 'snapshot', addressOf }),
        is_baseline: true,
        live_capture_started_at: timeOrNull(baseline.liveCaptureStartedAt),
        poll_after: pollAfter(null, someTime),
        freshness: freshnessRecord(this.freshness),
      },
      revisions: revisions.map((revision) =>
        revisionRecord(revision, scope, {
          of: 'change',
          addressOf: (index) => archiveFileAddress(scope, dataset, id, revision.revision, index),
        }),
      ),
    });
    const files = [...baseline.snapshotFiles, ...revisions.flatMap(({ changeFiles }) => changeFiles)];
    const archive: StoredArchive = {
      id,
      scopeUuid: scope.uuid,
      scopeId: scope.id,
      league: scope.league,
      dataset,
      epoch,
      first,
      last,
      ...span,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      committedAt: someTime + this.#msf.archives.length * (microsPerSecond as Micros),
      document,
      documentSha256: sha256Of(document),
      baseline: baseline.snapshotFiles,
      changes: revisions.map(({ revision, changeFiles }) => ({ revision, files: changeFiles })),
    };
    this.#msf.archives.push(archive);
    return archive;
  }
}

function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
