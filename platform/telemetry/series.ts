// One series of a histogram that is observed for each request. The client library looks a series up by a text of its labels, which costs a
// read from memory a tenth of its CPU; here the caller keeps the series, and each scrape adds it to the library's values.
import type { MetricValueWithName } from 'prom-client';

export class Series {
  readonly #name: string;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** The number of values per bucket; the last one counts values above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  /** `bounds`: the ascending upper bounds of the buckets, inclusive. */
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

  /** In the library's own form: each bucket's count includes those of all lower buckets. */
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
