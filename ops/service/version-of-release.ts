// The version of this release, as its package says.
import { readFileSync } from 'node:fs';

export function versionOfRelease(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
