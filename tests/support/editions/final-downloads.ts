// Downloads a game's files as a client does, for other Parquet readers: the segments of its live log and its final
// files.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finalDatasets } from '../builders/final-files.ts';
import { until } from '../services/until.ts';
import type { Edition } from './edition.ts';
import { finalOf } from './final-of-api.ts';
import { type Api, manifestOf } from './published-game.ts';

export type FinalDataset = (typeof finalDatasets)[number];

/** A game's final files; null for a dataset without one. */
export type DownloadedFinals = ReadonlyMap<FinalDataset, DownloadedFinal | null>;

export type DownloadedFinal = { path: string; bytes: Uint8Array; version: number };

/** Waits until each of these games is settled as far as its evidence allows, and downloads its final files. */
export async function settledFinals(
  edition: Edition,
  ids: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, DownloadedFinals>> {
  const { games, settlement } = edition.drivers.catalogs;
  const all = new Map<string, DownloadedFinals>();
  for (const id of ids) {
    const { uuid } = (await games.find(id)) ?? assert.fail(id);
    await until(`${id} is settled`, async () => (await settlement.state(uuid))?.built === true);
    const finals = new Map<FinalDataset, DownloadedFinal | null>();
    for (const dataset of finalDatasets) finals.set(dataset, await downloadFinal(edition, id, dataset, folder));
    all.set(id, finals);
  }
  return all;
}

async function downloadFinal(
  api: Api,
  game: string,
  dataset: FinalDataset,
  folder: string,
): Promise<DownloadedFinal | null> {
  const final = await finalOf(api, game, dataset);
  if (final === null) return null;
  const path = join(folder, `${game}-${dataset}.parquet`);
  writeFileSync(path, final.bytes);
  return { path, bytes: final.bytes, version: final.version };
}

/** The segments of a live log in order. `rows`: in all of them together. */
export type DownloadedLog = { files: readonly string[]; rows: number };

export async function downloadLog(api: Api, game: string, folder: string): Promise<DownloadedLog> {
  const { segments } = await manifestOf(api, game);
  const files: string[] = [];
  for (const { seq, url } of segments) {
    const response = await fetch(api.apiUrl + url, { headers: { authorization: `Bearer ${api.apiKey}` } });
    assert.equal(response.status, 200, url);
    const path = join(folder, `${game}-segment-${seq}.parquet`);
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    files.push(path);
  }
  return { files, rows: segments.reduce((sum, { rows }) => sum + rows, 0) };
}
