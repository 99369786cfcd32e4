// Revisions of an MSF dataset, each proven: its files by their hashes, the state after it by its digest.
import { isProblem, NoArchive, NotAsPublished } from './errors.ts';
import { Reset } from './follow.ts';
import type { Row } from './parquet.ts';
import { State } from './state.ts';
import type { Transport } from './transport.ts';

/** A revision record (docs/interface.md#revision-record). */
export type RevisionRecord = {
  stream_epoch: string;
  revision: number;
  revision_kind: 'patch' | 'append' | 'replace';
  status: string;
  row_count: number;
  snapshot_row_count: number;
  snapshot_digest: string;
  files: { url: string; rows: number; sha256: string }[];
  cursor: string;
  [member: string]: unknown;
};

/** `rows` is the whole state after it, in key order. `proves`: what its files were. */
export type Revision<Of = Row> = {
  record: RevisionRecord;
  rows: Of[];
  proves: 'snapshot' | 'change' | 'baseline' | 'archive';
  archive: string | null;
};

/** `at`: begin with the snapshot of this revision. `until`: end with this one. `follow`: do not end. `limit`: revisions a page. */
export type RevisionOptions = { at?: number; until?: number; follow?: boolean; limit?: number };

type Page = { revisions: RevisionRecord[]; cursor: string; high_water_revision: number; poll_after: number };
type Descriptor = { archive_id: string; game_id: string; url: string };

export class Stream<Of extends Row = Row> {
  readonly #transport: Transport;
  readonly #subject: string;
  readonly #dataset: string;
  readonly #league: string | null;
  readonly #path: string;
  #state = new State([]);

  constructor(transport: Transport, subject: string, dataset: string) {
    this.#transport = transport;
    this.#subject = subject.toUpperCase();
    this.#dataset = encodeURIComponent(dataset);
    // A game's id has an underscore, or the dashes of a UUID.
    this.#league = /[_-]/.test(subject) ? null : this.#subject;
    const kind = this.#league === null ? 'games' : 'leagues';
    this.#path = `/v1/${kind}/${encodeURIComponent(this.#subject)}/${this.#dataset}`;
  }

  async *revisions(options: RevisionOptions): AsyncGenerator<Revision<Of> | Reset, void> {
    await this.#begin();
    let { at } = options;
    let isBegun = false;
    for (;;) {
      try {
        const manifest = await this.#manifest(at);
        yield await this.#take(manifest, null, 'snapshot');
        isBegun = true;
        yield* this.#follow(manifest, options);
        return;
      } catch (error) {
        const isBehind = isProblem(error, 'not-yet-available');
        // What was handed out was never published: the service came back from a backup.
        if (isProblem(error, 'stream-reset', 'cursor-expired') || (isBehind && isBegun)) {
          at = undefined;
          isBegun = false;
          yield new Reset(this.#subject, error.type);
        } else if (isBehind && (options.follow || options.until !== undefined)) {
          await this.#pause(Number(error.document.poll_after ?? this.#transport.mostPoll));
        } else throw error;
      }
    }
  }

  /** Every archived revision of the stream, from each baseline on. */
  async *archives(): AsyncGenerator<Revision<Of>, void> {
    await this.#begin();
    const game = { league: this.#league ?? '', id: this.#league ?? '' };
    if (this.#league === null)
      Object.assign(game, await this.#transport.json(`/v1/games/${this.#subject}`, ['id', 'league']));
    const names = new Map<string, string | null>();
    let found = 0;
    for (let cursor: string | null = '', first = true; first || cursor !== null; first = false) {
      const path = `/v1/leagues/${game.league}/${this.#dataset}/archives${first ? '' : `?cursor=${encodeURIComponent(cursor ?? '')}`}`;
      const page: { archives: Descriptor[]; next_cursor: string | null } = await this.#transport.json(path, [
        'archives',
        'next_cursor',
      ]);
      for (const entry of page.archives) {
        if (!names.has(entry.game_id)) names.set(entry.game_id, await this.#nameToday(entry.game_id));
        if (names.get(entry.game_id) !== game.id) continue;
        found += 1;
        yield* this.#archive(entry);
      }
      cursor = page.next_cursor;
    }
    if (found === 0) throw new NoArchive(`${this.#subject} has no archive of ${this.#dataset}`);
  }

  async #begin(): Promise<void> {
    const schema = await this.#transport.json<{ primary_key: string[] }>(`/v1/datasets/${this.#dataset}/schema`, [
      'primary_key',
    ]);
    this.#state = new State(schema.primary_key);
  }

