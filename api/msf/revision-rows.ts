// The rows of a revision's files as one JSON document. Revisions are immutable, so a document is made once and served to every account.
import { LRUCache } from 'lru-cache';
import { jsonRow } from '../../core/msf/canonical-row.ts';
import type { FilePart } from '../../core/ports/catalog/msf.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { RevisionRowsDocument } from '../../schemas/http/msf.ts';
import type { Files } from '../files/files.ts';
import type { Representation } from '../http/answer.ts';
import { jsonDocument } from '../http/json-document.ts';

export type RevisionRows = {
  /** The rows of these files, in order; `name` always refers to the same rows. */
  document(name: string, files: readonly FilePart[]): Representation | Promise<Representation>;
};

export function openRevisionRows(options: {
  files: Pick<Files, 'bytes'>;
  parquet: Pick<ParquetWriter, 'decodeOwnColumns'>;
  memoryBytes: number;
}): RevisionRows {
  const { files, parquet } = options;
  const kept = new LRUCache<string, Representation>({
    maxSize: options.memoryBytes,
    sizeCalculation: ({ size }, key) => key.length + size + overheadBytes,
  });
  const making = new Map<string, Promise<Representation>>();

  async function make(name: string, parts: readonly FilePart[]): Promise<Representation> {
    const rows: RevisionRowsDocument['rows'] = [];
    for (const { file } of parts) {
      const decoded = parquet.decodeOwnColumns(await files.bytes(file));
      for (const row of decoded.rows) rows.push(jsonRow(decoded.columns, row) as (typeof rows)[number]);
    }
    const made = jsonDocument({ rows } satisfies RevisionRowsDocument, {
      cache: 'immutable',
      keyed: true,
      rows: rows.length,
    });
    kept.set(name, made);
    return made;
  }

  return {
    document(name, parts) {
      const known = kept.get(name) ?? making.get(name);
      if (known !== undefined) return known;
      const made = make(name, parts).finally(() => making.delete(name));
      making.set(name, made);
      return made;
    },
  };
}

/** What the header lists of an entry cost. */
const overheadBytes = 2_048;
