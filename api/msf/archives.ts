// Committed archives. A document is verified against its hash when it is read and then remembered, because archives never change. Bytes
// that fail verification are never served (docs/interface.md#problem-types).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { MsfDataset } from '../../core/msf/types.ts';
import type { ArchivesPage, MsfCatalog, StoredArchive } from '../../core/ports/catalog/msf.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { damagedFile } from '../files/damaged-file.ts';
import { bodyOfText, type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfSha256 } from '../http/etag.ts';

export type ServedArchive = {
  archive: StoredArchive;
  /** The document as it was committed. */
  document: Representation;
  /** For the baseline and every revision, including the first. */
  sourceUpdatedAt: ReadonlyMap<number, Micros>;
};

export type Archives = {
  /** Null: the catalog has none. Synchronous if memory suffices. @throws DamagedFile */
  one(id: string, dataset: MsfDataset): ServedArchive | null | Promise<ServedArchive | null>;
  /** Null: there is no such page. */
  page(league: League, dataset: MsfDataset, page: number): Promise<ArchivesPage | null>;
};

/** The parts of a document that are read here. Its hash covers the rest, which remains as the release that cut the archive wrote it. */
const timedRevision = z.object({
  revision: z.int(),
  source_observation: z.object({ source_updated_at: z.string() }),
});
const timedDocument = z.object({ baseline: timedRevision, revisions: z.array(timedRevision) });

const memoryBytes = 16 * 1024 * 1024;

export function openArchives(options: {
  msf: Pick<MsfCatalog, 'archive' | 'archivesPage'>;
  deadlines: Deadlines;
  log: Log;
}): Archives {
  const { msf, deadlines, log } = options;
  const known = new LRUCache<string, ServedArchive>({
    maxSize: memoryBytes,
    sizeCalculation: ({ archive }) => 4 * archive.document.length + 2_048,
  });

  async function read(key: string, id: string, dataset: MsfDataset): Promise<ServedArchive | null> {
    const archive = await deadlines.catalog(() => msf.archive(id, dataset));
    if (archive === null) return null;
    const served = verified(archive, log);
    known.set(key, served);
    return served;
  }

  return {
    one(id, dataset) {
      const key = `${dataset}/${id}`;
      return known.get(key) ?? read(key, id, dataset);
    },
    page: (league, dataset, page) => deadlines.catalog(() => msf.archivesPage(league, dataset, page)),
  };
}

function verified(archive: StoredArchive, log: Log): ServedArchive {
  const { document, documentSha256 } = archive;
  const sha256 = createHash('sha256').update(document, 'utf8').digest('hex');
  const place = { key: `archive ${archive.id}`, sha256: documentSha256 };
  if (sha256 !== documentSha256) throw damagedFile(log, place, 'SHA-256 mismatch');
  const { baseline, revisions } = timedDocument.parse(JSON.parse(document));
  const times = [baseline, ...revisions].map(({ revision, source_observation: { source_updated_at } }) => {
    return [revision, parseRfc3339(source_updated_at) ?? Number.NaN] as const;
  });
  const body = bodyOfText(document);
  return {
    archive,
    document: represent({
      etag: etagOfSha256(documentSha256),
      size: Buffer.byteLength(document),
      mediaType: 'application/json',
      cacheControl: cachePolicies.immutable,
      keyed: true,
      rows: null,
      body: () => body,
    }),
    sourceUpdatedAt: new Map(times),
  };
}
