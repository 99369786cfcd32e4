// The raw archive: the records of the log in the object store, beyond the log's own retention (docs/durability.md#the-raw-archive).
import type { ArchivedTopic } from '../../schemas/events/topics.ts';
import type { RawFile, RawRange } from '../raw-archive/raw-file.ts';
import type { DeliveredRecord } from './broker.ts';

/** A record as the log holds it. */
export type RawRecord = Omit<DeliveredRecord, 'value' | 'attached' | 'mayDecodeLater'>;

/**
 * `schemas`: the JSON of the schemas in which the records are written, by id. `previous`: the SHA-256 of the previous file; null: this is
 * the first.
 */
export type RawContents = {
  records: readonly RawRecord[];
  schemas: ReadonlyMap<number, string>;
  previous: string | null;
};

export interface RawArchive {
  /** The files of a partition, in order of their records. */
  files(topic: ArchivedTopic, partition: number): Promise<readonly RawFile[]>;
  write(range: RawRange, contents: RawContents): Promise<RawFile>;
  /** @throws RawFileDamaged */
  read(file: RawFile): Promise<RawContents>;
  /** The records with their values, decoded without a registry. */
  decoded(topic: ArchivedTopic, contents: RawContents): Promise<readonly DeliveredRecord[]>;
}

/** A file of the archive is missing or differs from what was written; a retry does not help. */
export class RawFileDamaged extends Error {
  override readonly name = 'RawFileDamaged';
  constructor({ key }: Pick<RawFile, 'key'>, reason: string) {
    super(`${key} ${reason}`);
  }
}
