// `sds proxy` before an API with a live and a settled game, or before a scripted one; and what a test reads of its answers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { landFinals } from '../builders/final-files.ts';
import { parquetRows } from '../builders/parquet-log.ts';
import { uuidOf } from '../fakes/api-fakes.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { type RunningProxy, startProxy } from '../processes/running-proxy.ts';
import { type Reply, type RequestOptions, send, startApi, type TestApi } from './api-http.ts';
import { type ScriptedOrigin, startScriptedOrigin } from './scripted-origin.ts';

export const live = 'MLB_STL_NYY_20260805';
export const settled = { uuid: uuidOf('MLB_BOS_TOR_20260804'), gameId: 'MLB_BOS_TOR_20260804', league: 'MLB' };
export const results = `/v1/games/${settled.gameId}/market-results`;
export const listing = `/v1/games/${live}/sportsbook-lines/segments`;

/** For an origin that asks for no key. */
export const validKey = mintKey('live', new Uint8Array(randomBytesPerKey));

type AskedProxy = RunningProxy & { keyFile: string; get(path: string, options?: RequestOptions): Promise<Reply> };
type ProxyOptions = { cache?: string; megabytes?: number };

/** The proxies of a file of tests, in a folder of its own. `close` after each test, `remove` after all. */
export function openProxies() {
  const home = makeDataFolder('proxy');
  const closing: (() => Promise<unknown>)[] = [];
  let folders = 0;

  async function proxyOf(url: string, key: string, more: ProxyOptions = {}): Promise<AskedProxy> {
    folders += 1;
    const keyFile = join(home, `key-${folders}`);
    writeFileSync(keyFile, `${key}\n`);
    const proxy = await startProxy({ url, keyFile, cache: join(home, `cache-${folders}`), ...more });
    closing.push(() => proxy.kill());
    return { ...proxy, keyFile, get: (path, options = {}) => send(proxy.url, path, options) };
  }

  async function apiWithGames(): Promise<TestApi> {
    const api = await startApi();
    closing.push(() => api.close());
    await api.log(live, 5, parquetRows).append(12);
    api.log(settled.gameId, 5, parquetRows);
    await landFinals({ objects: api.objects, artifacts: api.catalog }, settled);
    return api;
  }

  async function startOrigin(): Promise<ScriptedOrigin> {
    const origin = await startScriptedOrigin();
    closing.push(() => origin.close());
    return origin;
  }

  return {
    home,
    proxyOf,
    apiWithGames,
    startOrigin,
    async scripted(more: ProxyOptions = {}) {
      const origin = await startOrigin();
      return { origin, proxy: await proxyOf(origin.url, validKey, more) };
    },
    async close() {
      for (const close of closing.splice(0).reverse()) await close();
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export const used = async (api: TestApi): Promise<number> => (await api.ledger.usage('account')).usedRows;
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** The names of the files that a proxy keeps. */
export const files = ({ folder }: RunningProxy): string[] => readdirSync(join(folder, 'files'));

export function assertBytes(reply: Reply, expected: Uint8Array, status = 200): void {
  assert.deepEqual([reply.status, reply.body.length, sha256(reply.body)], [status, expected.length, sha256(expected)]);
}

/** How the answer came about, as it says itself. */
export const how = (reply: Reply): string | undefined => reply.headers['cache-status']?.replace('sds-proxy; ', '');
