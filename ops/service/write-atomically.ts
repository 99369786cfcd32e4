// Small files that are read back after a crash: whole or not at all, also when the machine loses its power. They hold secrets: no other user
// reads them, and what another user has prepared under a name of ours, a link or a file, is replaced and never written through.
import { closeSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { newProcessTag } from '../../platform/process/ids.ts';
import { checkOwnFolder, openNewFile, syncFolder } from '../../platform/process/own-folder.ts';

/** Replaces `file` by `text`, readable by its owner only. @throws Error when others may change what is in its folder */
export function writeAtomically(file: string, text: string): void {
  checkOwnFolder(dirname(file));
  // A name that cannot be foreseen, and that no other process has.
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
