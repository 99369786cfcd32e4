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
 * What each member holds in the end, each partition in exactly one hand. The shares are counted once, of the table as it was found: counted
 * anew after each member's turn, what is left over may fall to one whose turn is past, and then to nobody.
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

/** Everyone gets the same number; what is left over goes to those who hold most, so that as little as possible moves. */
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
