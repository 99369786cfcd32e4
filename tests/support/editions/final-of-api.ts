// Reads final files as a client does: the newest version, a version by number, and the list of versions.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type Api, getJson } from './published-game.ts';

export type FinalOfApi = { version: number; bytes: Uint8Array; rows: readonly Readonly<Record<string, unknown>>[] };

/** A final file, with its ETag, row count and version checked; null if the game has none. */
export async function finalOf(
  api: Api,
  game: string,
  dataset: string,
  version: number | null = null,
): Promise<FinalOfApi | null> {
  const path = `/v1/games/${game}/${dataset}${version === null ? '' : `?version=${version}`}`;
  const response = await fetch(api.apiUrl + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status === 404) return null;
  assert.equal(response.status, 200, path);
  const rows = parquetWriter.decode(dataset, bytes) as FinalOfApi['rows'];
  assert.equal(response.headers.get('etag'), `"${createHash('sha256').update(bytes).digest('hex')}"`, path);
  assert.equal(response.headers.get('x-service-rowcount'), String(rows.length), path);
  const served = Number(response.headers.get('x-service-artifact-version'));
  if (version !== null) assert.equal(served, version, path);
  return { version: served, bytes, rows };
}

export type VersionOfApi = { version: number; etag: string; row_count: number; reason: string; url: string };

/** All versions, the oldest first, each served by its number. */
export async function versionsOf(api: Api, game: string, dataset: string): Promise<(VersionOfApi & FinalOfApi)[]> {
  const { data } = (await getJson(api, `/v1/games/${game}/${dataset}/versions`)) as { data: VersionOfApi[] };
  const found: (VersionOfApi & FinalOfApi)[] = [];
  for (const listed of data.toReversed()) {
    assert.equal(listed.url, `/v1/games/${game}/${dataset}?version=${listed.version}`);
    const final = await finalOf(api, game, dataset, listed.version);
    assert.ok(final !== null, listed.url);
    assert.equal(listed.etag, `"${createHash('sha256').update(final.bytes).digest('hex')}"`);
    assert.equal(listed.row_count, final.rows.length);
    found.push({ ...listed, ...final });
  }
  return found;
}
