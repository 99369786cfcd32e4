// A real browser for the pages, driven by playwright-core, which has none of its own: the machine's Chromium, or the
// one from Debian's packages. The first test that opens a browser loads playwright-core: it takes half a second, and most
// files that use services open none.
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { debianPackage } from './debian.ts';
import { findProgram, run } from './installed.ts';

export type Chromium = {
  /** The program. */
  readonly path: string;
  open(): Promise<Browser>;
};

export async function findChromium(): Promise<Chromium> {
  return openChromium(findProgram('chromium', 'chromium-browser', 'google-chrome') ?? (await packagedProgram()));
}

export function openChromium(path: string): Chromium {
  return {
    path,
    async open() {
      const { chromium } = await import('playwright-core');
      // Without the sandbox, which Chromium does not offer to root: it opens only our own pages.
      return await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
    },
  };
}

/** A script next to the unpacked program that lets it find the libraries unpacked with it. */
const starter = 'chromium';

async function packagedProgram(): Promise<string> {
  const home = await debianPackage('chromium', async (directory) => {
    const libraries = new Set(globSync('usr/lib/*-linux-gnu*/**/lib*.so*', { cwd: directory }).map(dirname));
    const paths = Array.from(libraries, (library) => `"$home"/${library}`).join(':');
    const lines = [
      '#!/bin/sh',
      'home=$(dirname "$0")',
      `LD_LIBRARY_PATH=${paths} exec "$home"/usr/lib/chromium/chromium "$@"`,
    ];
    writeFileSync(join(directory, starter), `${lines.join('\n')}\n`, { mode: 0o755 });
    await run(join(directory, starter), ['--version']);
  });
  return join(home, starter);
}
