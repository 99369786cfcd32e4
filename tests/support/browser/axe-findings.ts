// What axe-core reports about a page in a browser, one line for each element: rule, element, reason. It runs outside
// the page's content policy.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { id: string; nodes: { target: string[]; failureSummary?: string }[] };

export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<Found[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}