  async #manifest(at: number | undefined): Promise<RevisionRecord> {
    const members = ['revision', 'stream_epoch', 'files', 'cursor'];
    const newest = await this.#transport.json<RevisionRecord>(`${this.#path}/snapshot`, members);
    if (at === undefined) return newest;
    const query = new URLSearchParams({ at_revision: String(at), epoch: newest.stream_epoch });
    return this.#transport.json<RevisionRecord>(`${this.#path}/snapshot?${query}`, members);
  }

  async *#follow(
    manifest: RevisionRecord,
    { until, follow = false, limit }: RevisionOptions,
  ): AsyncGenerator<Revision<Of>, void> {
    let newest = manifest.revision;
    let { cursor } = manifest;
    let high: number | null = null;
    while (until === undefined || newest < until) {
      const query = new URLSearchParams({ cursor });
      if (limit !== undefined) query.set('limit', String(limit));
      if (high !== null) query.set('until_revision', String(high));
      const page: Page = await this.#transport.json(`${this.#path}/changes?${query}`, [
        'revisions',
        'cursor',
        'high_water_revision',
      ]);
      high ??= Math.min(page.high_water_revision, until ?? page.high_water_revision);
      for (const record of page.revisions) {
        if (until !== undefined && newest >= until) return;
        if (record.revision !== newest + 1)
          throw new NotAsPublished(`revision ${record.revision} comes after ${newest}`);
        yield await this.#take(record, record.revision_kind, 'change');
        newest = record.revision;
      }
      cursor = page.cursor;
      if (newest < high && page.revisions.length > 0) continue;
      if (until === undefined && !follow) return;
      high = null;
      if (newest < (until ?? newest + 1)) await this.#pause(page.poll_after);
    }
  }

  /** Applies a record's files and proves them and the state after them. `kind` null: they are a whole state. */
  async #take(
    record: RevisionRecord,
    kind: string | null,
    proves: Revision['proves'],
    archive: string | null = null,
  ): Promise<Revision<Of>> {
    const at = `revision ${record.revision} of ${record.stream_epoch}`;
    if (kind === null || kind === 'replace') this.#state.clear();
    let count = 0;
    for (const { url, rows, sha256 } of record.files) {
      const read = await this.#transport.file(url, { sha256 });
      if (read.length !== rows) throw new NotAsPublished(`${read.length} rows in ${url}`);
      count += rows;
      this.#state.apply(read, kind ?? 'replace');
    }
    if (count !== record.row_count || this.#state.size !== record.snapshot_row_count)
      throw new NotAsPublished(`the rows after ${at}`);
    if ((await this.#state.digest()) !== record.snapshot_digest) throw new NotAsPublished(`the digest after ${at}`);
    return { record, rows: this.#state.rows() as Of[], proves, archive };
  }

  async *#archive({ url, archive_id: id }: Descriptor): AsyncGenerator<Revision<Of>, void> {
    const archive = await this.#transport.json<{ baseline: RevisionRecord; revisions: RevisionRecord[] }>(url, [
      'baseline',
      'revisions',
    ]);
    yield await this.#take(archive.baseline, null, 'baseline', id);
    for (const record of archive.revisions.slice(1))
      yield await this.#take(record, record.revision_kind, 'archive', id);
  }

  /** The id by which a game goes today: archives that were cut before it was minted name it by its UUID. */
  async #nameToday(name: string): Promise<string | null> {
    if (!name.includes('-')) return name;
    try {
      return (await this.#transport.json<{ id: string }>(`/v1/games/${name}`, ['id'])).id;
    } catch (error) {
      if (isProblem(error, 'not-found')) return null;
      throw error;
    }
  }

  #pause(seconds: number): Promise<void> {
    const { poll, mostPoll } = this.#transport;
    return this.#transport.pauseUntil(this.#transport.now() + Math.max(poll, Math.min(seconds, mostPoll)));
  }
}
