// Answers that are made once and served to every account: manifests by version, cursor and game id; files by location and caching. Never
// per account: whether a key may read an answer is decided before the look-up (docs/interface.md#what-an-instance-remembers).
import { LRUCache } from 'lru-cache';
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { parquetMediaType } from '../../schemas/datasets/registry.ts';
import type { Files } from '../files/files.ts';
import { countLookUps } from '../files/look-ups.ts';
import { type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfSha256 } from '../http/etag.ts';
import { jsonDocument } from '../http/json-document.ts';

export type AnswerCache = {
  /**
   * The document of a live listing named `key`, made by `make` if it is not cached. `tag` makes its entity tag; default: from its bytes.
   */
  document(key: string, make: () => unknown, tag?: () => string): Representation;
  /** A Parquet file of `rows` rows. */
  file(file: FileRef, rows: number, cache: 'live' | 'immutable'): Representation;
  /** One version of a final file. */
  artifact(artifact: Pick<Artifact, 'file' | 'rows' | 'version'>): Representation;
};

export function openAnswerCache(options: { files: Files; memoryBytes: number; meter: Meter }): AnswerCache {
  const lookedUp = countLookUps(options.meter, 'answers');
  const answers = new LRUCache<string, Representation>({
    maxSize: options.memoryBytes,
    sizeCalculation: (_answer, key) => key.length + overheadBytes,
  });

  function lookUp(key: string): Representation | undefined {
    const known = answers.get(key);
    lookedUp(known !== undefined);
    return known;
  }

  function fileOf(file: FileRef, rows: number, cache: 'live' | 'immutable', version: number | null): Representation {
    const key = `${file.key} ${file.offset} ${rows} ${cache} ${version}`;
    const known = lookUp(key);
    if (known !== undefined) return known;
    const made = represent({
      etag: etagOfSha256(file.sha256),
      size: file.size,
      mediaType: parquetMediaType,
      cacheControl: cachePolicies[cache],
      keyed: true,
      rows,
      headers: version === null ? [] : ['X-Service-Artifact-Version', String(version)],
      body: (part) => options.files.body(file, part),
    });
    answers.set(key, made);
    return made;
  }

  return {
    document(key, make, tag) {
      const known = lookUp(key);
      if (known !== undefined) return known;
      const made = jsonDocument(make(), { cache: 'live', keyed: true, ...(tag === undefined ? {} : { etag: tag() }) });
      answers.set(key, made, { size: key.length + made.size + overheadBytes });
      return made;
    },
    file: (file, rows, cache) => fileOf(file, rows, cache, null),
    // Two versions with the same bytes are still two answers: each names its version.
    artifact: ({ file, rows, version }) => fileOf(file, rows, 'live', version),
  };
}

/** What the header lists and the closure of an entry cost. */
const overheadBytes = 2_048;
