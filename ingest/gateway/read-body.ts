// The bytes of a push as its sender meant them: inflated under a cap, so that a small body never becomes a large memory.
import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { Problem } from './problem.ts';

/** Largest body, inflated (operations.md: 413 over 8 MiB). */
export const largestBodyBytes = 8 * 1024 * 1024;

const inflaters = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) };

/** Inflates `body` as `encoding` says. @throws Problem `payload-too-large`, `unsupported-media-type`, `validation-error`. */
export async function inflate(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  if (name !== 'gzip' && name !== 'zstd')
    throw new Problem('unsupported-media-type', `Content-Encoding ${name} is not supported; send gzip, zstd or none`);
  try {
    return await inflaters[name](body, { maxOutputLength: largestBodyBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new Problem('validation-error', `the body is not valid ${name}`);
  }
}

export function tooLarge(): Problem {
  return new Problem(
    'payload-too-large',
    `a body may have at most ${largestBodyBytes} bytes, inflated; split the push`,
  );
}

/** The form of a body by its media type. @throws Problem `unsupported-media-type`. */
export function bodyForm(contentType: string | undefined): 'json' | 'ndjson' {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-ndjson' || type === 'application/ndjson') return 'ndjson';
  throw new Problem('unsupported-media-type', 'Content-Type must be application/json or application/x-ndjson');
}
