// The service's metrics, as programs record them. schemas/metrics/metrics.ts declares them.
import type { CounterLabels, CounterName, HistogramLabels, HistogramName } from '../../schemas/metrics/metrics.ts';

export interface Meter {
  add<Name extends CounterName>(name: Name, labels: CounterLabels<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void;
  /**
   * Returns a function that adds 1 to a series of a counter, for counting each request. Keep it: every call registers another function,
   * whose counts are added to the same series.
   */
  counter<Name extends CounterName>(name: Name, labels: CounterLabels<Name>): () => void;
  /** Returns a function that observes values of one series of a histogram. Keep it as well. */
  series<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>): (value: number) => void;
}

export const noMeter: Meter = { add() {}, observe() {}, counter: () => () => {}, series: () => () => {} };
