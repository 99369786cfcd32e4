// The state of an MSF dataset, rebuilt from its files, and its digest. How both are made: schemas/msf-digest/README.md of the service.
import { NotAsPublished } from './errors.ts';
import type { Row } from './parquet.ts';
import { sha256Of } from './transport.ts';

type Kept = { key: readonly (string | number)[]; line: string; row: Row };

export class State {
  readonly #key: readonly string[];
  readonly #rows = new Map<string, Kept>();

  constructor(key: readonly string[]) {
    this.#key = key;
  }

  get size(): number {
    return this.#rows.size;
  }

  clear(): void {
    this.#rows.clear();
  }

  /** The rows of a snapshot file, or of a change file, whose column `_op` says what becomes of each. */
  apply(rows: readonly Row[], kind: string): void {
    for (const { _op: op, ...row } of rows) {
      const key = this.#key.map((name) => row[name] as string | number);
      const name = JSON.stringify(key);
      const line = `${JSON.stringify(Object.values(row))}\n`;
      if (op === 'delete') {
        if (this.#rows.get(name)?.line !== line) throw new NotAsPublished(`another row is deleted: ${line}`);
        this.#rows.delete(name);
      } else if (kind !== 'patch' && this.#rows.has(name)) {
        throw new NotAsPublished(`a row is set again: ${line}`);
      } else this.#rows.set(name, { key, line, row });
    }
  }

  /** In key order. Copies: the caller may change them, and what comes after is proven by lines that were made before. */
  rows(): Row[] {
    return this.#inOrder().map(({ row }) => copyOf(row));
  }

  lines(): string[] {
    return this.#inOrder().map(({ line }) => line);
  }

  digest(): Promise<string> {
    return sha256Of(new TextEncoder().encode(this.lines().join('')));
  }

  #inOrder(): Kept[] {
    return [...this.#rows.values()].sort((a, b) => {
      for (const [at, part] of a.key.entries()) {
        const order = comparePart(part, b.key[at] ?? '');
        if (order !== 0) return order;
      }
      return 0;
    });
  }
}

function copyOf(row: Row): Row {
  const copy = { ...row };
  for (const name in copy) {
    const value = copy[name];
    if (typeof value === 'object' && value !== null) copy[name] = [...value];
  }
  return copy;
}

/** Numbers by value, texts by code points, which is the order of their UTF-8 bytes and not that of JavaScript. */
function comparePart(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const difference = placeOf(one.charCodeAt(at)) - placeOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Halves of code points beyond U+FFFF come after all other units. */
function placeOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
