// What of an answer of the API may be kept on disk, judged by its header fields alone. Unaware of disks, requests and routes, but for the one
// name under which a final file never changes.
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `immutable`: these bytes for ever. `file`: bytes under an address that may come to name others, so the API is asked, free of charge,
 * whether it still names these. `document`: passed through; what is kept is only for when the API is away.
 */
export type KeptKind = 'immutable' | 'file' | 'document';

/** Null: it is not kept. Parquet and what never changes is kept by its digest alone, so that no damaged byte ever is. */
export function keptKindOf(target: string, status: number, fields: IncomingHttpHeaders): KeptKind | null {
  const policy = new Set((fields['cache-control'] ?? '').split(',').map((directive) => directive.trim().toLowerCase()));
  const varies = (fields.vary ?? '')
    .split(',')
    .some((name) => !['', 'authorization'].includes(name.trim().toLowerCase()));
  if (status !== 200 || policy.has('no-store') || varies || fields['content-encoding'] !== undefined) return null;
  const isFile = fields['content-type'] === 'application/vnd.apache.parquet';
  const isForEver = policy.has('immutable') || namesItsVersion(target, fields);
  if (!isFile && !isForEver) return fields['content-type'] === 'application/json' ? 'document' : null;
  if (digestOf(fields.etag) === null) return null;
  return isForEver ? 'immutable' : 'file';
}

/** The SHA-256 that a strong entity tag is, in hex (docs/interface.md#entity-tags); null: it is another one. */
export function digestOf(etag: string | undefined): string | null {
  return /^"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1] ?? null;
}

/** For how many seconds the answer need not be asked for again. */
export function secondsFresh(cacheControl: string | undefined): number {
  return Number(/(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/.exec(cacheControl ?? '')?.[1] ?? 0);
}

/** A version of a final file never changes (docs/interface.md#versions-of-files). */
function namesItsVersion(target: string, fields: IncomingHttpHeaders): boolean {
  const version = fields['x-service-artifact-version'];
  const asked = new URL(target, 'http://api').searchParams.getAll('version');
  return version !== undefined && asked.length === 1 && Number(asked[0]) === Number(version);
}
