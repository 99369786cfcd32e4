// Answers of one API on this machine's disk: bytes by their SHA-256, and which address has which bytes. Only this user can read them. Bytes
// are written to a temporary file and renamed once they are complete and match their digest; they are hashed again before this process
// first serves them, so neither a crash nor a bad disk serves wrong bytes. The least recently used bytes are evicted first.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Micros } from '../../core/units.ts';
import { wallClockNow } from '../../platform/process/clock.ts';
import { lockDataDir } from '../../platform/process/data-dir-lock.ts';
import { checkOwnFolder } from '../../platform/process/own-folder.ts';
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

/** An answer that is not kept: it was truncated, or its bytes do not match its tag. */
export class NotAsPromised extends Error {
  override readonly name = 'NotAsPromised';
}

export type KeptAnswers = {
  find(target: string): KeptAnswer | null;
  /** Keeps a body of `size` bytes (null: unknown) with this digest (null: any). @throws NotAsPromised when it differs */
  keep(
    answer: NewAnswer,
    body: AsyncIterable<Uint8Array>,
    promised: { size: number | null; sha256: string | null },
  ): Promise<KeptAnswer>;
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

/** What a small file takes on disk. */
const blockBytes = 4096;
const formOfIndex = 1;

/** Opens the answers kept in `dir`, creating it if absent. @throws DataDirInUse when another process uses it */
export function openKeptAnswers(dir: string, mostBytes: number): KeptAnswers {
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
  let [total, uses, written] = [Number(sql.total.get()?.bytes ?? 0), Number(sql.lastUse.get()?.used_at ?? 0), 0];

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
    const before = sql.find.get(target)?.sha256;
    sql.answer.run(target, sha256, kind, etag, JSON.stringify(fields), checkedAt);
    use(sha256);
    // Bytes that no address has any more are removed at once.
    if (before !== undefined && sql.named.get(before) === undefined) forget(String(before));
    return { target, kind, etag, fields, sha256, size, checkedAt };
  }

  function use(sha256: string): void {
    uses += 1;
    sql.use.run(uses, sha256);
  }

  async function verify(sha256: string): Promise<boolean> {
    const file = await openOrNull(join(files, sha256));
    if (file === null) return false;
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
    return hash.digest('hex') === sha256;
  }

  // The limit may be lower than last time.
  makeRoom('');
  return {
    find(target) {
      const row = sql.find.get(target);
      if (row === undefined) return null;
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
      written += 1;
      const beside = join(aside, String(written));
      try {
        const { size, sha256 } = await write(beside, body, answer.kind !== 'document');
        if (promised.size !== null && size !== promised.size)
          throw new NotAsPromised(`has ${size} bytes instead of ${promised.size}`);
        if (promised.sha256 !== null && sha256 !== promised.sha256)
          throw new NotAsPromised('has not the bytes of its ETag');
        await rename(beside, join(files, sha256));
        if (sql.sizeOf.get(sha256) === undefined) {
          sql.file.run(sha256, size);
          total += onDisk(size);
        }
        verified.set(sha256, Promise.resolve(true));
        const kept = note(answer, sha256, size);
        makeRoom(sha256);
        return kept;
      } finally {
        await rm(beside, { force: true });
      }
    },
    adopt(answer, sha256) {
      const size = sql.sizeOf.get(sha256)?.bytes;
      return size === undefined ? null : note(answer, sha256, Number(size));
    },
    confirm({ target }) {
      sql.confirm.run(wallClockNow(), target);
    },
    drop({ target, sha256 }) {
      sql.drop.run(target);
      if (sql.named.get(sha256) === undefined) forget(sha256);
    },
    async open({ sha256 }) {
      const running = verified.get(sha256) ?? verify(sha256);
      verified.set(sha256, running);
      running.catch(() => verified.delete(sha256));
      const file = (await running) ? await openOrNull(join(files, sha256)) : null;
      if (file === null) forget(sha256);
      else use(sha256);
      return file;
    },
    bytes: () => total,
    close() {
      index.close();
      lock.release();
    },
  };
}

/** Null: there is no such file. Other errors, such as too many open files, are no reason to fetch it again. */
async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function onDisk(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes + blockBytes;
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

function openIndex(dir: string, files: string): DatabaseSync {
  const path = join(dir, 'index.db');
  // SQLite gives its journal the mode of this file.
  closeSync(openSync(path, 'a', 0o600));
  const index = new DatabaseSync(path);
  index.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
  if (index.prepare('pragma user_version').get()?.user_version === formOfIndex) return index;
  // Made by another release, or new: everything kept can be fetched again.
  rmSync(files, { recursive: true, force: true });
  index.exec(`
    begin;
    drop table if exists answers;
    drop table if exists files;
    create table files (sha256 text primary key, bytes integer not null, used_at integer not null default 0) strict, without rowid;
    create index files_by_use on files (used_at);
    create table answers (
      target text primary key,
      sha256 text not null references files on delete cascade,
      kind text not null,
      etag text,
      fields text not null,
      checked_at integer not null
    ) strict, without rowid;
    create index answers_by_file on answers (sha256);
    pragma user_version = ${formOfIndex};
    commit`);
  return index;
}

function statementsOf(index: DatabaseSync) {
  const perFile = `(bytes + ${blockBytes - 1}) / ${blockBytes} * ${blockBytes} + ${blockBytes}`;
  return {
    total: index.prepare(`select coalesce(sum(${perFile}), 0) as bytes from files`),
    lastUse: index.prepare('select max(used_at) as used_at from files'),
    find: index.prepare(
      'select sha256, bytes, kind, etag, fields, checked_at from answers join files using (sha256) where target = ?',
    ),
    named: index.prepare('select 1 from answers where sha256 = ? limit 1'),
    sizeOf: index.prepare('select bytes from files where sha256 = ?'),
    oldest: index.prepare('select sha256 from files where sha256 <> ? order by used_at limit 1'),
    file: index.prepare('insert into files (sha256, bytes) values (?, ?)'),
    forget: index.prepare('delete from files where sha256 = ?'),
    use: index.prepare('update files set used_at = ? where sha256 = ?'),
    answer: index.prepare('insert or replace into answers values (?, ?, ?, ?, ?, ?)'),
    drop: index.prepare('delete from answers where target = ?'),
    confirm: index.prepare('update answers set checked_at = ? where target = ?'),
  };
}
