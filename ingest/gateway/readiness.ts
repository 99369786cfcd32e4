// Whether pushes can be taken now: whether the catalog and the log answer.
import type { Broker } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { openReadiness, type Readiness } from '../../http/readiness.ts';

/** What every push needs. */
export type Dependency = 'catalog' | 'log';

export type GatewayReadiness = Readiness<Dependency>;

const usualLookMs: Millis = 1_000;

type Asked = { broker: Pick<Broker, 'healthy'>; live: Pick<LiveCatalog, 'now'>; clock: Clock; log: Log };

export function openGatewayReadiness(
  { broker, live, clock, log }: Asked,
  everyMs: Millis = usualLookMs,
  looked?: () => void,
): GatewayReadiness {
  return openReadiness({
    asks: { catalog: () => live.now().then(() => true), log: () => broker.healthy() },
    isOutage: (error) => error instanceof CatalogUnavailable,
    patienceMs: 1_000,
    changed(missing) {
      if (missing.length === 0) log.info('pushes can be taken again', {});
      else log.warn('no push can be taken', { missing: missing.join(' ') });
    },
    ...{ everyMs, clock, log },
    ...(looked === undefined ? {} : { looked }),
  });
}
