// Makes docs/live-page.webp, the picture in the README: the live page of the service as `npm start` runs it, in a
// browser.
//
//   sh scripts/node.sh tests/support/browser/picture.ts
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startService } from '../../bench/started-service.ts';
import { services } from '../services/services.ts';

const file = fileURLToPath(new URL('../../../docs/live-page.webp', import.meta.url));
const size = { width: 1280, height: 820 };
/** How long the demo moves its lines before the picture is taken. */
const playedMs = 150_000;
/** WebP quality in per cent: text stays sharp. */
const quality = 82;

const chromium = await services.chromium();
if (chromium.skip !== false) throw new Error(chromium.skip);
await using service = await startService({ SDS_DEMO: 'on' });
const browser = await chromium.open();
try {
  const page = await browser.newPage({ colorScheme: 'light', viewport: size });
  page.setDefaultTimeout(60_000);
  await delay(playedMs);
  await page.goto(service.ready.api_url);
  await page.locator('#key-form').waitFor({ state: 'visible' });
  await page.keyboard.press('Enter');
  await page.locator('#odds td.up').first().waitFor({ state: 'visible' });
  await page.locator('#moves', { hasText: 'of the log' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
  writeFileSync(file, Buffer.from(data, 'base64'));
  console.log(`${file}: ${Math.round(Buffer.byteLength(data, 'base64') / 1_000)} KB`);
} finally {
  await browser.close();
}
