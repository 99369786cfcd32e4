// The bytes of a push as its sender meant them: read only once the sender is known, inflated under a cap, so that a small body never
// becomes a large memory, and looked over before any parser makes objects of it.
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { BadFrames, framesOf } from '../../core/zstd/frame-walk.ts';
import { BytesBehind, inflatingWithin, pieceBytes, TooMuchInside } from './inflate-within.ts';
import type { RequestShare } from './key-share.ts';
import { Problem } from './problem.ts';
import { largestBodyBytes, receiveBody, tooLarge } from './receive-body.ts';
import type { Place } from './room.ts';
import type { Call } from './route.ts';

/**
 * Most commas and opening brackets of a body. The densest quotes there can be have one in 8 bytes; a body of more is made of things that
 * are no quotes, each of which would cost a hundred times its size.
 */
const mostSeparators = 1_100_000;

/** A frame may ask for a window as large as the largest body, and no larger: the window is memory. */
const zstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Each frame costs a turn of the inflater, whatever is in it: so many of them cost no more than a large body does. */
const mostFrames = 10_000;

type Inflate = (body: Uint8Array) => Promise<Uint8Array>;
const inflateWithin = inflatingWithin(largestBodyBytes);
const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: (body) => inflateWithin(() => createGunzip({ chunkSize: pieceBytes }), [body]),
  zstd: async (body) => {
    const frames = framesOf(body);
    if (frames.length > mostFrames)
      throw new Problem('payload-too-large', `a body may have at most ${mostFrames} zstd frames; compress it as one`);
    return inflateWithin(() => createZstdDecompress({ ...zstdOptions, chunkSize: pieceBytes }), frames);
  },
};

/** The inflater that a Content-Encoding asks for; null: none. @throws Problem `unsupported-media-type`. */
export function inflaterOf(encoding: string | undefined): Inflate | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const inflater = Object.hasOwn(inflaters, name) ? inflaters[name] : undefined;
  if (inflater === undefined)
    throw new Problem('unsupported-media-type', 'Content-Encoding must be gzip or zstd, or be left out');
  return async (body) => {
    try {
      return await inflater(body);
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof TooMuchInside) throw tooLarge();
      const why = error instanceof BadFrames || error instanceof BytesBehind ? `: ${error.message}` : '';
      throw new Problem('validation-error', `the body is not valid ${name}${why}`);
    }
  };
}

/** Reads a body and inflates it. @throws Problem `payload-too-large`, `validation-error`, `rate-limited`, and as `receiveBody` does. */
export async function readBody(
  { request, share, pace }: Pick<Call, 'request' | 'share' | 'pace'>,
  inflate: Inflate | null,
  place: Place,
): Promise<Uint8Array> {
  const received = await receiveBody(request, place, pace);
  const body = inflate === null ? received : await inflated(received, inflate, share);
  await share.inflated(body.length);
  place.hold(body.length);
  if (hasTooMuchIn(body))
    throw new Problem('payload-too-large', 'the body holds more values than a push of quotes can');
  return body;
}

/** A bomb costs its key what was inflated of it. */
async function inflated(received: Uint8Array, inflate: Inflate, share: RequestShare): Promise<Uint8Array> {
  try {
    return await inflate(received);
  } catch (error) {
    if (error instanceof Problem && error.code === 'payload-too-large') await share.inflated(largestBodyBytes);
    throw error;
  }
}

/** Whether a body holds more values than a push of its size may. */
export function hasTooMuchIn(body: Uint8Array): boolean {
  if (body.length <= mostSeparators) return false;
  let separators = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const code = body[at];
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x2c || code === 0x5b || code === 0x7b) separators += 1;
  }
  return separators > mostSeparators;
}

export type BodyForm = 'json' | 'ndjson';

const forms: Readonly<Record<string, BodyForm>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

/** The form of a body by its media type. @throws Problem `unsupported-media-type` when it is none of `taken`. */
export function bodyForm(contentType: string | undefined, taken: readonly BodyForm[]): BodyForm {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (form === undefined || !taken.includes(form)) {
    const names = Object.keys(forms).filter((name) => taken.includes(forms[name] as BodyForm));
    throw new Problem('unsupported-media-type', `Content-Type must be ${names.join(' or ')}`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8')
    throw new Problem('unsupported-media-type', 'a body is UTF-8');
  return form;
}
