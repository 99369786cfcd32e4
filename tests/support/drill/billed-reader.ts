// A reader with an account of its own. It follows the logs of all games through both APIs in turns, starts again when a
// log was restarted, and repeats requests that an outage failed. In the end its bill must equal the rows of the logs, each
// counted once.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { allowedOutage } from './allowed-outage.ts';
import type { DrillPlace } from './drill-place.ts';

export type BilledReader = {
  /** Answers that no client should ever get. */
  violations: string[];
  /** How many logs were restarted while they were read. */
  resets: number;
  unanswered: number;
  /** Stops after reading the rest; answers how many rows it holds, and how many it was billed for. */
  conclude(): Promise<{ held: number; billed: number }>;
  stop(): Promise<void>;
};

type Followed = { cursor: string; rows: number };
type Listing = { cursor: string; segments: { rows: number; from_row?: number; url: string }[] };

type ReaderPlace = {
  drivers: { catalogs: Pick<DrillPlace['drivers']['catalogs'], 'keys' | 'ledger'> } & Pick<
    DrillPlace['drivers'],
    'peppers'
  >;
  store: Pick<DrillPlace['store'], 'damagedAt'>;
};

const roundPauseMs = 500;

export async function startBilledReader(place: ReaderPlace, apis: readonly string[]): Promise<BilledReader> {
  const { drivers, store } = place;
  const { keys, ledger } = drivers.catalogs;
  const isOutage = allowedOutage(store);
  const account = randomUUID();
  await keys.createAccount({ id: account, name: 'reader', tier: 'PRO', entitled: true, monthlyRows: null });
  const minted = await mintApiKey(keys, drivers.peppers, account);
  if (minted.kind !== 'minted') throw new Error(minted.kind);
  const authorization = `Bearer ${minted.plaintext}`;
  const stopped = new AbortController();
  const followed = new Map<string, Followed>();
  let asked = 0;

  const reader: BilledReader = {
    violations: [],
    resets: 0,
    unanswered: 0,
    async conclude() {
      await reader.stop();
      for (let quiet = 0; quiet < 2 && reader.violations.length === 0; ) quiet = (await round()) ? 0 : quiet + 1;
      const held = [...followed.values()].reduce((sum, { rows }) => sum + rows, 0);
      const { usedRows } = await ledger.usage(account);
      return { held, billed: usedRows };
    },
    async stop() {
      stopped.abort();
      await done;
    },
  };

  async function get(path: string, of: 'list' | 'file'): Promise<Response | null> {
    asked += 1;
    const url = `${apis[asked % apis.length]}${path}`;
    const headers = { authorization };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => null);
    if (response !== null && response.status < 500) return response;
    // A 503 or 500 whose text broke off is no answer.
    const text = (await response?.text().catch(() => null)) ?? null;
    const status = text === null ? null : (response?.status ?? null);
    if (isOutage({ of, status, text: text ?? '' })) reader.unanswered += 1;
    else reader.violations.push(`${url}: ${status} ${text}`);
    return null;
  }

  /** Whether there was anything new, or a request without an answer. */
  async function follow(game: string): Promise<boolean> {
    const known = followed.get(game) ?? { cursor: '0:0', rows: 0 };
    const listed = await get(`/v1/games/${game}/sportsbook-lines/segments?cursor=${known.cursor}`, 'list');
    if (listed === null) return true;
    if (listed.status === 409) {
      const { type } = (await listed.json()) as { type: string };
      if (!type.endsWith('/live-cursor-reset')) reader.violations.push(`${game} after ${known.cursor}: 409 ${type}`);
      followed.delete(game);
      reader.resets += 1;
      return true;
    }
    if (listed.status === 404) return false;
    if (listed.status !== 200) {
      reader.violations.push(`${game} after ${known.cursor}: ${listed.status} ${await listed.text()}`);
      return false;
    }
    const { cursor, segments } = (await listed.json()) as Listing;
    let { rows } = known;
    for (const { url, rows: count, from_row: from = 0 } of segments) {
      const read = await file(url);
      if (read === null) return true;
      for (const row of read.slice(from, count)) {
        rows += 1;
        if (row.row_number !== rows) reader.violations.push(`${url}: row ${String(row.row_number)} came as ${rows}`);
      }
    }
    followed.set(game, { cursor, rows });
    return cursor !== known.cursor;
  }

  async function file(url: string): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
    const response = await get(url, 'file');
    if (response === null) return null;
    const bytes = await response.arrayBuffer().then(
      (all) => new Uint8Array(all),
      () => null,
    );
    if (bytes === null) return null;
    // The log may have restarted since it was listed; the next listing shows it.
    if (response.status === 404 || response.status === 409) return null;
    if (response.status !== 200) {
      reader.violations.push(`${url}: ${response.status} ${Buffer.from(bytes).toString()}`);
      return null;
    }
    if (response.headers.get('etag') !== `"${createHash('sha256').update(bytes).digest('hex')}"`) {
      reader.violations.push(`${url}: the ETag is not of these bytes`);
      return null;
    }
    return parquetWriter.decodeOwnColumns(bytes).rows as readonly Readonly<Record<string, unknown>>[];
  }

  async function round(): Promise<boolean> {
    const answer = await get('/v1/games?league=MLB&limit=100', 'list');
    if (answer === null) return true;
    if (answer.status !== 200) {
      reader.violations.push(`the games: ${answer.status} ${await answer.text()}`);
      return true;
    }
    const { data } = (await answer.json()) as { data: { id: string }[] };
    let moved = false;
    for (const { id } of data) moved = (await follow(id)) || moved;
    return moved;
  }

  const done = (async () => {
    while (!stopped.signal.aborted) {
      await round().catch((error: unknown) => {
        // An answer that broke off; the next round requests it again.
        reader.unanswered += error instanceof TypeError ? 1 : 0;
        if (!(error instanceof TypeError)) reader.violations.push(String(error));
      });
      await delay(roundPauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return reader;
}
