// A browser out of Debian's packages, for a machine that has none: unpacked below `.cache/`, and started with the libraries unpacked with it.
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianPackage } from './debian.ts';
import { run } from './installed.ts';

/** The path of a script that starts the package's `program`, given by its path below `usr/lib/`. */
export async function packagedBrowser(name: string, program: string): Promise<string> {
  const home = await debianPackage(name, async (directory) => {
    const libraries = new Set(globSync('usr/lib/*-linux-gnu*/**/lib*.so*', { cwd: directory }).map(dirname));
    const paths = Array.from(libraries, (library) => `"$home"/${library}`).join(':');
    const lines = [
      '#!/bin/sh',
      'home=$(dirname "$0")',
      `LD_LIBRARY_PATH=${paths} exec "$home"/usr/lib/${program} "$@"`,
    ];
    writeFileSync(join(directory, name), `${lines.join('\n')}\n`, { mode: 0o755 });
    await run(join(directory, name), ['--version']);
  });
  return join(home, name);
}
