// The MySportsFeeds poller as part of the service: it passes bodies to the gateway's code as pushes of the source `msf`, within this
// process.
import { everything } from '../../core/access/feed-grant.ts';
import { msfSource } from '../../core/msf/ids.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import { acceptingMsf, type MsfTools } from '../../ingest/gateway/accept-msf.ts';
import { noUse } from '../../ingest/gateway/key-share.ts';
import type { TimeKeeping } from '../../ingest/poller/keep-time.ts';
import { msfBaseUrl, openMsfSource } from '../../ingest/poller/msf-source.ts';
import { startPoller } from '../../ingest/poller/poller.ts';
import type { Settings } from '../../platform/config/settings.ts';

/** Starts polling if there is an API key for it; returns a function that stops it. docs/operations.md#configuration. */
export function startPolling(
  settings: Settings['msf'],
  tools: MsfTools & TimeKeeping & { leases: LeasesCatalog },
): () => Promise<void> {
  const { live, broker, clock, log, leases } = tools;
  if (settings === null) {
    log.info('the MySportsFeeds poller is off', { setting: 'SDS_MSF_API_KEY' });
    return async () => {};
  }
  const { apiKey, ownKey } = settings;
  const baseUrl = settings.baseUrl ?? msfBaseUrl;
  log.info('the MySportsFeeds poller is on', { base_url: baseUrl });
  const acceptMsf = acceptingMsf(tools);
  const source = openMsfSource({ baseUrl, apiKey, clock });
  return startPoller({
    source,
    accept: (pulled) =>
      acceptMsf({
        ...pulled,
        source: msfSource,
        schedulingKey: 'poller',
        receivedAt: clock.now(),
        may: everything,
        idempotencyKey: null,
        observedAt: null,
        elements: 0,
        beyondShare: async () => null,
        use: noUse,
      }),
    leases,
    ownKey,
    ...{ live, broker, clock, log },
  });
}
