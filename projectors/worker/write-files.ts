// Encodes the planned files of a flush and puts them under write-once keys. All files that will soon be superseded (open tails,
// boards) share one object, so that a flush costs one put whatever the number of games, and all that stay for ever (changes and
// baselines of revisions) share another, so that nothing of the first outlives its use; a closed segment is an object of its own.
// Knows nothing of what the files mean. Keys are unique per attempt: position, owner epoch and content are in them.
import { createHash } from 'node:crypto';
import type { FileRef, ObjectKey, ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetRow, ParquetWriter, PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { committedBytes } from './committed-bytes.ts';
import type { RunTask } from './time-slices.ts';

export type WriteTools = {
  objects: Pick<ObjectStore, 'put' | 'get'>;
  parquet: ParquetWriter;
  /** Bytes of the committed files that later plans append to, by `placeOf`. */
  tails: Map<string, Uint8Array>;
  runTask: RunTask;
};

/** Where a file's bytes begin: enough to tell it from every other. */
export function placeOf(ref: FileRef): string {
  return `${ref.key}:${ref.offset}`;
}

/** Where a further copy of an object is put that was put under `name`. */
export function keyOfCopy(name: string, copy: number): ObjectKey {
  return name.replace(/(?=\.[a-z]+$)/, `-again${copy}`) as ObjectKey;
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
  const before = new Map<PlannedFile, Uint8Array>();
  for (const file of planned) if (file.onto !== null) before.set(file, await bytesBefore(tools, file.onto));
  const encoded = await tools.runTask(encodingAll(tools.parquet, planned, before));
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

async function bytesBefore({ tails, objects }: WriteTools, onto: FileRef): Promise<Uint8Array> {
  return tails.get(placeOf(onto)) ?? (await committedBytes(objects, onto));
}

/** All files of a flush are one piece of work: many small ones take their turn together. `before`: the files that they go on from. */
function* encodingAll(
  parquet: ParquetWriter,
  planned: readonly PlannedFile[],
  before: ReadonlyMap<PlannedFile, Uint8Array>,
): Task<Encoded[]> {
  const encoded: Encoded[] = [];
  for (const file of planned) {
    encoded.push(yield* encoding(parquet, file, before.get(file) ?? null));
    yield;
  }
  return encoded;
}

function* encoding(parquet: ParquetWriter, planned: PlannedFile, before: Uint8Array | null): Task<Encoded> {
  const { dataset, form, metadata, like } = planned;
  const bytes =
    before === null
      ? yield* parquet.encoding(dataset, planned.rows, metadata, like)
      : form === 'tail'
        ? yield* parquet.appending(dataset, before, planned.rows, metadata)
        : yield* parquet.encoding(dataset, yield* rowsBehind(parquet, planned, before), metadata);
  return { planned, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function* rowsBehind(parquet: ParquetWriter, planned: PlannedFile, before: Uint8Array): Task<ParquetRow[]> {
  const rows: ParquetRow[] = [];
  for (const batch of parquet.batches(planned.dataset, before)) {
    for (const row of batch.rows()) rows.push(row);
    yield;
  }
  for (const row of planned.rows) rows.push(row);
  return rows;
}
