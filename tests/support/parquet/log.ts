// A game's log in real Parquet for tests of readers: a test appends to it, rebuilds it and settles it through the
// catalog, as a projector would.
import { createHash } from 'node:crypto';
import { fileMetadata } from '../../../core/parquet/file-metadata.ts';
import type { ClosedSegment, PublishedBoard, PublishedTail } from '../../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { landFinals, landVersion } from '../builders/final-files.ts';
import { lineRows, resultRows } from '../builders/final-rows.ts';
import { type FakeCatalog, someTime, uuidOf } from '../fakes/api-fakes.ts';

const league = 'MLB';
const segmentRows = 8;

export class ParquetLog {
  readonly gameId: string;
  readonly #catalog: FakeCatalog;
  readonly #objects: ObjectStore;
  readonly #uuid: string;
  #rows = 0;
  #generation = 1;
  #firstSeq = 1;
  #version = 0;

  constructor(catalog: FakeCatalog, objects: ObjectStore, gameId: string) {
    this.gameId = gameId;
    this.#catalog = catalog;
    this.#objects = objects;
    this.#uuid = uuidOf(gameId);
    catalog.addGame({ gameId, uuid: this.#uuid });
  }

  /** Commits a version with `count` more rows. */
  async append(count: number): Promise<void> {
    this.#rows += count;
    await this.#commit();
  }

  /** Restarts the log with `count` rows above every used seq. */
  async rebuild(count: number): Promise<void> {
    this.#firstSeq += Math.ceil(this.#rows / segmentRows);
    this.#generation += 1;
    this.#rows = 0;
    await this.append(count);
  }

  /** Ends the game and lands its final files; that of the lines has the rows of the log. */
  async settle(): Promise<void> {
    this.#catalog.moveStatus(this.#uuid, 'COMPLETED');
    await landFinals({ objects: this.#objects, artifacts: this.#catalog }, this.#game(), { lines: this.#lines() });
  }

  /** Lands version 2 of the results: one row graded differently, one row less, one row more. */
  async correct(): Promise<void> {
    const game = this.#game();
    const [first, second, , fourth] = resultRows(game);
    const rows = [{ ...first!, result: 'push' as const, correction: 1 }, second!, fourth!, { ...fourth!, line: 9_500 }];
    const to = { objects: this.#objects, artifacts: this.#catalog };
    await landVersion(to, game, { dataset: 'market-results', version: 2, rows });
  }

  #game() {
    return { uuid: this.#uuid, gameId: this.gameId, league };
  }

  #lines(): readonly ParquetRow[] {
    return lineRows(this.#game(), this.#rows);
  }

  async #put(name: string, dataset: string, rows: readonly ParquetRow[]): Promise<FileRef> {
    const metadata = fileMetadata({ dataset, schemaVersion: 'v1', file: 'final', gameId: this.gameId, league });
    const bytes = Buffer.from(parquetWriter.encode(dataset, rows, metadata));
    const key = `${this.#uuid}/${this.#version}/${name}` as ObjectKey;
    await this.#objects.put(key, bytes);
    return { key, offset: 0, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  async #commit(): Promise<void> {
    this.#version += 1;
    const lines = this.#lines();
    const closed: ClosedSegment[] = [];
    let tail: PublishedTail | null = null;
    for (let from = 0; from < lines.length; from += segmentRows) {
      const rows = lines.slice(from, from + segmentRows);
      const seq = this.#firstSeq + from / segmentRows;
      const file = await this.#put(`segment-${seq}`, 'sportsbook-lines', rows);
      const of = { seq, rows: rows.length, min_timestamp: someTime + from, max_timestamp: someTime + from };
      if (from + segmentRows >= lines.length) tail = { ...of, file };
      else closed.push({ ...of, key: file.key, size: file.size, sha256: file.sha256 });
    }
    this.#catalog.commit({
      gameUuid: this.#uuid,
      generation: this.#generation,
      version: this.#version,
      firstSeq: this.#firstSeq,
      rows: lines.length,
      appliedThrough: someTime,
      updatedAt: someTime,
      tail,
      closed,
      boards: [await this.#board(lines)],
      operators: { DRAFTKINGS: { last_row_at: someTime, observed_through: someTime, source: 'recorded' } },
    });
  }

  /** The newest row of each selection. */
  async #board(lines: readonly ParquetRow[]): Promise<PublishedBoard> {
    const newest = new Map(lines.map((row) => [row.selection_id, row]));
    const rows = [...newest.values()].map(
      (row): ParquetRow => ({
        ...row,
        last_changed_at: row.timestamp as number,
        operator_observed_through: someTime,
        quote_state: 'live',
      }),
    );
    return { operator: 'DRAFTKINGS', rows: rows.length, file: await this.#put('board', 'board', rows) };
  }
}
