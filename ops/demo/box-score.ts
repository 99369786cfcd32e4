// A box score counted from plays: the statistics of each player and team, in the groups and names of MySportsFeeds. Pure.
import type { Side } from '../../core/msf/states/body-ids.ts';
import { rosterSize } from './rosters.ts';
import type { DemoPlay, SportRules, StatCredit } from './sports/sport.ts';

export type Groups = { [group: string]: { [name: string]: number } };
/** The players of a side by their slots, and the side as a whole. */
type DemoBoxScore = Readonly<Record<Side, { players: readonly Groups[]; team: Groups }>>;

/** Counts the plays reported so far, and adds what depends on the clock. */
export function boxScore(sport: SportRules, plays: readonly DemoPlay[], clock: number): DemoBoxScore {
  const side = () => ({
    players: Array.from({ length: rosterSize }, () => blank(sport)),
    team: blank(sport),
  });
  const box = { away: side(), home: side() };
  for (const credit of [...plays.flatMap((play) => sport.credits(play)), ...sport.timed(clock)]) {
    const [of, slot] = credit;
    const player = box[of].players[slot];
    if (player !== undefined) add(player, credit);
    add(box[of].team, credit);
  }
  return box;
}

function blank({ statistics }: SportRules): Groups {
  const groups: Groups = {};
  for (const stat of statistics) {
    const [group, name] = namesOf(stat);
    groups[group] ??= {};
    groups[group][name] = 0;
  }
  return groups;
}

function add(groups: Groups, [, , stat, by]: StatCredit): void {
  const [group, name] = namesOf(stat);
  groups[group] ??= {};
  const before = groups[group][name] ?? 0;
  groups[group][name] = name.endsWith('Lng') ? Math.max(before, by) : before + by;
}

function namesOf(stat: string): [group: string, name: string] {
  const [group = '', name = ''] = stat.split('.');
  return [group, name];
}
