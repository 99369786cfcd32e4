// A whole service of either edition in this process, on databases, topics, buckets and folders of its own, for
// black-box tests over HTTP. It uses the test's clock if one is given; sleeping is always real.

import { rmSync } from 'node:fs';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import type { FeedScope } from '../../../core/ports/catalog/keys.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Micros } from '../../../core/units.ts';
import { type DriverOptions, type Drivers, openDrivers } from '../../../ops/service/drivers.ts';
import { mintApiKey, mintFeedKey } from '../../../ops/service/new-keys.ts';
import { isWriting, type Role } from '../../../ops/service/roles.ts';
import { type ServiceOptions, startService } from '../../../ops/service/service.ts';
import { openServingDrivers } from '../../../ops/service/serving-drivers.ts';
import { startApi } from '../../../ops/service/start-api.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { sleep, wallClockNow } from '../../../platform/process/clock.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { makeDataFolder } from '../processes/data-folder.ts';

/** A clock whose time the test sets. */
export class SetClock implements Clock {
  #now: Micros;
  constructor(now: Micros = wallClockNow()) {
    this.#now = now;
  }
  now(): Micros {
    return this.#now;
  }
  set(now: Micros): void {
    this.#now = now;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleep(ms, signal);
  }
}

const barrier = 'tests';

export type Edition = {
  apiUrl: string;
  ingestUrl: string;
  apiKey: string;
  drivers: Drivers;
  /** Mints a feed key for any source, with these scopes. */
  feedKey(scopes: readonly FeedScope[]): Promise<string>;
  /**
   * Resolves when the API, if there is one, has received the notices of all commits so far: from then on it serves
   * nothing older.
   */
  apiCaughtUp(): Promise<void>;
  stop(): Promise<void>;
};

export type EditionOptions = ServiceOptions &
  DriverOptions & {
    roles?: readonly Role[];
    environment: Readonly<Record<string, string>>;
  };

/** Starts a service with the settings of `environment`, empty if its database is. */
export async function startEdition(options: EditionOptions): Promise<Edition> {
  const folder = makeDataFolder('edition');
  const settings = readSettings({
    SDS_DATA_DIR: folder,
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
    SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
    ...options.environment,
  });
  const drivers = await openDrivers(settings, silentLog, { migrates: true, ...options });
  const roles = options.roles ?? ['api', 'ingest', 'projectors'];
  const { clock } = options;
  const service = await startService(settings, drivers, roles.filter(isWriting), silentLog, {
    flushEveryMs: 0,
    // The test moves log time itself, unless it asks for a ticker.
    ticks: roles.includes('ticker'),
    ...options,
  });
  const serving = roles.includes('api') ? await openServingDrivers(settings, drivers.login, silentLog) : null;
  const api = serving === null ? null : await startApi(settings, serving, silentLog, { clock, tracer: options.tracer });
  const { keys } = drivers.catalogs;
  const account = newUuid();
  await keys.createAccount({ id: account, name: 'test', tier: 'PRO', entitled: true, monthlyRows: null });
  const minted = await mintApiKey(keys, drivers.peppers, account);
  if (minted.kind !== 'minted') throw new Error(minted.kind);
  return {
    apiUrl: api?.url ?? '',
    ingestUrl: service.ingestUrl ?? '',
    apiKey: minted.plaintext,
    drivers,
    async feedKey(scopes) {
      return (await mintFeedKey(keys, drivers.peppers, unrestricted(['*'], scopes))).plaintext;
    },
    async apiCaughtUp() {
      if (serving === null) return;
      const name = newUuid();
      const received = Promise.withResolvers<void>();
      // An API receives all notices on one connection, in the order of their commits.
      const stop = await serving.sql.listen(barrier, (said) => said === name && received.resolve(), received.reject);
      await drivers.sql.query('select pg_notify($1, $2)', [barrier, name]);
      await received.promise;
      await stop();
    },
    async stop() {
      await api?.stop();
      await serving?.close();
      await service.stop();
      await drivers.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
