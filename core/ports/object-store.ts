// Bytes under write-once keys. No object is ever overwritten: "rewritten in place" is a pointer that moves in the catalog.
import type { Micros } from '../units.ts';

declare const named: unique symbol;

/**
 * The name of an object. A text becomes one where a new object is named and where a row of the catalog is read, nowhere else: what reads
 * objects takes no other, so no text of a request is ever part of a name.
 */
export type ObjectKey = string & { readonly [named]: true };

/** Where a file's bytes are: an object, or a part of one (the files of a flush share one object). `sha256` (hex) is of the file. */
export type FileRef = { key: ObjectKey; offset: number; size: number; sha256: string };

/**
 * What a record refers to: content by its SHA-256 and size, in the object that holds it in one of these forms.
 */
export type Attachment = {
  sha256: string;
  size: number;
  forms: readonly { key: string; encoding: 'zstd' | 'identity' }[];
};

export type ObjectInfo = { key: string; size: number; modifiedAt: Micros };

/** No object has this key: that there is none is an answer. */
export const probeKey = 'readiness/probe' as ObjectKey;

/** A store as the API has it: it reads what the catalog names. */
export interface NamedObjects {
  get(key: ObjectKey, part?: { offset: number; length: number }): Promise<Uint8Array | null>;
}

export interface ObjectStore {
  /**
   * Writes `bytes` under `key`, durable when it resolves. A key that holds the same bytes counts as written.
   * @throws ObjectConflict when the key holds other bytes.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The object, or `length` bytes of it from `offset`; null when there is no such object. Never fewer bytes than asked.
   * @throws ObjectTruncated when the object ends before the part does.
   * @throws ObjectDamaged when the store itself can tell that the object is not what was put.
   */
  get(key: string, part?: { offset: number; length: number }): Promise<Uint8Array | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Every object whose key starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removes the keys; one that is absent already is no error. */
  delete(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Another writer holds this write-once key with other bytes. */
export class ObjectConflict extends Error {
  override readonly name = 'ObjectConflict';
  readonly key: string;
  constructor(key: string) {
    super(`object ${key} exists with other bytes`);
    this.key = key;
  }
}

/** The object does not reach as far as was asked: what was committed is not what is there, whenever it is asked again. */
export class ObjectTruncated extends Error {
  override readonly name = 'ObjectTruncated';
  constructor(key: string, wanted: number, found: number) {
    super(`object ${key} ends at byte ${found}, ${wanted} were asked for`);
  }
}

/** The object is another than was put, read by read the same: no damage on its way, which a further read would mend. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
  constructor(key: string) {
    super(`object ${key} came with other bytes than were put`);
  }
}
