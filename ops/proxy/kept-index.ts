// The index of the kept answers, in SQLite: which address has which bytes, and when these were used. Bytes are counted as they lie on disk.
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What a small file takes on disk. */
const blockBytes = 4096;
const formOfIndex = 1;

export function onDisk(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes + blockBytes;
}

/** Removes the folder `files` where the index of its bytes is new. */
export function openIndex(dir: string, files: string): DatabaseSync {
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

export function statementsOf(index: DatabaseSync) {
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
