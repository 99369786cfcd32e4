// Answers of one API on this machine's disk: bytes by their SHA-256, and which address has which bytes. Only this user can read them. Bytes
// are written to a temporary file and renamed once they are complete and match their digest; they are hashed again before this process
// first serves them, so neither a crash nor a bad disk serves wrong bytes. The least recently used bytes are evicted first. Where the disk or
// the index fails, the failure is reported and the answers go on without it: readers are not refused what the API has.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Micros } from '../../core/units.ts';
import { wallClockNow } from '../../platform/process/clock.ts';
import { lockDataDir } from '../../platform/process/data-dir-lock.ts';
import { checkOwnFolder } from '../../platform/process/own-folder.ts';
import { CutOff, checkPromise, NotAsPromised, type Promised } from './charged-body.ts';
import { onDisk, openIndex, statementsOf } from './kept-index.ts';
import type { KeptKind } from './kept-kind.ts';

export type KeptAnswer = {
  target: string;
  kind: KeptKind;
  sha256: string;
  size: number;
  etag: string | null;
  /** Header fields, names and values alternating. */
  fields: readonly string[];
  /** When the API last confirmed it. */
  checkedAt: Micros;
};

export type NewAnswer = Pick<KeptAnswer, 'target' | 'kind' | 'etag' | 'fields'>;

export type KeptAnswers = {
  find(target: string): KeptAnswer | null;
  /** Keeps a body; null: the disk cannot take it. @throws NotAsPromised, or CutOff, of the body */
  keep(answer: NewAnswer, body: AsyncIterable<Uint8Array>, promised: Promised): Promise<KeptAnswer | null>;
  /** Notes that the address has bytes that are already kept; null: they are not. */
  adopt(answer: NewAnswer, sha256: string): KeptAnswer | null;
  /** Notes that the API has just confirmed the address's bytes. */
  confirm(answer: KeptAnswer): void;
  /** Forgets the address, which no longer exists. */
  drop(answer: KeptAnswer): void;
  /** Its verified bytes; null: they are missing or damaged, and the answer is forgotten. */
  open(answer: KeptAnswer): Promise<FileHandle | null>;
  bytes(): number;
  close(): void;
};

/**
 * Opens the answers kept in `dir`, creating it if absent. `failed` gets what the disk or the index fails with from then on.
 * @throws DataDirInUse when another process uses it
 */
