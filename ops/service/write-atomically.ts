// Writes small files that are read back after a crash: whole or not at all, even if the machine loses power. They hold secrets: no other
// user can read them, and a link or file that another user has placed under the name is replaced, never written through.
import { closeSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { newProcessTag } from '../../platform/process/ids.ts';
import { checkOwnFolder, openNewFile, syncFolder } from '../../platform/process/own-folder.ts';

/** Replaces `file` with `text`, readable by its owner only. @throws Error when others may change the contents of its folder */
export function writeAtomically(file: string, text: string): void {
  checkOwnFolder(dirname(file));
  // An unpredictable name that no other process uses.
  const aside = `${file}.${newProcessTag()}.new`;
  const written = openNewFile(aside);
  try {
    try {
      writeFileSync(written, text);
      fsyncSync(written);
    } finally {
      closeSync(written);
    }
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}
