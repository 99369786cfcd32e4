// A projector without a worker that the test flushes: it shows what would be committed, without writing files.

import type { CommitAnswer, Fence } from '../../../core/ports/catalog/checkpoints.ts';
import type { FileRef, ObjectKey } from '../../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../../core/ports/parquet.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import type { Projector } from '../../../projectors/worker/projector.ts';

/** A catalog in which nothing is published; it keeps every commit. */
export class KeptCommits<Commit> {
  readonly commits: Commit[] = [];

  async publishedIn(): Promise<readonly never[]> {
    return [];
  }

  async knownSince(): Promise<null> {
    return null;
  }

  async closedIn(): Promise<readonly string[]> {
    return [];
  }

  async servedLog(): Promise<null> {
    return null;
  }

  async commit(commit: Commit): Promise<CommitAnswer> {
    this.commits.push(commit);
    return 'committed';
  }
}

/** Flushes what is pending, as a worker does, into files of this key. Returns the files that are tails no longer. */
export async function flushByHand(projector: Projector, key = 'nowhere'): Promise<readonly FileRef[]> {
  const flush = runToEnd(projector.planning());
  await flush.commit(fence, new Map(flush.files.map((file, offset) => placed(file, offset, key))));
  return flush.committed();
}

const fence: Fence = {
  stream: { projector: 'by hand', topic: 'none', partition: 0 },
  ownerEpoch: 1,
  from: 0,
  to: 0,
  foldDigest: '',
  snapshot: null,
  logVersion: null,
  objects: [],
  released: [],
};

function placed({ name, rows }: PlannedFile, offset: number, key: string): [string, WrittenFile] {
  return [name, { ref: { key: key as ObjectKey, offset, size: 1, sha256: '' }, rows: rows.length }];
}
