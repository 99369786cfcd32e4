// The dashboard: its panels name series and labels that exist, and together they show every metric of the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { counters, gauges, histograms } from '../../../schemas/metrics/metrics.ts';
import { faultsOfQuery } from '../../support/builders/metric-names.ts';

type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] };
const dashboard = JSON.parse(
  readFileSync(new URL('../../../ops/dashboards/sds.json', import.meta.url), 'utf8'),
) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

it('the dashboard names series and labels that exist, in panels of their own', () => {
  assert.deepEqual(
    queries.flatMap((query) => faultsOfQuery(query)),
    [],
  );
  const { panels } = dashboard;
  for (const member of ['id', 'title'] as const)
    assert.equal(new Set(panels.map((panel) => panel[member])).size, panels.length);
});

it('the dashboard shows every metric of the service', () => {
  const shown = queries.join('\n');
  const left = Object.keys({ ...counters, ...histograms, ...gauges }).filter((name) => !shown.includes(name));
  assert.deepEqual(left, ['sds_build_info']);
});
