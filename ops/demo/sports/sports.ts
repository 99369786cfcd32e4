// The sport that each league plays.
import type { League } from '../../../core/units.ts';
import { baseball } from './baseball.ts';
import { basketball } from './basketball.ts';
import { football } from './football.ts';
import { hockey } from './hockey.ts';
import type { Sport } from './sport.ts';

export const sports: Readonly<Record<League, Sport>> = {
  NBA: basketball(
    { periods: 4, seconds: 720, gap: 6, part: 'quarter' },
    { points: [20.5, 15.5, 13.5], rebounds: [9.5, 7.5] },
  ),
  NCAAM: basketball(
    { periods: 2, seconds: 1_200, gap: 8, part: 'period' },
    { points: [13.5, 9.5, 8.5], rebounds: [6.5, 4.5] },
  ),
  NFL: football,
  NHL: hockey,
  MLB: baseball,
};
