// The bytes of a committed file that settlement builds from. One that is not as it was committed stops its game, not a partition.
import { Halted } from '../../core/ports/broker.ts';
import type { FileRef, ObjectStore } from '../../core/ports/object-store.ts';
import { committedBytes } from '../worker/committed-bytes.ts';
import { InputDamaged } from './settlement-tools.ts';

/** @throws InputDamaged when they are not to be had */
export async function committedFile(objects: Pick<ObjectStore, 'get'>, file: FileRef): Promise<Uint8Array> {
  try {
    return await committedBytes(objects, file);
  } catch (error) {
    throw error instanceof Halted ? new InputDamaged(error.message, { cause: error }) : error;
  }
}
