// Bodies of the discovery routes. `status` and the envelope come from the interface; the other names are docs/interface.md#game.
import { z } from 'zod';
import { leagues } from '../reference/leagues.ts';
import { pageOf } from './page.ts';
import { gameStatuses } from './parameters.ts';

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ` (docs/interface.md#timestamps). */
export const timestamp = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/);

export const game = z.strictObject({
  id: z.string().describe('Public game id; the internal UUID while none is minted.'),
  league: z.enum(leagues),
  game_date: z.string().describe('Eastern-Time calendar date of the scheduled start.'),
  scheduled_start: timestamp,
  status: z.enum(gameStatuses),
  in_progress: z.boolean(),
  home_team: z.string(),
  home_team_abbreviation: z.string().nullable().describe('Null while the team is unknown to the service.'),
  home_team_id: z.string().nullable(),
  away_team: z.string(),
  away_team_abbreviation: z.string().nullable(),
  away_team_id: z.string().nullable(),
});
export type GameDocument = z.infer<typeof game>;

export const gamesPage = pageOf(game);
export type GamesPage = z.infer<typeof gamesPage>;
