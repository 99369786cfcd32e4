// A queue that alternates between keys: each key in turn gives its oldest item. A key with many items delays its own, not those of other
// keys.

type Keyed<Item> = { key: string; item: Item };

export class KeyedQueue<Item> {
  /** In the order of the keys' turns; no list is empty. */
  readonly #waiting = new Map<string, Item[]>();

  /** Adds `item` after the others of its key, or before them if it continues what the key has begun. */
  add(key: string, item: Item, continuesKey = false): void {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else if (continuesKey) items.unshift(item);
    else items.push(item);
  }

  /** The next item, which stays in the queue. */
  peek(): Keyed<Item> | null {
    for (const [key, items] of this.#waiting) return { key, item: items[0] as Item };
    return null;
  }

  /** Whether anything waits under the key. */
  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Moves the key whose turn is next to the end of the order. */
  passOver(): void {
    for (const [key, items] of this.#waiting) {
      this.#waiting.delete(key);
      this.#waiting.set(key, items);
      return;
    }
  }

  /** How many keys wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Takes all items of the key, in order. */
  takeOf(key: string): Item[] {
    const items = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return items;
  }

  /** Takes the next item; its key moves to the end of the order. */
  take(): Keyed<Item> | null {
    for (const [key, items] of this.#waiting) {
      const item = items.shift() as Item;
      this.#waiting.delete(key);
      if (items.length > 0) this.#waiting.set(key, items);
      return { key, item };
    }
    return null;
  }
}
