// The form of object keys, the same for every store: a key that one store would refuse is refused everywhere.

/** Path parts of plain characters, none empty, none of dots alone: in every store, a key stays below the root. */
const keyForm = /^(?!\.{1,2}(?:\/|$))[A-Za-z0-9._=-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._=-]+)*$/;
const prefixForm = /^[A-Za-z0-9._=/-]*$/;

/** S3's limit; a part is a file name on disk. */
const maxKeyBytes = 1_024;
const maxPartBytes = 255;

/** @throws RangeError when `key` cannot be one. */
export function checkKey(key: string): void {
  if (key.length > maxKeyBytes || !keyForm.test(key) || key.split('/').some((part) => part.length > maxPartBytes)) {
    throw new RangeError(`no object key: ${JSON.stringify(key.slice(0, 200))}`);
  }
}

/** @throws RangeError when no key can start with `prefix`. */
export function checkPrefix(prefix: string): void {
  if (
    prefix.length > maxKeyBytes ||
    !prefixForm.test(prefix) ||
    prefix.startsWith('/') ||
    /(^|\/)\.{1,2}\//.test(prefix)
  ) {
    throw new RangeError(`no key prefix: ${JSON.stringify(prefix.slice(0, 200))}`);
  }
}

/** @throws RangeError unless `part` is a valid byte range. */
export function checkPart(part: { offset: number; length: number }): void {
  if (!Number.isSafeInteger(part.offset) || !Number.isSafeInteger(part.length) || part.offset < 0 || part.length < 1) {
    throw new RangeError(`no part of an object: ${part.offset}+${part.length}`);
  }
}
