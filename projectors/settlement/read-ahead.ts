// Starts reads before their results are needed, so that a slow store costs the time of one read and not the sum of all.

/** What `read` gives of each item, in order. `ahead` reads are under way while one is used. */
export async function* readAhead<Item, Read>(
  items: Iterable<Item>,
  ahead: number,
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  const underWay: Promise<Read>[] = [];
  for (const item of items) {
    const started = read(item);
    // Its failure is thrown when its turn comes, which may be never.
    started.catch(() => {});
    underWay.push(started);
    if (underWay.length > ahead) yield await (underWay.shift() as Promise<Read>);
  }
  for (const started of underWay) yield await started;
}
