// Firefox for the live page: the machine's, or the one from Debian's packages. It is an ordinary Firefox, not one that
// Playwright has built: playwright-core drives it by WebDriver BiDi. Its version 1.65 fails at that, so package.json has
// 1.64.1.
import type { Browser } from 'playwright-core';
import { findProgram } from './installed.ts';
import { packagedBrowser } from './packaged-browser.ts';

export type ColorScheme = 'light' | 'dark';

export type Firefox = {
  /** The program. */
  readonly path: string;
  /** With pages in these colours: playwright-core cannot change them later, as it can in Chromium. */
  open(colorScheme: ColorScheme): Promise<Browser>;
};

export async function findFirefox(): Promise<Firefox> {
  const own = findProgram('firefox-esr', 'firefox');
  return openFirefox(own ?? (await packagedBrowser('firefox-esr', 'firefox-esr/firefox-esr')));
}

export function openFirefox(path: string): Firefox {
  const open = async (colorScheme: ColorScheme) => {
    const firefoxUserPrefs = { 'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1 };
    const { firefox } = await import('playwright-core');
    return await firefox.launch({ executablePath: path, channel: 'moz-firefox', firefoxUserPrefs });
  };
  return { path, open };
}
