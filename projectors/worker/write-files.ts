// Encodes the planned files of a flush and puts them under write-once keys. All files that will soon be superseded (open tails,
// boards) share one object, so that a flush costs one put whatever the number of games, and all that stay for ever (changes and
// baselines of revisions) share another, so that nothing of the first outlives its use; a closed segment is an object of its own.
// Knows nothing of what the files mean. Keys are unique per attempt: position, owner epoch and content are in them.
import { createHash } from 'node:crypto';
import type { FileRef, ObjectKey, ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetWriter, PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import { committedBytes } from './committed-bytes.ts';

export type WriteTools = {
  objects: Pick<ObjectStore, 'put' | 'get'>;
  parquet: ParquetWriter;
  /** Bytes of the committed files that later plans append to, by `placeOf`. */
  tails: Map<string, Uint8Array>;
  /** Gives everything else of the process its turn. */
  pause(): Promise<void>;
};

/** Rows that are encoded without a pause. A file takes as long as some rows: the boards of a game may be hundreds, of a row each. */
const rowsAtOnce = 4_000;
const rowsOfFile = 40;

/** Where a file's bytes begin: enough to tell it from every other. */
export function placeOf(ref: FileRef): string {
  return `${ref.key}:${ref.offset}`;
}

export type WrittenObjects = {
  files: ReadonlyMap<string, WrittenFile>;
  objects: readonly { key: string; size: number; files: number }[];
  /** What `tails` has to hold once the flush is committed. */
  tails: ReadonlyMap<string, Uint8Array>;
};

type Encoded = { planned: PlannedFile; bytes: Uint8Array; sha256: string };

/** Writes `planned`; resolves when every byte is durable. `folder` and `attempt` go into the keys. */
export async function writeFiles(
  tools: WriteTools,
  planned: readonly PlannedFile[],
  folder: string,
  attempt: string,
): Promise<WrittenObjects> {
  const encoded: Encoded[] = [];
  let rows = 0;
  for (const file of planned) {
    if (rows >= rowsAtOnce) {
      await tools.pause();
      rows = 0;
    }
    rows += rowsOfFile + file.rows.length;
    const bytes = await encode(tools, file);
    encoded.push({ planned: file, bytes, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  const files = new Map<string, WrittenFile>();
  const objects: { key: string; size: number; files: number }[] = [];
  const tails = new Map<string, Uint8Array>();
  const puts: Promise<void>[] = [];

  const place = (file: Encoded, ref: FileRef): void => {
    files.set(file.planned.name, { ref, rows: file.planned.rows.length });
    if (file.planned.form === 'tail') tails.set(placeOf(ref), file.bytes);
  };
  const put = (key: string, bytes: Uint8Array, count: number): void => {
    objects.push({ key, size: bytes.length, files: count });
    puts.push(tools.objects.put(key, bytes));
  };

  for (const file of encoded.filter((each) => each.planned.form === 'own')) {
    const key = `${file.planned.name}-${attempt}-${file.sha256.slice(0, 12)}.parquet` as ObjectKey;
    put(key, file.bytes, 1);
    place(file, { key, offset: 0, size: file.bytes.length, sha256: file.sha256 });
  }
  const together = (form: string, shared: readonly Encoded[]): void => {
    if (shared.length === 0) return;
    const bytes = Buffer.concat(shared.map((each) => each.bytes));
    const key =
      `${folder}/${attempt}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.${form}` as ObjectKey;
    let offset = 0;
    for (const file of shared) {
      place(file, { key, offset, size: file.bytes.length, sha256: file.sha256 });
      offset += file.bytes.length;
    }
    put(key, bytes, shared.length);
  };
  together(
    'flush',
    encoded.filter(({ planned: { form } }) => form === 'tail' || form === 'shared'),
  );
  together(
    'kept',
    encoded.filter(({ planned: { form } }) => form === 'kept'),
  );
  await Promise.all(puts);
  return { files, objects, tails };
}

async function encode(tools: WriteTools, file: PlannedFile): Promise<Uint8Array> {
  if (file.onto === null) return tools.parquet.encode(file.dataset, file.rows, file.metadata, file.like);
  const before = tools.tails.get(placeOf(file.onto)) ?? (await committedBytes(tools.objects, file.onto));
  if (file.form === 'tail') return tools.parquet.append(file.dataset, before, file.rows, file.metadata);
  const rows = [...tools.parquet.decode(file.dataset, before), ...file.rows];
  return tools.parquet.encode(file.dataset, rows, file.metadata);
}
