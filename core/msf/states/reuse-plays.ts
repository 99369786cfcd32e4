// Reuses plays of the previous content that did not change, so that equal strings are stored once.
import type { PlaysRow } from '../../../schemas/datasets/plays.ts';
import { sameValues } from './reuse-rows.ts';

/** A play as columns, without those of the game and its league, which are added when rows are made. */
export type Play = Omit<PlaysRow, 'game_id' | 'league' | 'period_type'>;

/** Plays by `play_id`. Those of `before` are in that order already; the others are inserted between them. */
export function orderedPlays(plays: readonly Play[], before: readonly Play[]): readonly Play[] {
  const others = new Set(plays);
  const stayed = before.filter((play) => others.delete(play));
  const ordered: Play[] = [];
  let next = 0;
  for (const play of [...others].sort((a, b) => (a.play_id < b.play_id ? -1 : 1))) {
    for (let kept = stayed[next]; kept !== undefined && kept.play_id < play.play_id; kept = stayed[next]) {
      ordered.push(kept);
      next += 1;
    }
    ordered.push(play);
  }
  return [...ordered, ...stayed.slice(next)];
}

/** The equal play of `before`, which is ordered by `play_id`; otherwise the play itself. */
export function reusePlay(play: Play, before: readonly Play[]): Play {
  let [from, to] = [0, before.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((before[middle] as Play).play_id < play.play_id) from = middle + 1;
    else to = middle;
  }
  const known = before[from];
  return known !== undefined && sameValues(playNames, known, play) ? known : play;
}

const playNames: readonly (keyof Play)[] = [
  'play_id',
  'sequence',
  'period',
  'clock_seconds_elapsed',
  'play_type',
  'description',
  'team_id',
  'player_ids',
  'points',
  'detail',
];
