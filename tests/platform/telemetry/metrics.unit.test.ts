// The metrics of a process as a monitor reads them: those of all threads in one text, each series once.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Metrics, metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';

describe('metrics', () => {
  it('of two threads are one text; what was sent between them is the same', async () => {
    const [main, api] = [openMetrics({ ofProcess: true }), openMetrics({ ofProcess: false })];
    for (const metrics of [main, api]) metrics.add('sds_charges_total', { kind: 'file', result: 'charged' }, 2);
    api.observe('sds_freshness_seconds', { projector: 'live', source: 'feed' }, 0.3);
    let age = 1.5;
    main.gauge('sds_tick_age_seconds', () => [{ labels: {}, value: age }]);
    const idle = (thread: string, value: number) => () => [{ labels: { thread, state: 'idle' }, value }];
    main.gauge('db_client_connection_count', idle('main', 3));
    api.gauge('db_client_connection_count', idle('api', 4));
    const text = await metricsText([await main.snapshot(), structuredClone(await api.snapshot())]);
    for (const line of [
      'sds_charges_total{kind="file",result="charged"} 4',
      'sds_freshness_seconds_bucket{le="0.25",projector="live",source="feed"} 0',
      'sds_freshness_seconds_bucket{le="0.5",projector="live",source="feed"} 1',
      'sds_tick_age_seconds 1.5',
      'db_client_connection_count{thread="main",state="idle"} 3',
      'db_client_connection_count{thread="api",state="idle"} 4',
    ])
      assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
    assert.equal(text.match(/^# TYPE db_client_connection_count gauge$/gm)?.length, 1);
    assert.match(text, /^process_resident_memory_bytes [1-9]/m);

    age = 0;
    assert.match(await metricsText([await main.snapshot()]), /^sds_tick_age_seconds 0$/m);
  });

  it('of a kept series are as those of a histogram of the library', async () => {
    const [kept, usual] = [openMetrics({ ofProcess: false }), openMetrics({ ofProcess: false })];
    const labels = { projector: 'live', source: 'feed' };
    const observe = kept.series('sds_freshness_seconds', labels);
    const again = kept.series('sds_freshness_seconds', labels);
    for (const [at, value] of [0, 0.25, 0.375, 0.5, 299.5, 300, 301, 1e9].entries()) {
      (at % 2 === 0 ? observe : again)(value);
      usual.observe('sds_freshness_seconds', labels, value);
      for (const metrics of [kept, usual]) metrics.observe('sds_freshness_seconds', { ...labels, source: 'b' }, value);
    }
    const linesOf = async (metrics: Metrics) => (await metricsText([await metrics.snapshot()])).split('\n').sort();
    assert.deepEqual(await linesOf(kept), await linesOf(usual));
  });

  it('of a gauge without samples are absent', async () => {
    const metrics = openMetrics({ ofProcess: false });
    metrics.gauge('sds_tick_age_seconds', () => []);
    assert.doesNotMatch(await metricsText([await metrics.snapshot()]), /^sds_tick_age_seconds/m);
  });
});
