// A folder that a backup or a restore fills before it gets its name. One process has it at a time: a second one is refused, and what an ended
// one has left is removed, but nothing else.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../session/command.ts';
import { lockFolder } from '../session/lock-folder.ts';

/** In the folder, as long as it is unfinished. */
const markName = '.unfinished';

/**
 * Makes the folder, empty. `finish` ends the exclusive use and removes the mark; `leave` only ends the use.
 * @throws CommandFailure refused, when another process fills it, or it is not a folder of ours
 */
export function beginUnfinished(folder: string): { finish(): void; leave(): void } {
  const mark = join(folder, markName);
  if (existsSync(folder) && !existsSync(mark) && readdirSync(folder).length > 0)
    throw new CommandFailure('refused', `${folder} exists, and is not left over from an ended run: move it away`);
  mkdirSync(dirname(folder), { recursive: true });
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  const lock = lockFolder(mark, `another process fills ${folder} now: wait for it, or name another folder`);
  for (const name of readdirSync(folder))
    if (name !== markName) rmSync(join(folder, name), { recursive: true, force: true });
  return {
    leave: () => lock.release(),
    finish() {
      lock.release();
      rmSync(mark, { recursive: true });
    },
  };
}
