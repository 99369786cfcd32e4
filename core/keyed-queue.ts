// Who is next where many wait under keys: the keys come one after the other, and of each what waits longest. So one that has brought much
// waits behind itself, and not before the others.

type Keyed<Item> = { key: string; item: Item };

export class KeyedQueue<Item> {
  /** In the order in which the keys are next; none is empty. */
  readonly #waiting = new Map<string, Item[]>();

  /** Puts `item` behind those of its key, or before them where it goes on with what it has begun. */
  add(key: string, item: Item, goesOn = false): void {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else if (goesOn) items.unshift(item);
    else items.push(item);
  }

  /** Who is next. */
  peek(): Keyed<Item> | null {
    for (const [key, items] of this.#waiting) return { key, item: items[0] as Item };
    return null;
  }

  /** Whether anything waits under the key. */
  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Makes the key that is next the last of those that wait. */
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

  /** Takes all that waits under the key, in order. */
  takeOf(key: string): Item[] {
    const items = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return items;
  }

  /** Takes the next; its key is the last of those that wait now. */
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
