// Which answers of the API may be kept on disk, judged by their header fields. Independent of disks, requests and routes, except for the
// one parameter that makes a final file immutable.
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `immutable`: the address always has these bytes. `file`: the address may get other bytes, so the API is asked, free of charge, whether it
 * still has these. `document`: passed through; the kept copy is only used while the API is unreachable.
 */
export type KeptKind = 'immutable' | 'file' | 'document';

/** Null: not kept. Parquet and immutable answers are kept only if their digest is known, so that damaged bytes are never kept. */
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

/** The SHA-256 in a strong entity tag, in hex (docs/interface.md#entity-tags); null: another kind of tag. */
export function digestOf(etag: string | undefined): string | null {
  return /^"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1] ?? null;
}

/** For how many seconds the answer need not be requested again. */
export function secondsFresh(cacheControl: string | undefined): number {
  return Number(/(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/.exec(cacheControl ?? '')?.[1] ?? 0);
}

/** Whether the address names a version of a final file, which never changes (docs/interface.md#versions-of-files). */
function namesItsVersion(target: string, fields: IncomingHttpHeaders): boolean {
  const version = fields['x-service-artifact-version'];
  const asked = new URL(target, 'http://api').searchParams.getAll('version');
  return version !== undefined && asked.length === 1 && Number(asked[0]) === Number(version);
}
