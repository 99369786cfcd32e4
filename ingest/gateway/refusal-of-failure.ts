// What a push is answered when its work throws. Nothing of an unexpected error is revealed: it goes into the log.
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Fields, Log } from '../../core/ports/telemetry.ts';
import { refuse } from '../../http/refusal.ts';
import { comeBack, type GatewayRefusal } from './gateway-refusal.ts';
import { ElementNotHeld } from './hold-elements.ts';
import { SenderGone } from './receive-body.ts';

/** Errors that mean that something cannot be stored durably at the moment. */
const unavailable = [BrokerUnavailable, CatalogUnavailable, ElementNotHeld];

/** The refusal for a thrown error; logs an unexpected one. */
export function refusalOfFailure(error: unknown, log: Log, request: Fields): GatewayRefusal {
  if (unavailable.some((kind) => error instanceof kind))
    return comeBack('temporarily-unavailable', 'It cannot be had durably at the moment; send it again.');
  if (error instanceof SenderGone) {
    log.info('upload given up by its sender', { bytes: error.receivedBytes, ...request });
    return refuse('malformed-request', { detail: 'The body ended before it was whole.' });
  }
  const { code } = (error ?? {}) as { code?: string };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return refuse('unsupported-media-type', { detail: 'Content-Type is no media type' });
  const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error('push failed', { error: failure, ...request });
  return refuse('internal-error', { detail: 'The push was not accepted; send it again.' });
}
