// What the API publishes about a game, read as any client would (manifest, files, cursor), in the notation of the
// vectors.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';

export type Manifest = {
  operators: Record<string, { last_row_at: string; observed_through: string | null }>;
  segments: { seq: number; rows: number; closed: boolean; from_row?: number; url: string }[];
  board: { rows: number; files: { operator: string; rows: number; url: string }[] };
  cursor: string;
};

/** `furtherColumns`: the API's build has more columns than this one. */
export type Api = { apiUrl: string; apiKey: string; furtherColumns?: boolean };

type Row = Readonly<Record<string, unknown>>;

export async function getJson(api: Api, path: string): Promise<unknown> {
  const response = await fetch(api.apiUrl + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** A Parquet file of the API; its ETag and row count are checked. */
export async function getRows(api: Api, path: string, dataset: 'sportsbook-lines' | 'board'): Promise<readonly Row[]> {
  const response = await fetch(api.apiUrl + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(
    response.headers.get('etag'),
    `"${createHash('sha256').update(bytes).digest('hex')}"`,
    `ETag of ${path}`,
  );
  const rows = api.furtherColumns ? parquetWriter.decodeOwnColumns(bytes).rows : parquetWriter.decode(dataset, bytes);
  assert.equal(response.headers.get('x-service-rowcount'), String(rows.length), `row count of ${path}`);
  return rows;
}

export async function manifestOf(api: Api, game: string, cursor?: string): Promise<Manifest> {
  const query = cursor === undefined ? '' : `?cursor=${cursor}`;
  return (await getJson(api, `/v1/games/${game}/sportsbook-lines/segments${query}`)) as Manifest;
}

/** All rows of the game's log, in order. */
export async function rowsOf(api: Api, manifest: Manifest): Promise<Row[]> {
  const rows: Row[] = [];
  for (const segment of manifest.segments) {
    const read = await getRows(api, segment.url, 'sportsbook-lines');
    rows.push(...read.slice(segment.from_row ?? 0, segment.rows));
  }
  return rows;
}

/** A row as the array of columns that vectors have. */
export function vectorRow(row: Row): unknown[] {
  const time = (value: unknown): string | null => (value === null ? null : formatMicros(value as number));
  return [
    row.operator,
    row.selection_id,
    row.market,
    row.period,
    row.selection,
    row.player_id,
    decimal(row.line, 3),
    row.price_american,
    decimal(row.price_decimal, 4),
    row.price_source_format,
    row.is_open,
    row.change,
    row.in_play,
    time(row.timestamp),
    time(row.source_timestamp),
    row.source,
  ];
}

/** An unscaled integer as a decimal text with `scale` places. */
function decimal(value: unknown, scale: number): string | null {
  if (value === null) return null;
  const digits = String(Math.abs(value as number)).padStart(scale + 1, '0');
  return `${(value as number) < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
