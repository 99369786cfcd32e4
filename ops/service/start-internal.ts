// The internal listener of a process, and its console. Both open before anything else: also a process that waits for its dependencies says so.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openLiveCatalog } from '../../platform/postgres/live-catalog.ts';
import { openOperationsCatalog } from '../../platform/postgres/operations-catalog.ts';
import { openOverviewCatalog } from '../../platform/postgres/overview-catalog.ts';
import { openPool, type PoolConfig } from '../../platform/postgres/sql.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { cutSlowReaders } from '../../platform/process/slow-readers.ts';
import { noFacts } from '../console/console-facts.ts';
import { type ConsoleUse, consoleRoutes } from '../console/console-routes.ts';
import { openFacts, statementMs } from '../console/read-facts.ts';
import type { WatchedHealth } from '../health/watch-health.ts';
import { openInternalListener } from '../internal/internal-listener.ts';
import type { ProcessState } from '../internal/process-state.ts';
import { listenOn } from './listen-on.ts';
import { type Role, readsAlone } from './roles.ts';

export type Internal = {
  url: string;
  /** From now on the console shows what the database and this process know. `access`: with the rights of sds_writer, which reads everything. */
  shows(access: Pick<PoolConfig, 'connection' | 'role'>, health: WatchedHealth): void;
  close(): Promise<void>;
};

const isOff =
  'The console is off: set SDS_CONSOLE_SECRET, or SDS_CONSOLE_SECRET_FILE, to 24 characters or more, and restart the process.';
const isOfReader =
  'This process runs an API alone, and an API may not read what the console shows: ask the internal listener of another role.';
const isStarting = 'this process waits for what it depends on; its log says for what';

/** Null: the settings say that there is none. */
export async function startInternal(
  settings: Settings,
  asked: readonly Role[],
  state: ProcessState,
  log: Log,
  say: (line: string) => void,
): Promise<Internal | null> {
  const { internalHost, internalPort, consoleSecret, feedQuotas } = settings;
  if (internalPort === null) return null;
  const clock = systemClock;
  const closing = new AsyncDisposableStack();
  let facts = async () => noFacts(clock.now(), feedQuotas, isStarting);
  const reads = readsAlone(settings.databaseUrl !== null, asked);
  const use: ConsoleUse =
    consoleSecret === null
      ? { off: isOff }
      : reads
        ? { off: isOfReader }
        : { secret: consoleSecret, facts: () => facts() };
  const listener = await openInternalListener(state, consoleRoutes(use, clock, log), cutSlowReaders, log);
  const url = await listenOn(listener, internalHost, 'SDS_INTERNAL_PORT', internalPort, 'SDS_INTERNAL_HOST');
  say(`internal      ${url}`);
  if (!('off' in use)) say(`console       ${url}/console`);
  return {
    url,
    shows(access, health) {
      if ('off' in use) return;
      const bounds = { maxConnections: 3, statementTimeoutMs: statementMs, readOnly: true };
      const sql = openPool({ ...access, ...bounds, log, applicationName: 'sds-console' });
      closing.defer(() => sql.close());
      const [overview, operations] = [openOverviewCatalog(sql), openOperationsCatalog(sql)];
      facts = openFacts({ overview, operations, live: openLiveCatalog(sql), health, quotas: feedQuotas, clock });
    },
    async close() {
      await listener.close();
      await closing.disposeAsync();
    },
  };
}
