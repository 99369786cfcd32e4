// The names of the raw archive's files: a name tells which records its file must contain, and the SHA-256 of its bytes. So the object store
// alone tells how far the archive goes, even if the catalog is lost. Independent of the files' contents.
import { type ArchivedTopic, archivedTopics } from '../../schemas/events/topics.ts';
import type { Micros } from '../units.ts';

/** Offsets [from, to) of a partition: the log held no other records there. `day`: the UTC day on which the log appended them. */
export type RawRange = { topic: ArchivedTopic; partition: number; day: string; from: number; to: number };

export type RawFile = RawRange & { sha256: string; key: string };

export const rawFolder = 'raw-archive/';

export function folderOf(topic: ArchivedTopic, partition: number): string {
  return `${rawFolder}${topic}/${partition}/`;
}

export function rawFile(range: RawRange, sha256: string): RawFile {
  const { topic, partition, day, from, to } = range;
  const key = `${folderOf(topic, partition)}${day}/${padded(from)}-${padded(to)}-${sha256}.parquet`;
  return { ...range, sha256, key };
}

const form =
  /^raw-archive\/(?<topic>[^/]+)\/(?<partition>\d{1,9})\/(?<day>\d{4}-\d\d-\d\d)\/(?<from>\d{16})-(?<to>\d{16})-(?<sha256>[0-9a-f]{64})\.parquet$/;

/** The file that an object key names; null: the key is not the name of an archive file. */
export function rawFileOf(key: string): RawFile | null {
  const parts = form.exec(key)?.groups;
  const topic = archivedTopics.find((name) => name === parts?.topic);
  if (parts === undefined || topic === undefined) return null;
  const { partition, day = '', from, to, sha256 = '' } = parts;
  const range = { topic, partition: Number(partition), day, from: Number(from), to: Number(to) };
  const file = rawFile(range, sha256);
  return range.from < range.to && file.key === key ? file : null;
}

/** The UTC day of a moment, as `YYYY-MM-DD`. */
export function utcDay(time: Micros): string {
  return new Date(time / 1_000).toISOString().slice(0, 10);
}

/** Offsets have at most sixteen digits. */
function padded(offset: number): string {
  return String(offset).padStart(16, '0');
}

/** Ordered by their records. Two files with the same records were written by two processes, one of which had lost its lease. */
export function inOrder(files: readonly RawFile[]): RawFile[] {
  return files.toSorted((a, b) => a.from - b.from || a.to - b.to || (a.sha256 < b.sha256 ? -1 : 1));
}

/** Consecutive files without a gap. */
export type RawRun = { from: number; to: number; files: readonly RawFile[] };

/** The files, in order, as runs; records are missing between two runs. */
export function runsOf(files: readonly RawFile[]): readonly RawRun[] {
  const runs: { from: number; to: number; files: RawFile[] }[] = [];
  for (const file of inOrder(files)) {
    const last = runs.at(-1);
    if (last === undefined || file.from > last.to) runs.push({ from: file.from, to: file.to, files: [file] });
    else {
      last.files.push(file);
      last.to = Math.max(last.to, file.to);
    }
  }
  return runs;
}

export type OffsetRange = { from: number; to: number };

/** What `covered` leaves of the offsets [from, to). `covered`: in order, may overlap. */
export function gapsOf(covered: readonly OffsetRange[], { from, to }: OffsetRange): readonly OffsetRange[] {
  const gaps: OffsetRange[] = [];
  let next = from;
  for (const each of covered) {
    if (each.from >= to) break;
    if (each.from > next) gaps.push({ from: next, to: each.from });
    next = Math.max(next, each.to);
  }
  if (next < to) gaps.push({ from: next, to });
  return gaps;
}