export function openKeptAnswers(dir: string, mostBytes: number, failed: (error: unknown) => void): KeptAnswers {
  const lock = lockDataDir(dir);
  checkOwnFolder(dir);
  const [files, aside] = [join(dir, 'files'), join(dir, 'aside')];
  const index = openIndex(dir, files);
  // A killed process leaves temporary files behind, and no other process uses this folder.
  rmSync(aside, { recursive: true, force: true });
  for (const folder of [files, aside]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sql = statementsOf(index);
  for (const name of readdirSync(files)) if (sql.sizeOf.get(name) === undefined) rmSync(join(files, name));
  const verified = new Map<string, Promise<boolean>>();
  /** Addresses that the index could not forget. */
  const gone = new Set<string>();
  let [total, uses, written] = [Number(sql.total.get()?.bytes ?? 0), Number(sql.lastUse.get()?.used_at ?? 0), 0];

  function attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      failed(error);
      return otherwise;
    }
  }

  function forget(sha256: string): void {
    const size = sql.sizeOf.get(sha256)?.bytes;
    if (size === undefined) return;
    sql.forget.run(sha256);
    total -= onDisk(Number(size));
    verified.delete(sha256);
    // A reader that has the file open keeps its bytes.
    rmSync(join(files, sha256), { force: true });
  }

  function makeRoom(newest: string): void {
    while (total > mostBytes) {
      const oldest = sql.oldest.get(newest)?.sha256;
      if (oldest === undefined) return;
      forget(String(oldest));
    }
  }

  function note(answer: NewAnswer, sha256: string, size: number): KeptAnswer {
    const checkedAt = wallClockNow();
    const { target, kind, etag, fields } = answer;
    attempt(() => {
      const before = sql.find.get(target)?.sha256;
      sql.answer.run(target, sha256, kind, etag, JSON.stringify(fields), checkedAt);
      gone.delete(target);
      use(sha256);
      // Bytes that no address has any more are removed at once.
      if (before !== undefined && sql.named.get(before) === undefined) forget(String(before));
    }, undefined);
    return { target, kind, etag, fields, sha256, size, checkedAt };
  }

  function use(sha256: string): void {
    uses += 1;
    sql.use.run(uses, sha256);
  }

  /** Counts bytes that have just taken their name. */
  function enter(sha256: string, size: number): void {
    try {
      if (sql.sizeOf.get(sha256) !== undefined) return;
      sql.file.run(sha256, size);
    } catch (error) {
      // What the index does not know would never be evicted.
      rmSync(join(files, sha256), { force: true });
      throw error;
    }
    total += onDisk(size);
  }

  async function store(answer: NewAnswer, body: AsyncIterable<Uint8Array>, promised: Promised): Promise<KeptAnswer> {
    written += 1;
    const beside = join(aside, String(written));
    try {
      const { size, sha256 } = await write(beside, body, answer.kind !== 'document');
      checkPromise(promised, size, sha256);
      await rename(beside, join(files, sha256));
      enter(sha256, size);
      verified.set(sha256, Promise.resolve(true));
      const kept = note(answer, sha256, size);
      attempt(() => makeRoom(sha256), undefined);
      return kept;
    } finally {
      // What cannot be removed now is removed at the next start.
      await rm(beside, { force: true }).catch(() => {});
    }
  }

  async function verify(sha256: string): Promise<boolean> {
    const file = await openOrNull(join(files, sha256));
    if (file === null) return false;
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
    return hash.digest('hex') === sha256;
  }

  // The limit may be lower than last time.
  attempt(() => makeRoom(''), undefined);
  return {
    find(target) {
      const row = attempt(() => sql.find.get(target), undefined);
      if (row === undefined || gone.has(target)) return null;
      return {
        target,
        kind: row.kind as KeptKind,
        sha256: String(row.sha256),
        size: Number(row.bytes),
        etag: row.etag === null ? null : String(row.etag),
        fields: JSON.parse(String(row.fields)) as string[],
        checkedAt: Number(row.checked_at),
      };
    },
    async keep(answer, body, promised) {
      try {
        return await store(answer, body, promised);
      } catch (error) {
        if (error instanceof NotAsPromised || error instanceof CutOff) throw error;
        failed(error);
        return null;
      }
    },
    adopt(answer, sha256) {
      const size = attempt(() => sql.sizeOf.get(sha256), undefined)?.bytes;
      return size === undefined ? null : note(answer, sha256, Number(size));
    },
    confirm({ target }) {
      attempt(() => sql.confirm.run(wallClockNow(), target), undefined);
    },
    drop({ target, sha256 }) {
      gone.add(target);
      attempt(() => {
        sql.drop.run(target);
        gone.delete(target);
        if (sql.named.get(sha256) === undefined) forget(sha256);
      }, undefined);
    },
    async open({ sha256 }) {
      const running = verified.get(sha256) ?? verify(sha256);
      verified.set(sha256, running);
      running.catch(() => verified.delete(sha256));
      let file: FileHandle | null = null;
      try {
        file = (await running) ? await openOrNull(join(files, sha256)) : null;
      } catch (error) {
        // Other errors, such as too many open files, are no reason to fetch it again.
        if (!isCode(error, 'EIO')) throw error;
        failed(error);
      }
      attempt(() => (file === null ? forget(sha256) : use(sha256)), undefined);
      return file;
    },
    bytes: () => total,
    close() {
      index.close();
      lock.release();
    },
  };
}

/** Null: there is no such file. */
async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function write(
  path: string,
  body: AsyncIterable<Uint8Array>,
  durably: boolean,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(
      (async function* hashed() {
        for await (const chunk of body) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      })(),
    );
    if (durably) await file.datasync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}
