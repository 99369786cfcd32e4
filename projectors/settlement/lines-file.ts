// The final file of a game's sportsbook lines, written row group by row group: what is in memory are the rows of one group and the bytes of
// those before it. The schema is that of the segments (settlement.md, sportsbook-lines).
import type { QuoteRow } from '../../core/live/types.ts';
import type { FileMetadata } from '../../core/parquet/footer.ts';
import { stitch } from '../../core/parquet/tail.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';

const rowsPerGroup = 32_768;

export class LinesFile {
  readonly #parquet: Pick<ParquetWriter, 'encode'>;
  readonly #metadata: FileMetadata;
  readonly #groups: Uint8Array[] = [];
  #waiting: QuoteRow[] = [];
  #rows = 0;

  constructor(parquet: Pick<ParquetWriter, 'encode'>, metadata: FileMetadata) {
    this.#parquet = parquet;
    this.#metadata = metadata;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds rows behind those before. The same rows give the same bytes, however they come. */
  add(rows: readonly QuoteRow[]): void {
    this.#rows += rows.length;
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length === rowsPerGroup) this.#encodeGroup();
    }
  }

  /** The whole file; there must be a row. */
  finish(): Uint8Array {
    if (this.#waiting.length > 0) this.#encodeGroup();
    return stitch(this.#groups, this.#metadata).bytes;
  }

  #encodeGroup(): void {
    this.#groups.push(this.#parquet.encode(sportsbookLines.name, this.#waiting, this.#metadata));
    this.#waiting = [];
  }
}
