// The alert rules (docs/operations.md#alerts): they name series and labels that exist, pages of the repository as their runbooks, and hold what a
// set of rules has to: pairs of burn rates and a dead man's switch.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { faultsOfQuery } from '../../support/builders/metric-names.ts';

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('ops/alerts/sds.rules.yaml', root), 'utf8');

/** Each rule of the file, with one line for each member. */
const rules = text
  .split(/^ {6}- /m)
  .slice(1)
  .map((rule) => {
    const member = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(rule)?.[1] ?? null;
    const [alert, record, expr] = [member('alert'), member('record'), member('expr')];
    return { name: alert ?? record ?? '', alert, record, expr: expr ?? '', runbook: member('runbook'), rule };
  });
const alerts = rules.filter(({ alert }) => alert !== null);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));

describe('the alert rules', () => {
  it('are all read, and each has what it needs', () => {
    assert.ok(alerts.length >= 15 && recorded.size === 8, `${alerts.length} alerts, ${recorded.size} records`);
    for (const { name, alert, expr, rule } of rules) {
      assert.notEqual(expr, '', name);
      if (alert === null) continue;
      assert.match(rule, /severity: (none|page|ticket)\b/, name);
      assert.match(rule, /summary: \S/, name);
    }
  });

  it('name series and labels that exist', () => {
    for (const { name, expr } of rules) {
      assert.deepEqual(faultsOfQuery(expr), [], name);
      for (const [series] of expr.matchAll(/\bsds:[a-z0-9_:]+/g)) assert.ok(recorded.has(series), `${name}: ${series}`);
    }
    assert.deepEqual(faultsOfQuery('sum by (game) (rate(sds_pushes_total{code="a"}[5m])) > sds_tick_age_seconds'), [
      'sds_pushes_total does not exist',
      'no series has game: sum by (game) (rate(sds_pushes_total{code="a"}[5m])) > sds_tick_age_seconds',
      'no series has code: sum by (game) (rate(sds_pushes_total{code="a"}[5m])) > sds_tick_age_seconds',
    ]);
  });

  it('select a whole bound in both spellings in which Prometheus stores it', () => {
    const stale = rules.filter(({ name }) => name.startsWith('sds:stale_flushes:'));
    assert.equal(stale.length, 4);
    for (const { name, expr } of stale) {
      const [, pattern = ''] = /\ble=~"([^"]*)"/.exec(expr) ?? [];
      const bound = new RegExp(`^(?:${pattern.replaceAll('\\\\', '\\')})$`);
      const taken = ['5', '5.0', '50', '0.5', '2.5', '5x0'].filter((text) => bound.test(text));
      assert.deepEqual(taken, ['5', '5.0'], name);
    }
    assert.deepEqual(faultsOfQuery('sds_freshness_seconds_bucket{le="5"} / sds_freshness_seconds_bucket{le="0.5"}'), [
      'le="5" is of one spelling',
    ]);
  });

  it('lead to sections of the repository’s pages', () => {
    for (const { name, runbook } of alerts) {
      const [page = '', anchor = ''] = (runbook ?? '').split('#');
      const headings = readFileSync(new URL(page, root), 'utf8').match(/^#+ .+$/gm) ?? [];
      const anchors = headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'));
      assert.ok(anchors.includes(anchor), `${name}: ${runbook}`);
    }
  });

  it('have tests for promtool: each fires in one case, and each but the switch is quiet in another', () => {
    const { tests } = parse(readFileSync(new URL('ops/alerts/sds.tests.yaml', root), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test: each }) => each);
    const names = (fires: boolean) =>
      new Set(cases.filter(({ exp_alerts: alerts }) => alerts.length > 0 === fires).map(({ alertname }) => alertname));
    const all = alerts.map(({ name }) => name).sort();
    assert.deepEqual([...names(true)].sort(), all);
    assert.deepEqual(
      [...names(false)].sort(),
      all.filter((name) => name !== 'SdsDeadMansSwitch'),
    );
  });

  it('have a dead man’s switch, and each burn rate over a long and a short window', () => {
    assert.equal(alerts.find(({ name }) => name === 'SdsDeadMansSwitch')?.expr, 'vector(1)');
    const burns = alerts.filter(({ name }) => name.endsWith('Burn'));
    const windows = burns.map(({ expr }) => [...expr.matchAll(/ratio([0-9a-z]+)/g)].map(([, window]) => window));
    assert.deepEqual(windows, [
      ['1h', '5m'],
      ['6h', '30m'],
      ['1h', '5m'],
      ['6h', '30m'],
    ]);
    for (const { name, expr, record } of rules) {
      const window = record === null ? null : /ratio([0-9a-z]+)$/.exec(record)?.[1];
      if (window != null)
        assert.ok(
          [...expr.matchAll(/\[([0-9a-z]+)\]/g)].every(([, each]) => each === window),
          name,
        );
    }
  });

  it('count no probe of health as a request of a reader or feed', () => {
    const ratios = rules.filter(({ name }) => name.startsWith('sds:http_errors:'));
    assert.equal(ratios.length, 4);
    for (const { name, expr } of ratios) {
      const counted = [...expr.matchAll(/http_server_request_duration_seconds_count(\{[^}]*\})?/g)];
      assert.equal(counted.length, 2, name);
      for (const [, labels = ''] of counted)
        assert.ok(labels.includes('http_route!~"/health.*"'), `${name}: ${labels}`);
    }
  });
});
