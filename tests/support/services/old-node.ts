// A Node of this machine that is too old for the service, on which readers' programs and scripts/prepare.mjs must run.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Skippable } from './missing.ts';

export type OldNode = Skippable & { readonly path: string };

/** The first Node 20 to 23 in PATH that no package has brought. */
export function findOldNode(): OldNode {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, 'node'))
    .filter((each) => existsSync(each))
    .find((each) => {
      const major = Number(/^v(\d+)/.exec(execFileSync(each, ['--version']).toString())?.[1]);
      return major >= 20 && major < 24;
    });
  return path === undefined
    ? { path: '', skip: 'Node 20 to 23 is not here: the machine has none' }
    : { path, skip: false };
}
