// How the members of a group share a topic's partitions: evenly, each keeping what it has as far as that allows. A member only ever
// gives up its own and takes what nobody alive has, so members that look one after the other agree after a few looks.

export type GroupView = {
  partitions: number;
  /** Members alive, this one included. */
  members: readonly string[];
  /** Who holds each partition: an id, perhaps of a dead member, or null. */
  holders: readonly (string | null)[];
};

/** What `me` should take and give up. */
export function planClaims(view: GroupView, me: string): { take: number[]; giveUp: number[] } {
  const held = new Map(view.members.map((member) => [member, 0]));
  const mine: number[] = [];
  const free: number[] = [];
  for (const [partition, holder] of view.holders.entries()) {
    const count = holder === null ? undefined : held.get(holder);
    if (holder === null || count === undefined) free.push(partition);
    else held.set(holder, count + 1);
    if (holder === me) mine.push(partition);
  }
  const share = shareOf(view, held, me);
  return { take: free.slice(0, Math.max(0, share - mine.length)), giveUp: mine.slice(share) };
}

/** Everyone gets the same number; what is left over goes to those who hold most, so that as little as possible moves. */
function shareOf(view: GroupView, held: ReadonlyMap<string, number>, me: string): number {
  const each = Math.floor(view.partitions / view.members.length);
  const over = view.partitions % view.members.length;
  const byHolding = [...view.members].sort((a, b) => {
    return (held.get(b) ?? 0) - (held.get(a) ?? 0) || (a < b ? -1 : 1);
  });
  return each + (byHolding.indexOf(me) < over ? 1 : 0);
}

/** What each member holds once everybody has looked: the same sharing, done at one place. */
export function shareOut(view: GroupView): Map<string, number[]> {
  const holders = [...view.holders];
  for (const me of view.members) {
    for (const partition of planClaims({ ...view, holders }, me).giveUp) holders[partition] = null;
  }
  for (const me of view.members) {
    for (const partition of planClaims({ ...view, holders }, me).take) holders[partition] = me;
  }
  return new Map(
    view.members.map((member) => [
      member,
      holders.flatMap((holder, partition) => (holder === member ? [partition] : [])),
    ]),
  );
}
