// A real browser for the pages: the machine's own Chromium (Debian's package), driven by playwright-core, which brings none.
import { type Browser, chromium } from 'playwright-core';
import { needProgram } from './installed.ts';

export type Chromium = {
  /** The program. */
  readonly path: string;
  open(): Promise<Browser>;
};

export async function findChromium(): Promise<Chromium> {
  return openChromium(needProgram('chromium', 'chromium-browser', 'google-chrome'));
}

export function openChromium(path: string): Chromium {
  // Without its sandbox, which root may not have: it opens nothing but our own pages.
  return { path, open: () => chromium.launch({ executablePath: path, args: ['--no-sandbox'] }) };
}
