// Names and labels of the metrics: the conventions of Prometheus, and labels whose values are few and name no reader, game or key.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { counters, gauges, histograms } from '../../../schemas/metrics/metrics.ts';

/**
 * The labels that metrics may have. Before a new one is added here, it must be clear that it has few values, none of
 * them a game, key or address.
 */
const allowed = new Set([
  'cache',
  'class',
  'code',
  'http_request_method',
  'http_response_status_code',
  'http_route',
  'kind',
  'listener',
  'origin',
  'partition',
  'projector',
  'quantile',
  'reason',
  'result',
  'roles',
  'source',
  'state',
  'thread',
  'topic',
  'version',
]);

describe('metrics', () => {
  const all = Object.entries({ ...counters, ...histograms, ...gauges });

  it('have a name that says its unit, and a help', () => {
    for (const [name, { help }] of all) {
      assert.match(name, /^(sds|http_server|db_client|nodejs)_[a-z_]+$/);
      assert.match(help, /^[A-Z0-9].*\.$/, name);
    }
    for (const name of Object.keys(counters)) assert.match(name, /_total$/);
    for (const name of [...Object.keys(histograms), ...Object.keys(gauges)]) assert.doesNotMatch(name, /_total$/);
    for (const name of Object.keys(histograms)) assert.match(name, /_(seconds|bytes)$/);
  });

  it('have no label of a game, a key, an account or an address', () => {
    for (const [name, { labels }] of all)
      for (const label of labels) assert.ok(allowed.has(label), `${name}: ${label}`);
  });
});
