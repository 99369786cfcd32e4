// The layouts of the log in memory, with founded games; counts its calls.
import type { LogLayout, LogLayoutsCatalog, OlderProcess, Placing } from '../../../core/ports/catalog/log-layouts.ts';
import { type GrowingTopic, growingTopics } from '../../../schemas/events/topics.ts';

export class MemoryLayouts implements LogLayoutsCatalog {
  readonly #layouts: Map<GrowingTopic, number>[] = [];
  readonly #layoutOf = new Map<string, number>();
  questions = 0;
  older: readonly OlderProcess[] = [];
  keepsOlderOut = false;

  /** Founds a game now. */
  found(uuid: string): void {
    if (!this.#layoutOf.has(uuid)) this.#layoutOf.set(uuid, Math.max(0, this.#layouts.length - 1));
  }

  async placing(topic: GrowingTopic, keys: readonly string[]): Promise<Placing> {
    this.questions += 1;
    const first = this.#layouts[0]?.get(topic);
    if (first === undefined) return { first: null, counts: new Map() };
    const counts = keys.map((key) => {
      const layout = this.#layoutOf.get(key) ?? 0;
      this.#layoutOf.set(key, layout);
      return [key, this.#layouts[layout]?.get(topic) as number] as const;
    });
    return { first, counts: new Map(counts) };
  }

  async begin(topic: GrowingTopic, partitions: number): Promise<number> {
    const first = this.#layouts[0] ?? new Map<GrowingTopic, number>();
    this.#layouts[0] = first;
    if (!first.has(topic)) first.set(topic, partitions);
    return first.get(topic) as number;
  }

  async newest(): Promise<LogLayout | null> {
    const layout = this.#layouts.length - 1;
    const partitions = this.#layouts[layout];
    if (partitions?.size !== growingTopics.length) return null;
    return { layout, partitions: Object.fromEntries(partitions) as LogLayout['partitions'] };
  }

  async add({ layout, partitions }: LogLayout): Promise<boolean> {
    if (this.#layouts.length !== layout) return false;
    this.#layouts.push(new Map(growingTopics.map((topic) => [topic, partitions[topic]])));
    return true;
  }

  async olderProcesses(): Promise<readonly OlderProcess[]> {
    return this.older;
  }

  async keepOlderOut(): Promise<void> {
    this.keepsOlderOut = true;
  }
}
