// Reads that are under way before it is their turn: what is far away costs the time of one read, not of all.

/** What `read` gives of each item, in order. `ahead` reads are under way while one is used. */
export async function* readAhead<Item, Read>(
  items: Iterable<Item>,
  ahead: number,
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  const underWay: Promise<Read>[] = [];
  for (const item of items) {
    const started = read(item);
    // It fails when its turn comes, which may be never.
    started.catch(() => {});
    underWay.push(started);
    if (underWay.length > ahead) yield await (underWay.shift() as Promise<Read>);
  }
  for (const started of underWay) yield await started;
}
