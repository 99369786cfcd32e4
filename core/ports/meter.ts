// The service's own numbers, as programs count them. Which metrics there are is declared in schemas/metrics/metrics.ts.
import type { CounterLabels, CounterName, HistogramLabels, HistogramName } from '../../schemas/metrics/metrics.ts';

export interface Meter {
  add<Name extends CounterName>(name: Name, labels: CounterLabels<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void;
  /** To observe one series of a histogram again and again. The caller keeps it: each call begins another one, which is added to the first. */
  series<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>): (value: number) => void;
}

export const noMeter: Meter = { add() {}, observe() {}, series: () => () => {} };
