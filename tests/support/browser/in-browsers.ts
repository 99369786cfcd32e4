// The live page's tests are for two browsers whose engines have nothing in common. Chromium runs them in every run;
// Firefox, which takes minutes and is a large download, in `npm run proof`.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import type { ColorScheme, Firefox } from '../services/firefox.ts';
import { services } from '../services/services.ts';
import { leftToProof } from '../vitest/sampled.ts';
import { skipFor } from '../vitest/skip-for.ts';

const chromium = await services.chromium();
const left = leftToProof('the page in Firefox');
const firefox = left === false ? await services.firefox() : { skip: left };

type It = (name: string, test: () => Promise<void>) => void;
/** A fresh context of the group's browser. */
type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>;
type Declare = (openContext: OpenContext, it: It) => void;

/** Declares a group of tests for each browser. */
export function inBrowsers(what: string, declare: Declare): void {
  describe(`${what} in Chromium`, skipFor(chromium.skip), () => {
    const open = opener(() => chromium.open());
    declare(async (options) => await (await open('light')).newContext(options), it);
  });
  describe(`${what} in Firefox`, skipFor(firefox.skip), () => {
    const open = opener((colorScheme) => (firefox as Firefox).open(colorScheme));
    declare(async (options) => await (await open(schemeOf(options))).newContext(options), it);
  });
}

function schemeOf({ colorScheme }: BrowserContextOptions = {}): ColorScheme {
  return colorScheme === 'dark' ? 'dark' : 'light';
}

/** Starts a browser at the first test that asks for one, and ends it after the group. */
function opener(start: (colorScheme: ColorScheme) => Promise<Browser>): typeof start {
  const opened = new Map<ColorScheme, Promise<Browser>>();
  afterAll(async () => {
    await Promise.allSettled(Array.from(opened.values(), async (browser) => await (await browser).close()));
  });
  return async (colorScheme) => {
    const browser = opened.get(colorScheme) ?? start(colorScheme);
    opened.set(colorScheme, browser);
    return await browser;
  };
}
