// Reads the body of a push: only once the sender is known, inflated under a cap, so that a small body never takes much memory, and counted
// while it arrives, before any parser makes objects of it.
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { ValueCount } from '../../core/json/value-count.ts';
import { BadFrames, framesOf, mostFrames } from '../../core/zstd/frame-walk.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import type { BodyScheduler } from './body-scheduler.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { giveBack } from './gathered-bytes.ts';
import { BytesBehind, type Deflated, inflatingWithin, pieceBytes, TooMuchInside } from './inflate-within.ts';
import type { InTurn } from './read-in-turns.ts';
import { largestBodyBytes, receiveBody, tooLarge } from './receive-body.ts';
import type { HeldRoom } from './room.ts';
import type { Call } from './route.ts';

/**
 * Most commas and opening brackets of a body. The densest real quotes have one in 8 bytes; a body with more consists of other values, each
 * of which would take a hundred times its size in memory.
 */
const mostSeparators = 1_100_000;

/** Each element costs as much as some hundred bytes of a body, however short it is. */
export const mostElements = 50_000;

/** Lists that a body may have: one is read, the others belong to no push. */
const mostLists = 1_000;

/** A frame may ask for a window as large as the largest body: the window takes memory. */
const zstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

type Opened = Pick<Deflated<never>, 'openInflater' | 'pieces'>;
/** How a compressed body is inflated. */
export type Encoding = { name: string; open: (body: Uint8Array) => Opened | GatewayRefusal };

const inflateWithin = inflatingWithin(largestBodyBytes);
const encodings: Readonly<Record<string, Encoding['open']>> = {
  gzip: (body) => ({ openInflater: () => createGunzip({ chunkSize: pieceBytes }), pieces: [body] }),
  zstd: (body) => {
    const pieces = framesOf(body);
    if (pieces.length > mostFrames)
      return refuse('payload-too-large', {
        detail: `a body may have at most ${mostFrames} zstd frames; compress it as one`,
      });
    return { openInflater: () => createZstdDecompress({ ...zstdOptions, chunkSize: pieceBytes }), pieces };
  },
};

/** The encoding in a Content-Encoding header; null: none. Or `unsupported-media-type`. */
export function encodingOf(header: string | undefined): Encoding | null | GatewayRefusal {
  const name = header?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const open = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
  if (open === undefined)
    return refuse('unsupported-media-type', { detail: 'Content-Encoding must be gzip or zstd, or be left out' });
  return { name, open };
}

/** What is known of a body before it is read. */
export type Announced = { form: BodyForm; encoding: Encoding | null };

/** A body, and the number of elements in its lists, or of its lines. */
export type ReceivedBody = { bytes: Uint8Array; elements: number };

/**
 * Reads, inflates and counts a body. Or refuses it: `payload-too-large` as soon as it is too large, `validation-error`, `rate-limited`,
 * `malformed-request`. @throws SenderGone, and what the shares throw
 */
export async function readBody(
  call: Sender,
  { form, encoding }: Announced,
  place: HeldRoom,
  scheduler: Pick<BodyScheduler, 'piece'>,
): Promise<ReceivedBody | GatewayRefusal> {
  const { request, share, pace } = call;
  const inTurn = turnsOf(scheduler, call);
  const count = new ValueCount(form);
  let counted = 0;
  const watch = (piece: Uint8Array): GatewayRefusal | null => {
    counted += piece.length;
    count.add(piece);
    return refusalOfTooMuch(count);
  };
  if (encoding === null) {
    const bytes = await receiveBody(request, place, pace, inTurn, watch);
    if (isRefusal(bytes)) return bytes;
    return await unlessRefused({ bytes, elements: count.elements }, () => share.inflated(bytes.length));
  }
  const received = await receiveBody(request, place, pace, inTurn);
  if (isRefusal(received)) return received;
  const bytes = await inflate(schedulingKeyOf(call), encoding, received, { watch, inTurn });
  if (isRefusal(bytes)) {
    // The inflater may still be reading a body that was refused half-way; the garbage collector frees it.
    // A decompression bomb is charged what was inflated of it.
    const beyond = bytes.refused === 'payload-too-large' ? await share.inflated(counted) : null;
    return beyond ?? bytes;
  }
  giveBack(received);
  const { length } = bytes;
  const refused = async () => (await share.inflated(length)) ?? place.hold(length);
  return await unlessRefused({ bytes, elements: count.elements }, refused);
}

/** The body, or its refusal; the memory of a refused body is freed. */
async function unlessRefused(
  body: ReceivedBody,
  refused: () => Promise<GatewayRefusal | null>,
): Promise<ReceivedBody | GatewayRefusal> {
  let isTaken = false;
  try {
    const refusal = await refused();
    isTaken = refusal === null;
    return refusal ?? body;
  } finally {
    if (!isTaken) giveBack(body.bytes);
  }
}

type Sender = Pick<Call, 'request' | 'share' | 'pace' | 'key' | 'source'>;

/** The key of the scheduler for the work on a body: the feed key. */
export function schedulingKeyOf({ key, source }: Pick<Call, 'key' | 'source'>): string {
  return key?.id ?? source;
}

/** The turns in which the body of the call is read. */
export function turnsOf(scheduler: Pick<BodyScheduler, 'piece'>, call: Pick<Call, 'key' | 'source'>): InTurn {
  const key = schedulingKeyOf(call);
  return (work) => scheduler.piece(key, work);
}

async function inflate(
  schedulingKey: string,
  { name, open }: Encoding,
  body: Uint8Array,
  pieceByPiece: { watch: (piece: Uint8Array) => GatewayRefusal | null; inTurn: InTurn },
): Promise<Uint8Array | GatewayRefusal> {
  try {
    const opened = open(body);
    return isRefusal(opened) ? opened : await inflateWithin(schedulingKey, { ...opened, ...pieceByPiece });
  } catch (error) {
    if (error instanceof TooMuchInside) return tooLarge();
    const why = error instanceof BadFrames || error instanceof BytesBehind ? `: ${error.message}` : '';
    return refuse('validation-error', { detail: `the body is not valid ${name}${why}` });
  }
}

function refusalOfTooMuch({ separators, elements, lists }: ValueCount): GatewayRefusal | null {
  if (elements > mostElements)
    return refuse('payload-too-large', { detail: `a push has at most ${mostElements} records; split it` });
  if (separators > mostSeparators || lists > mostLists)
    return refuse('payload-too-large', { detail: 'the body holds more values than a push of quotes can' });
  return null;
}

/** Whether a body in one piece has more values than a push may have. */
export function hasTooMuchIn(body: Uint8Array): boolean {
  const { separators, elements, lists } = counted(body);
  return separators > mostSeparators || elements > mostElements || lists > mostLists;
}

function counted(body: Uint8Array): ValueCount {
  const count = new ValueCount('json');
  count.add(body);
  return count;
}

export type BodyForm = 'json' | 'ndjson';

const forms: Readonly<Record<string, BodyForm>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

export function mediaTypesOf(form: BodyForm): readonly string[] {
  return Object.keys(forms).filter((type) => forms[type] === form);
}

/** The form of a body by its media type; or `unsupported-media-type` if it is none of `taken`. */
export function bodyForm(contentType: string | undefined, taken: readonly BodyForm[]): BodyForm | GatewayRefusal {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (form === undefined || !taken.includes(form)) {
    const detail = `Content-Type must be ${taken.flatMap(mediaTypesOf).join(' or ')}`;
    return refuse('unsupported-media-type', { detail });
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8')
    return refuse('unsupported-media-type', { detail: 'a body is UTF-8' });
  return form;
}
