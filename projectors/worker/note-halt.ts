// How a partition that can go no further without a person says so: in the log, and in the catalog, for whoever looks (operations.md, `sds status`).
import type { Halted } from '../../core/ports/broker.ts';
import type { Claim, StreamKey } from '../../core/ports/catalog/live.ts';
import { type Patience, untilCatalogAnswers } from './patience.ts';

/** Tells the log and the catalog of a halt. An owner that was fenced meanwhile has nothing to say. */
export async function noteHalt(
  tools: Patience & { catalog: { halt(stream: StreamKey, ownerEpoch: number, reason: string): Promise<void> } },
  stream: StreamKey,
  { ownerEpoch }: Claim,
  { message, remedy, cause }: Halted,
): Promise<void> {
  tools.log.error('partition halted; the others go on', {
    partition: stream.partition,
    reason: message,
    remedy,
    ...(cause === undefined ? {} : { cause: String(cause) }),
  });
  await untilCatalogAnswers(tools, () => tools.catalog.halt(stream, ownerEpoch, `${message}; ${remedy}`));
}
