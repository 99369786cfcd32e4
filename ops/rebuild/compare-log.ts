// Compares a game's served log with the same log folded in a shadow: segment by segment, row by row, then the boards. Lists a limited
// number of differences; after a segment with another length the comparison ends.
import { isSameValue } from '../../core/parquet/same-value.ts';
import { Halted } from '../../core/ports/broker.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import type { FileRef, ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetRow, ParquetWriter } from '../../core/ports/parquet.ts';
import { segmentFiles } from '../../projectors/live/game-plan.ts';
import { committedBytes } from '../../projectors/worker/committed-bytes.ts';
import { board } from '../../schemas/datasets/board.ts';
import type { Column } from '../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';

export type CompareTools = {
  objects: Pick<ObjectStore, 'get'>;
  parquet: Pick<ParquetWriter, 'decodeOwnColumns'>;
  servedLog(gameUuid: string): Promise<ServedLog | null>;
};

/** `at`: the place in the log or on the boards. `served` and `folded`: what each has there, in words. */
export type Difference = { at: string; served: string; folded: string };

/** Differences listed per game. */
const mostListed = 20;

export class LogComparison {
  readonly differences: Difference[] = [];
  /** Differences that are not listed. */
  more = 0;
  rows = 0;
  readonly #tools: CompareTools;
  readonly #uuid: string;
  #log: ServedLog | null = null;
  #segments = 0;
  #apart = false;

  constructor(tools: CompareTools, uuid: string) {
    this.#tools = tools;
    this.#uuid = uuid;
  }

  /** The rows of the next closed segment. Everything folded is committed, so this segment is served, and closed. */
  async closed(rows: readonly object[]): Promise<void> {
    if (this.#apart) return;
    if (this.#log === null || this.#log.closed.length <= this.#segments)
      this.#log = await this.#tools.servedLog(this.#uuid);
    const served = this.#log?.closed[this.#segments];
    await this.#segment(served === undefined ? null : segmentFiles({ closed: [served], tail: null })[0], rows, 'whole');
  }

  /** The rows of the open segment. `log`: as served at the same point; null if it may have advanced. */
  async open(rows: readonly object[], log: ServedLog | null): Promise<void> {
    if (this.#apart) return;
    const served = log ?? (await this.#tools.servedLog(this.#uuid));
    const files = served === null ? [] : segmentFiles(served);
    if (rows.length > 0 || log !== null)
      await this.#segment(files[this.#segments] ?? null, rows, log === null ? 'its first rows' : 'whole');
    if (log !== null && files.length > this.#segments)
      this.#differ(`segments`, `${files.length} segments`, `${this.#segments} segments`);
  }

  async boards(boards: ReadonlyMap<string, readonly object[]>, log: ServedLog): Promise<void> {
    const served = new Map(log.boards.map(({ operator, file }) => [operator, file]));
    for (const operator of new Set([...boards.keys(), ...served.keys()])) {
      const place = `board of ${operator}`;
      const [file, folded] = [served.get(operator), boards.get(operator)];
      if (file === undefined || folded === undefined) {
        this.#differ(place, file === undefined ? 'none' : 'a board', folded === undefined ? 'none' : 'a board');
        continue;
      }
      const rows = await this.#read(place, file);
      if (rows !== null) this.#rows(board.columns, rows, folded, (index) => `${place}, row ${index + 1}`);
    }
  }

  async #segment(file: FileRef | null | undefined, rows: readonly object[], extent: 'whole' | 'its first rows') {
    const place = `segment ${this.#segments + 1}`;
    this.#segments += 1;
    const first = this.rows;
    this.rows += rows.length;
    if (file == null) {
      if (rows.length === 0) this.#segments -= 1;
      else this.#leave(place, 'none', `${rows.length} rows`);
      return;
    }
    const served = await this.#read(place, file);
    if (served === null) return;
    const same = extent === 'whole' ? served : served.slice(0, rows.length);
    this.#rows(sportsbookLines.columns, same, rows, (index) => `row ${first + index + 1}`);
    if (same.length !== rows.length) this.#leave(place, `${same.length} rows`, `${rows.length} rows`);
  }

  async #read(place: string, file: FileRef): Promise<readonly ParquetRow[] | null> {
    try {
      return this.#tools.parquet.decodeOwnColumns(await committedBytes(this.#tools.objects, file)).rows;
    } catch (error) {
      if (!(error instanceof Halted)) throw error;
      this.#differ(place, error.message, 'its rows');
      return null;
    }
  }

  #rows(
    columns: readonly Column[],
    served: readonly ParquetRow[],
    folded: readonly object[],
    placeOf: (index: number) => string,
  ): void {
    for (let index = 0; index < Math.max(served.length, folded.length); index += 1) {
      const [a, b] = [served[index], folded[index] as ParquetRow | undefined];
      if (a === undefined || b === undefined) {
        this.#differ(placeOf(index), a === undefined ? 'none' : 'a row', b === undefined ? 'none' : 'a row');
        continue;
      }
      const other = columns.filter(({ name }) => !isSameValue(a[name], b[name]));
      if (other.length > 0) this.#differ(placeOf(index), wordsOf(other, a), wordsOf(other, b));
    }
  }

  #leave(...difference: [string, string, string]): void {
    this.#differ(...difference);
    this.#apart = true;
  }

  #differ(at: string, served: string, folded: string): void {
    if (this.differences.length < mostListed) this.differences.push({ at, served, folded });
    else this.more += 1;
  }
}

function wordsOf(columns: readonly Column[], row: ParquetRow): string {
  return columns.map(({ name }) => `${name} ${JSON.stringify(row[name] ?? null)}`).join(', ');
}
