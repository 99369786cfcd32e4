// Bytes under write-once keys. No object is ever overwritten; the catalog moves a pointer instead.
import type { Micros } from '../units.ts';

declare const named: unique symbol;

/**
 * The name of an object. A text becomes one only where a new object is named or a row of the catalog is read. Readers accept nothing else,
 * so no text of a request is ever part of a name.
 */
export type ObjectKey = string & { readonly [named]: true };

/** Where a file's bytes are: an object, or part of one (the files of a flush share an object). `sha256` (hex) is of the file. */
export type FileRef = { key: ObjectKey; offset: number; size: number; sha256: string };

/** What a record refers to: content by its SHA-256 and size, and the objects that hold it, one per encoding. */
export type Attachment = {
  sha256: string;
  size: number;
  forms: readonly { key: string; encoding: 'zstd' | 'identity' }[];
};

export type ObjectInfo = { key: string; size: number; modifiedAt: Micros };

/** No object has this key: a readiness probe only needs any answer from the store. */
export const probeKey = 'readiness/probe' as ObjectKey;

/** The object that writers read back to check that the store returns the bytes it was given. */
export const sampleKey = 'readiness/sample';
export const sampleBytes: Uint8Array = new TextEncoder().encode(
  'These bytes are read back at every look at the health.\n',
);

/** The store for the API, which reads only what the catalog names. */
export interface NamedObjects {
  get(key: ObjectKey, part?: { offset: number; length: number }): Promise<Uint8Array | null>;
}

export interface ObjectStore {
  /**
   * Writes `bytes` under `key`; durable once it resolves. If the key already holds the same bytes, it counts as written.
   * @throws ObjectConflict when the key holds other bytes.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The object, or `length` bytes of it from `offset`; null if there is no such object. Never returns fewer bytes.
   * @throws ObjectTruncated when the object ends before the part does.
   * @throws ObjectDamaged when the store itself detects that the object is not what was put.
   */
  get(key: string, part?: { offset: number; length: number }): Promise<Uint8Array | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Every object whose key starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removes the keys; an absent key is no error. */
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

/** The object is shorter than the catalog says; a retry does not help. */
export class ObjectTruncated extends Error {
  override readonly name = 'ObjectTruncated';
  constructor(key: string, wanted: number, found: number) {
    super(`object ${key} ends at byte ${found}, ${wanted} were asked for`);
  }
}

/** The object differs from what was put, on every read: this is no transmission error that a retry would cure. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
  constructor(key: string) {
    super(`object ${key} has other bytes than were put`);
  }
}
