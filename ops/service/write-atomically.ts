// Small files that are read back after a crash: whole or not at all, also when the machine loses its power.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces `file` by `text`, readable by its owner only: such files hold secrets. */
export function writeAtomically(file: string, text: string): void {
  // Processes of the distributed edition may share a directory: each has a name of its own for what it is still writing.
  const aside = `${file}.${process.pid}.new`;
  const written = openSync(aside, 'w', 0o600);
  try {
    writeFileSync(written, text);
    fsyncSync(written);
  } finally {
    closeSync(written);
  }
  renameSync(aside, file);
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
