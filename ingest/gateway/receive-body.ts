// Receives the bytes of a body: bounded, counted against the room, and not slower than a minimum, because a stalled sender would occupy its
// part of the room for as long as a request may take.
import type { IncomingMessage } from 'node:http';
import { SenderProgress } from '../../core/connections/sender-progress.ts';
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { GatheredBytes, giveBack } from './gathered-bytes.ts';
import { type InTurn, readInTurns } from './read-in-turns.ts';
import type { HeldRoom } from './room.ts';

/** Largest body, inflated (docs/operations.md#body-limits). */
export const largestBodyBytes = 8 * 1024 * 1024;

/** The least bytes per second of a body, over each stretch of `stretchMs`. */
const leastBytesASecond = 16 * 1024;

export type UploadPace = { clock: Clock; stretchMs: Millis };
export const usualStretchMs: Millis = 5_000;
/** How often a body is looked at within a stretch. */
const looksAStretch = 10;

/** The sender disconnected before its body was complete. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone';
  readonly receivedBytes: number;
  constructor(receivedBytes: number) {
    super('the sender has gone');
    this.receivedBytes = receivedBytes;
  }
}

/**
 * Receives a body and passes each chunk to `watch`, all but the first in the turn of its key. Gives up if `watch` refuses it, if it is too large (`payload-too-large`), too slow
 * (`malformed-request`, 408), or has no room (`rate-limited`). The connection then stays open for the answer.
 * @throws SenderGone
 */
export async function receiveBody(
  request: IncomingMessage,
  place: HeldRoom,
  pace: UploadPace,
  inTurn: InTurn,
  watch: (chunk: Uint8Array) => GatewayRefusal | null = () => null,
): Promise<Buffer | GatewayRefusal> {
  if (Number(request.headers['content-length'] ?? 0) > largestBodyBytes) return tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | GatewayRefusal>();
  const over = new AbortController();
  // Without a length, a body of the largest size is expected.
  const gathered = new GatheredBytes(Number(request.headers['content-length'] ?? 0) || largestBodyBytes);
  let size = 0;
  const keep = (chunk: Buffer): void => {
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
      // A bug fails only this push.
      reject(error);
    }
  };
  const reading = readInTurns(request, inTurn, { keep, end: () => resolve(gathered.bytes()) });
  const failed = (): void => reject(new SenderGone(size));
  const closed = (): void => (reading.hasEnded ? undefined : failed());
  request.on('error', failed).on('close', closed);
  place.mayGiveWay(resolve);
  const slow = refuseSlow(
    pace,
    () => size,
    () => reading.isWaiting,
    over.signal,
  );
  void slow.then((refusal) => refusal === null || resolve(refusal));
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
    // Later errors concern a body that was given up.
    reading.stop();
    request.off('close', closed);
  }
}

/**
 * Resolves with the refusal of a body that arrives too slowly; null once receiving is over. `arrived`: how many bytes. `isWaiting`: whether
 * a piece waits for its turn.
 */
async function refuseSlow(
  { clock, stretchMs }: UploadPace,
  arrived: () => number,
  isWaiting: () => boolean,
  over: AbortSignal,
): Promise<GatewayRefusal | null> {
  const stretchBytes = (leastBytesASecond * stretchMs) / 1_000;
  const pace = { stretchLooks: looksAStretch, stretchBytes, mostGapMs: stretchMs / 2 };
  const sender = new SenderProgress(pace, elapsedMs(clock), arrived(), isWaiting());
  for (;;) {
    await clock.sleep(stretchMs / looksAStretch, over);
    if (over.aborted) return null;
    if (sender.isTooSlow(elapsedMs(clock), arrived(), isWaiting()))
      return refuse('malformed-request', {
        status: 408,
        detail: `The body comes more slowly than ${leastBytesASecond} bytes a second; compress it, or split the push.`,
      });
  }
}

function elapsedMs(clock: Clock): Millis {
  return elapsedBy(clock) / 1_000;
}

export function tooLarge(): GatewayRefusal {
  return refuse('payload-too-large', {
    detail: `a body may have at most ${largestBodyBytes} bytes, inflated; split the push`,
  });
}
