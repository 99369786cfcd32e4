// Where cursors are kept. `sds-client/node` has a store of files.

type Awaitable<T> = T | Promise<T>;

export type CursorStore = {
  load(key: string): Awaitable<string | null | undefined>;
  save(key: string, cursor: string): Awaitable<void>;
};

/** Your own function: `call(key)` returns the cursor, if there is one; `call(key, cursor)` keeps it. */
export type CalledStore = (key: string, cursor?: string) => Awaitable<string | null | undefined>;

export function storeOf(store: CursorStore | CalledStore): CursorStore {
  if (typeof store !== 'function') return store;
  return {
    load: (key) => store(key),
    async save(key, cursor) {
      await store(key, cursor);
    },
  };
}

/** For as long as the program runs. */
export function memoryStore(): CursorStore {
  const held = new Map<string, string>();
  return { load: (key) => held.get(key), save: (key, cursor) => void held.set(key, cursor) };
}
