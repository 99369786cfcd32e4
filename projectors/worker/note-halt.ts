// Reports a partition that cannot continue without the administrator, in the log and in the catalog (docs/operations.md#status).
import type { Halted } from '../../core/ports/broker.ts';
import type { CheckpointsCatalog, Claim, StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import type { Meter } from '../../core/ports/meter.ts';
import { type Patience, untilCatalogAnswers } from './patience.ts';

/** Reports a halt. An owner that was fenced meanwhile reports nothing. */
export async function noteHalt(
  tools: Patience & { checkpoints: Pick<CheckpointsCatalog, 'halt'>; meter?: Meter },
  stream: StreamKey,
  { ownerEpoch }: Claim,
  { message, remedy, cause }: Halted,
): Promise<void> {
  tools.meter?.add('sds_halts_total', { projector: stream.projector });
  tools.log.error('partition halted; the others go on', {
    partition: stream.partition,
    reason: message,
    remedy,
    ...(cause === undefined ? {} : { cause: String(cause) }),
  });
  await untilCatalogAnswers(tools, () => tools.checkpoints.halt(stream, ownerEpoch, `${message}; ${remedy}`));
}
