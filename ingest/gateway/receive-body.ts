// The bytes of a body as they come: bounded, counted against the room, and no slower than a line that is worth its place. A sender that stalls
// would hold its part of the room for as long as a request may take.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { GatheredBytes, giveBack } from './gathered-bytes.ts';
import type { HeldRoom } from './room.ts';

/** Largest body, inflated (docs/operations.md#body-limits). */
export const largestBodyBytes = 8 * 1024 * 1024;

/** A body has to bring so many bytes a second, over each stretch of `stretchMs`. */
const leastBytesASecond = 16 * 1024;

export type UploadPace = { clock: Clock; stretchMs: Millis };
export const usualStretchMs: Millis = 5_000;

/** The sender has gone before its body was whole. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone';
  readonly receivedBytes: number;
  constructor(receivedBytes: number) {
    super('the sender has gone');
    this.receivedBytes = receivedBytes;
  }
}

/**
 * Receives a body, each chunk seen by `watch`, or gives it up: where `watch` refuses it, it is too large (`payload-too-large`), too slow
 * (`malformed-request`, 408), or has no room (`rate-limited`). Its connection outlives one that is given up, to carry the answer.
 * @throws SenderGone
 */
export async function receiveBody(
  request: IncomingMessage,
  place: HeldRoom,
  pace: UploadPace,
  watch: (chunk: Uint8Array) => GatewayRefusal | null = () => null,
): Promise<Buffer | GatewayRefusal> {
  if (Number(request.headers['content-length'] ?? 0) > largestBodyBytes) return tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | GatewayRefusal>();
  const over = new AbortController();
  // Without a length there may be as many as a body may have.
  const gathered = new GatheredBytes(Number(request.headers['content-length'] ?? 0) || largestBodyBytes);
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    try {
      const refusal = size > largestBodyBytes ? tooLarge() : (place.hold(size) ?? watch(chunk));
      if (refusal !== null) {
        resolve(refusal);
        return;
      }
      gathered.add(chunk);
      if (chunk.buffer.byteLength === chunk.length) giveBack(chunk);
    } catch (error) {
      // A defect fails this push alone.
      reject(error);
    }
  };
  const end = (): void => resolve(gathered.bytes());
  const gone = (): void => reject(new SenderGone(size));
  request.on('data', take).on('end', end).on('error', gone).on('close', gone);
  place.mayGiveWay(resolve);
  void refuseSlow(pace, () => size, over.signal).then((refusal) => refusal === null || resolve(refusal));
  try {
    const received = await promise;
    if (isRefusal(received)) gathered.giveBack();
    return received;
  } catch (error) {
    gathered.giveBack();
    throw error;
  } finally {
    over.abort();
    place.mayGiveWay(null);
    // An error that comes later is of a body that is given up.
    request.off('data', take).off('end', end).off('close', gone);
  }
}

/** Resolves with the refusal of a body that comes too slowly; null once it is over. */
async function refuseSlow(
  { clock, stretchMs }: UploadPace,
  received: () => number,
  over: AbortSignal,
): Promise<GatewayRefusal | null> {
  const least = (leastBytesASecond * stretchMs) / 1_000;
  for (;;) {
    const before = received();
    const began = elapsedMs(clock);
    await clock.sleep(stretchMs, over);
    if (over.aborted) return null;
    // A process that had no time to read may not judge how much there was.
    if (elapsedMs(clock) - began > 1.5 * stretchMs) continue;
    if (received() - before < least)
      return refuse('malformed-request', {
        status: 408,
        detail: `The body comes more slowly than ${leastBytesASecond} bytes a second; compress it, or split the push.`,
      });
  }
}

function elapsedMs(clock: Clock): Millis {
  return (clock.elapsed?.() ?? clock.now()) / 1_000;
}

export function tooLarge(): GatewayRefusal {
  return refuse('payload-too-large', {
    detail: `a body may have at most ${largestBodyBytes} bytes, inflated; split the push`,
  });
}
