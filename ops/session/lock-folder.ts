// The lock of a folder that one command has at a time, as long as its process lives.
import { DataDirInUse, type DataDirLock, lockDataDir } from '../../platform/process/data-dir-lock.ts';
import { CommandFailure } from './command.ts';

/** Makes the folder if it is absent. @throws CommandFailure refused, as `refusal` says, while another command has it */
export function lockFolder(folder: string, refusal: string): DataDirLock {
  try {
    return lockDataDir(folder);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    throw new CommandFailure('refused', refusal);
  }
}
