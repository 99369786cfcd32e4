// Plays that were held before are held on where they are equal, so that equal texts are not held twice.
import type { PlaysRow } from '../../../schemas/datasets/plays.ts';
import { sameValues } from './held-rows.ts';

/** A play as columns; those that the game and its league give are added where rows are made. */
export type Play = Omit<PlaysRow, 'game_id' | 'league' | 'period_type'>;

/** Plays by `play_id`: those of `before`, which is in that order, keep it, and the others go between them. */
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

/** The play that `before`, by `play_id`, holds where it is equal. */
export function heldPlay(play: Play, before: readonly Play[]): Play {
  let [from, to] = [0, before.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((before[middle] as Play).play_id < play.play_id) from = middle + 1;
    else to = middle;
  }
  const held = before[from];
  return held !== undefined && sameValues(playNames, held, play) ? held : play;
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
