// Metrics in the memory of one thread, through Prometheus' client library, and the text that a monitor reads for all threads of a process.
// Independent of what is measured.
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { Meter } from '../../core/ports/meter.ts';
import {
  type CounterName,
  counters,
  type GaugeLabels,
  type GaugeName,
  gauges,
  type HistogramName,
  histograms,
} from '../../schemas/metrics/metrics.ts';
import { Series } from './series.ts';

/** What one thread has measured; it may be sent to another. */
export type MetricsSnapshot = readonly MetricObject[];

export type Sample<Name extends GaugeName> = { labels: GaugeLabels<Name>; value: number };

export type Metrics = Meter & {
  /** Calls `read` at each scrape: its samples are the gauge's. */
  gauge<Name extends GaugeName>(name: Name, read: () => readonly Sample<Name>[]): void;
  snapshot(): Promise<MetricsSnapshot>;
};

export const metricsMediaType = Registry.PROMETHEUS_CONTENT_TYPE;

/** `ofProcess`: with the memory, CPU time, and garbage collection of the process; for one thread of it. */
export function openMetrics({ ofProcess }: { ofProcess: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // The delay of the event loop is measured for each thread, by a gauge of our own.
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 });
  const counterOf = new Map<CounterName, Counter>();
  for (const [name, { help, labels }] of Object.entries(counters))
    counterOf.set(name as CounterName, new Counter({ name, help, labelNames: [...labels], registers }));
  const histogramOf = new Map<HistogramName, Histogram>();
  for (const [name, { help, labels, buckets }] of Object.entries(histograms))
    histogramOf.set(
      name as HistogramName,
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
    );
  const kept: { name: CounterName | HistogramName; values(): readonly MetricValue<string>[] }[] = [];
  return {
    add: (name, labels, by = 1) => counterOf.get(name)?.inc(labels, by),
    observe: (name, labels, value) => histogramOf.get(name)?.observe(labels, value),
    counter(name, labels) {
      let value = 0;
      kept.push({ name, values: () => [{ labels, value }] });
      return () => {
        value += 1;
      };
    },
    series(name, labels) {
      const series = new Series(name, labels, histograms[name].buckets);
      kept.push({ name, values: () => series.values() });
      return (value) => series.observe(value);
    },
    gauge(name, read) {
      const { help, labels } = gauges[name];
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        aggregator: 'max',
        collect() {
          this.reset();
          // Without labels a reset sets zero, which is a value too.
          if (labels.length === 0) this.remove();
          for (const sample of read()) this.set(sample.labels, sample.value);
        },
      });
    },
    async snapshot() {
      const metrics = await registry.getMetricsAsJSON();
      for (const { name, values } of kept) metrics.find((metric) => metric.name === name)?.values.push(...values());
      return metrics;
    },
  };
}

/** The metrics of all threads in the text format of Prometheus. */
export function metricsText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot])).metrics();
}
