// A reader's key for commands that read the API like any client. It comes from a file, so that no process list shows it.
import { readFileSync } from 'node:fs';
import { checkKey } from '../../core/access/key-format.ts';
import { CommandFailure } from './command.ts';

/** @throws CommandFailure when the file has no API key; the message does not repeat its contents */
export function keyInFile(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandFailure('failed', `--key-file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (checkKey(key) !== 'live') throw new CommandFailure('usage', `--key-file ${file} holds no API key (svc_live_…)`);
  return key;
}
