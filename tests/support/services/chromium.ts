// Chromium for the pages, driven by playwright-core, which has no browser of its own: the machine's, or the one from
// Debian's packages. The first test that opens a browser loads playwright-core: it takes half a second, and most files
// that use services open none.
import type { Browser } from 'playwright-core';
import { findProgram } from './installed.ts';
import { packagedBrowser } from './packaged-browser.ts';

export type Chromium = {
  /** The program. */
  readonly path: string;
  open(): Promise<Browser>;
};

export async function findChromium(): Promise<Chromium> {
  const own = findProgram('chromium', 'chromium-browser', 'google-chrome');
  return openChromium(own ?? (await packagedBrowser('chromium', 'chromium/chromium')));
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
