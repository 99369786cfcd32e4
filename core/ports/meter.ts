// The service's own numbers, as programs count them. Which metrics there are is declared in schemas/metrics/metrics.ts.
import type { CounterLabels, CounterName, HistogramLabels, HistogramName } from '../../schemas/metrics/metrics.ts';

export interface Meter {
  add<Name extends CounterName>(name: Name, labels: CounterLabels<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void;
  /** To count one series of a counter by ones, for each request. The caller keeps it: each call begins another one, which is added to the first. */
  counter<Name extends CounterName>(name: Name, labels: CounterLabels<Name>): () => void;
  /** To observe one series of a histogram for each request; the caller keeps it as well. */
  series<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>): (value: number) => void;
}

export const noMeter: Meter = { add() {}, observe() {}, counter: () => () => {}, series: () => () => {} };
