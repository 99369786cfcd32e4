// Ranges of the rows of a live segment, as JSON and as a Parquet file. They are cut from the segment's present file, whichever version was
// listed, because the first rows of a segment never change (I1). So a range is made once and served to every account.
import { LRUCache } from 'lru-cache';
import { type Cursor, formatCursor } from '../../core/live/cursor.ts';
import { jsonRow } from '../../core/msf/canonical-row.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import { parquetMediaType } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { LiveRows } from '../../schemas/http/live.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { Files } from '../files/files.ts';
import { type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfBytes } from '../http/etag.ts';
import { jsonDocument } from '../http/json-document.ts';
import { segmentFile } from './segment-file.ts';
import type { LiveVersion } from './served-games.ts';

/** The rows [from, to) of a segment; at least one. */
export type RowRange = { readonly seq: number; readonly from: number; readonly to: number };

type Made = Representation | Promise<Representation>;

export type RowRanges = {
  /** The rows, and the cursor after them. */
  document(served: LiveVersion, range: RowRange): Made;
  file(served: LiveVersion, range: RowRange): Made;
};

export function openRowRanges(options: {
  files: Pick<Files, 'bytes'>;
  parquet: Pick<ParquetWriter, 'slice' | 'cut'>;
  memoryBytes: number;
}): RowRanges {
  const { files, parquet } = options;
  const kept = new LRUCache<string, Representation>({
    maxSize: options.memoryBytes,
    sizeCalculation: ({ size }, key) => key.length + size + overheadBytes,
  });
  const making = new Map<string, Promise<Representation>>();

  /** The cached result for the range, or that of `make` for its segment's bytes; concurrent requests share one. */
  function made(form: string, served: LiveVersion, range: RowRange, make: (bytes: Uint8Array) => Representation): Made {
    const { gameUuid, generation } = served.log;
    const key = `${form} ${gameUuid}/${generation} ${range.seq} ${range.from}-${range.to}`;
    const known = kept.get(key) ?? making.get(key);
    if (known !== undefined) return known;
    const result = chainMaybeAsync(files.bytes(segmentFile(served, range.seq).file), (bytes) => {
      const representation = make(bytes);
      kept.set(key, representation);
      return representation;
    });
    if (!(result instanceof Promise)) return result;
    const shared = result.finally(() => making.delete(key));
    making.set(key, shared);
    return shared;
  }

  return {
    document: (served, range) =>
      made('rows', served, range, (bytes) => {
        const { seq, from, to } = range;
        const rows = parquet.slice(sportsbookLines.name, bytes, from, to);
        const body: LiveRows = {
          rows: rows.map((row) => jsonRow(sportsbookLines.columns, row)) as LiveRows['rows'],
          cursor: formatCursor({ seq, rows: to } satisfies Cursor),
        };
        return jsonDocument(body, { cache: 'revalidated', keyed: true, rows: rows.length });
      }),
    file: (served, range) =>
      made('file', served, range, (bytes) => {
        const { from, to } = range;
        const file = Buffer.from(parquet.cut(sportsbookLines.name, bytes, from, to));
        return represent({
          etag: etagOfBytes(file),
          size: file.length,
          mediaType: parquetMediaType,
          cacheControl: cachePolicies.live,
          keyed: true,
          rows: to - from,
          body: () => file,
        });
      }),
  };
}

/** What the header lists of an entry cost. */
const overheadBytes = 2_048;
