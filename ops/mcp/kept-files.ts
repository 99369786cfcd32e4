// The final files that were read last, by their entity tag. The API charges a file at each read (docs/metering.md#what-a-read-costs), so a
// model that reads it page by page pays once. What it costs is known before, by a HEAD, which is free.
import type { Read } from './reader.ts';

export type FileSource = {
  /** The file's tag and the rows that a read of it debits; null: refused, without a reason. */
  head(path: string): Promise<{ etag: string; rows: number } | null>;
  /** The file of this tag; refused, free of charge, where the path names another by now. */
  get(path: string, etag: string): Promise<Read>;
};

const mostKept = 8;
/** No file has it. */
const noTag = '""';

/** Reads a final file; one that is not kept and has more than `mostRows` rows is refused, free of charge. */
export function keepFiles({ head, get }: FileSource): (path: string, mostRows: number) => Promise<Read> {
  /** Least recently used first. */
  const kept = new Map<string, Promise<Read>>();
  return async (path, mostRows) => {
    const named = await head(path);
    // The answer to a GET has the reason.
    if (named === null) return get(path, noTag);
    const { etag, rows } = named;
    const earlier = kept.get(etag);
    if (earlier === undefined && rows > mostRows) return tooMany(rows, mostRows);
    const reading = earlier ?? get(path, etag);
    kept.delete(etag);
    kept.set(etag, reading);
    const read = await reading;
    if (read.kind !== 'file') kept.delete(etag);
    for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
    return read.kind === 'file' && earlier !== undefined ? { ...read, charged: 0 } : read;
  };
}

function tooMany(rows: number, mostRows: number): Read {
  const detail = `The final file is charged whole: ${rows} rows, which is more than most_rows, ${mostRows}. Nothing was charged. To pay it, ask again with most_rows ${rows}.`;
  return { kind: 'refused', problem: { code: 'more-than-most-rows', detail, rows } };
}
