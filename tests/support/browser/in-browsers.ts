// The live page's tests are for two browsers whose engines have nothing in common. Chromium runs them in every run;
// Firefox, which takes minutes and is a large download, in `npm run proof`.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import type { ColorScheme, Firefox } from '../services/firefox.ts';
import { services } from '../services/services.ts';
import { leftToProof } from '../vitest/sampled.ts';
import { skipFor } from '../vitest/skip-for.ts';
import { type LaunchedBrowser, launchedBrowser, unlessHung } from './hung-browser.ts';

const chromium = await services.chromium();
const left = leftToProof('the page in Firefox');
const firefox = left === false ? await services.firefox() : { skip: left };

type It = (name: string, test: () => Promise<void>) => void;
/** A fresh context of the group's browser. */
type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>;
type Declare = (openContext: OpenContext, it: It) => void;

/** Declares a group of tests for each browser. A test that hangs is named, and its browser killed. */
export function inBrowsers(what: string, declare: Declare): void {
  describe(`${what} in Chromium`, skipFor(chromium.skip), () => {
    const { open, watched } = opener(() => chromium.open());
    declare(async (options) => await (await open('light')).newContext(options), watched);
  });
  describe(`${what} in Firefox`, skipFor(firefox.skip), () => {
    const { open, watched } = opener((colorScheme) => (firefox as Firefox).open(colorScheme));
    declare(async (options) => await (await open(schemeOf(options))).newContext(options), watched);
  });
}

function schemeOf({ colorScheme }: BrowserContextOptions = {}): ColorScheme {
  return colorScheme === 'dark' ? 'dark' : 'light';
}

type Opener = { open(colorScheme: ColorScheme): Promise<Browser>; watched: It };

/** Starts a browser at the first test that asks for one, and ends it after the group. */
function opener(start: (colorScheme: ColorScheme) => Promise<Browser>): Opener {
  const opened = new Map<ColorScheme, Promise<LaunchedBrowser>>();
  afterAll(async () => {
    await Promise.all(Array.from(opened.values(), async (launching) => (await launching.catch(() => null))?.close()));
  });

  /** The next test gets a new one. */
  function killAll(): void {
    for (const launching of opened.values())
      launching.then(
        ({ kill }) => kill(),
        () => {},
      );
    opened.clear();
  }

  return {
    async open(colorScheme) {
      const launching = opened.get(colorScheme) ?? launchedBrowser(() => start(colorScheme));
      opened.set(colorScheme, launching);
      return (await launching).browser;
    },
    watched: (name, test) => it(name, () => unlessHung(name, test, killAll)),
  };
}
