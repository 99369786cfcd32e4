// The key of a reader, for commands that read the API like any client: of a file, so that no list of processes shows it.
import { readFileSync } from 'node:fs';
import { checkKey } from '../../core/access/key-format.ts';
import { CommandFailure } from './command.ts';

/** @throws CommandFailure where the file has no API key; the message does not show what it has */
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
