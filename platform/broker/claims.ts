// Divides a topic's partitions evenly among the members of a group; each member keeps its own as far as possible. A member only gives up
// its own partitions and takes those that no living member holds, so members that plan one after the other agree after a few rounds.

export type GroupView = {
  partitions: number;
  /** Living members, including this one. */
  members: readonly string[];
  /** The holder of each partition, perhaps a dead member; null if none. */
  holders: readonly (string | null)[];
};

/** What `me` should take and give up. */
export function planClaims(view: GroupView, me: string): { take: number[]; giveUp: number[] } {
  const share = sharesOf(view).get(me) ?? 0;
  const mine: number[] = [];
  const free: number[] = [];
  for (const [partition, holder] of view.holders.entries()) {
    if (holder === me) mine.push(partition);
    else if (holder === null || !view.members.includes(holder)) free.push(partition);
  }
  return { take: free.slice(0, Math.max(0, share - mine.length)), giveUp: mine.slice(share) };
}

/**
 * The final assignment, each partition to exactly one member. Shares are computed once, from the initial table: recomputed after each
 * member's turn, a leftover partition could go to a member whose turn has passed, and so to none.
 */
export function shareOut(view: GroupView): Map<string, number[]> {
  const hands = new Map([...sharesOf(view)].map(([member, share]) => [member, { share, held: [] as number[] }]));
  const free: number[] = [];
  for (const [partition, holder] of view.holders.entries()) {
    const hand = holder === null ? undefined : hands.get(holder);
    if (hand !== undefined && hand.held.length < hand.share) hand.held.push(partition);
    else free.push(partition);
  }
  for (const { share, held } of hands.values()) held.push(...free.splice(0, share - held.length));
  return new Map([...hands].map(([member, { held }]) => [member, held]));
}

/** Everyone gets the same number; leftovers go to the members that hold most, so that as little as possible moves. */
function sharesOf({ partitions, members, holders }: GroupView): Map<string, number> {
  const held = new Map(members.map((member) => [member, 0]));
  for (const holder of holders) {
    const count = holder === null ? undefined : held.get(holder);
    if (holder !== null && count !== undefined) held.set(holder, count + 1);
  }
  const each = Math.floor(partitions / members.length);
  const over = partitions % members.length;
  const byHolding = [...held].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
  return new Map(byHolding.map(([member], index) => [member, each + (index < over ? 1 : 0)]));
}
