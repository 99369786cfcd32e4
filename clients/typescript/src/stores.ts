// Where cursors are kept. `sds-client/node` has a store of files.

type Awaitable<T> = T | Promise<T>;

export type CursorStore = {
  load(key: string): Awaitable<string | null | undefined>;
  save(key: string, cursor: string): Awaitable<void>;
};

/** For as long as the program runs. */
export function memoryStore(): CursorStore {
  const held = new Map<string, string>();
  return { load: (key) => held.get(key), save: (key, cursor) => void held.set(key, cursor) };
}
