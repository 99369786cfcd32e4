// One series of a histogram that is observed for each request. The client library finds the series of a value by a text of its labels, which
// costs a read from memory a tenth of its CPU; here the caller keeps the series, and a scrape adds it to what the library has.
import type { MetricValueWithName } from 'prom-client';

export class Series {
  readonly #name: string;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** How many values each bucket has, and last those beyond all bounds. */
  readonly #counts: number[];
  #sum = 0;

  /** `bounds`: of the buckets, ascending; each holds what is at most its bound. */
  constructor(name: string, labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.#name = name;
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  /** As the library has the values of its own histograms: the count of a bucket has those of all lower ones in it. */
  values(): MetricValueWithName<string>[] {
    let count = 0;
    const buckets = this.#counts.map((more, bucket) => {
      count += more;
      const le = this.#bounds[bucket] ?? '+Inf';
      return { metricName: `${this.#name}_bucket`, labels: { le, ...this.#labels }, value: count };
    });
    const of = (part: string, value: number) => ({ metricName: `${this.#name}_${part}`, labels: this.#labels, value });
    return [...buckets, of('sum', this.#sum), of('count', count)];
  }
}
